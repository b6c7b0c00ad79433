/// The keys that a mapping may have.
package struct KeyTable: Sendable {
    /// What the mapping is, as messages name it: `the campaign`, `filter`.
    package let owner: String
    package let keys: [String]
    /// Keys of versions to come, which are refused by name instead of as unknown.
    package let later: [String]
    /// Whether keys that begin with `x-` are left alone, as a place for anchors.
    package let allowsExtensions: Bool

    package init(_ owner: String, _ keys: [String], later: [String] = [], allowsExtensions: Bool = false) {
        self.owner = owner
        self.keys = keys
        self.later = later
        self.allowsExtensions = allowsExtensions
    }
}
