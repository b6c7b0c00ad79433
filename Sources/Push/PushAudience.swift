/// Where a batch gets its registrations from, page by page.
public protocol PushAudience {
    /// The next page; an empty one is the end.
    mutating func nextPage() async throws -> [Registration]
}

/// The registrations that a filter selects, in registration order, read a page at a time.
public struct FilteredAudience: PushAudience {
    private let repository: any RegistrationRepository
    private let filter: PushFilter
    private let pageSize: Int
    private var cursor: RegistrationID
    private var ended = false

    public init(
        _ filter: PushFilter, in repository: any RegistrationRepository, pageSize: Int,
        after cursor: RegistrationID = .unsaved
    ) {
        self.repository = repository
        self.filter = filter
        self.pageSize = pageSize
        self.cursor = cursor
    }

    public mutating func nextPage() async throws -> [Registration] {
        guard !ended else { return [] }
        let page = try await repository.page(of: filter, after: cursor, limit: pageSize)
        if let last = page.last { cursor = last.id }
        ended = page.count < pageSize
        return page
    }
}
