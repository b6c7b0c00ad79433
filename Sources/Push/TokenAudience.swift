/// The registrations that have one of the given tokens, in the order of the tokens, a part of the list at a time.
struct TokenAudience: PushAudience {
    private let repository: any RegistrationRepository
    private let pageSize: Int
    private let parts: [[String]]
    private var nextPart = 0
    private var current: FilteredAudience?
    private var found: Set<String> = []
    /// Whether all tokens were looked up.
    private(set) var reachedEnd = false

    init(_ tokens: [String], in repository: any RegistrationRepository, pageSize: Int) {
        var seen: Set<String> = []
        self.repository = repository
        self.pageSize = pageSize
        self.parts = tokens.filter { seen.insert($0).inserted }.pages(of: pageSize)
    }

    mutating func nextPage() async throws -> [Registration] {
        while true {
            if let page = try await current?.nextPage(), !page.isEmpty {
                found.formUnion(page.map(\.token))
                return page
            }
            guard nextPart < parts.count else { break }
            current = FilteredAudience(PushFilter(tokens: parts[nextPart]), in: repository, pageSize: pageSize)
            nextPart += 1
        }
        reachedEnd = true
        return []
    }

    /// The tokens that no registration has, once the end is reached.
    var unknownTokens: [String] { parts.flatMap { $0 }.filter { !found.contains($0) } }
}

extension Array {
    /// The elements in runs of `size`, the last one shorter.
    func pages(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
