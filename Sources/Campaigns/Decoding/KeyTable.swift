/// The keys that a mapping may have.
struct KeyTable: Sendable {
    /// What the mapping is, as messages name it: `the campaign`, `filter`.
    let owner: String
    let keys: [String]
    /// Keys of versions to come, which are refused by name instead of as unknown.
    let later: [String]
    /// Where keys belong that are easily put here.
    let elsewhere: [String: String]
    /// Whether keys that begin with `x-` are left alone, as a place for anchors.
    let allowsExtensions: Bool

    init(
        _ owner: String, _ keys: [String], later: [String] = [], elsewhere: [String: String] = [:],
        allowsExtensions: Bool = false
    ) {
        self.owner = owner
        self.keys = keys
        self.later = later
        self.elsewhere = elsewhere
        self.allowsExtensions = allowsExtensions
    }

    /// For `elsewhere`: keys that belong under another key.
    static func keys(_ tables: [(keys: [String], place: String)]) -> [String: String] {
        var places = [String: String]()
        for table in tables {
            for key in table.keys where places[key] == nil { places[key] = table.place }
        }
        return places
    }
}
