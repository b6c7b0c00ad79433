internal import Push

/// Reads audiences page by page. Every call is made inside a read transaction.
struct AudienceReader {
    let connection: Connection
    let routes: RouteTable
    let tags: NameTable
    let topics: NameTable
    let hash: LookupHash
    let listedAudiences: ListedAudiences

    func page(
        of filter: PushFilter, after: RegistrationID, limit: Int
    ) throws(StorageError) -> [Registration] {
        guard limit > 0, let audience = try planner.audience(of: filter) else { return [] }
        let sql = AudienceSQL(audience: audience)
        switch audience.access {
        case .identifiers: return try listedPage(of: filter, sql, after, limit)
        case .members, .table: return try walkedPage(sql, after, limit)
        case .union(let index, let keys, let registrations):
            var page: [Registration] = []
            let span = try span(for: limit, of: registrations)
            try gather(index, keys, sql, after: after, span: span) { row throws(StorageError) in
                page.append(try RegistrationRow.read(row, routes))
                return page.count < limit
            }
            return page
        }
    }

    func count(of filter: PushFilter) throws(StorageError) -> Int {
        guard let audience = try planner.audience(of: filter) else { return 0 }
        let sql = AudienceSQL(audience: audience)
        var count = 0
        switch audience.access {
        case .identifiers:
            let listed = try listedAudience(of: filter)
            try rows(listed.ids[...], sql) { row in
                if listed.contains(row) { count += 1 }
                return true
            }
        case .members, .table:
            let statement = try connection.prepare(sql.count())
            try bind(sql, to: statement)
            try statement.bind(1, RegistrationID.unsaved.rawValue)
            if try statement.step() { count = Int(statement.int(0)) }
            statement.reset()
        case .union(let index, let keys, let registrations):
            let span = try span(for: 10_000, of: registrations)
            try gather(index, keys, sql, after: .unsaved, span: span) { _ in
                count += 1
                return true
            }
        }
        return count
    }

    private var planner: AudiencePlanner { AudiencePlanner(routes: routes, tags: tags, topics: topics) }

    private func bind(_ sql: AudienceSQL, to statement: Statement) throws(StorageError) {
        var index: Int32 = 3
        for text in sql.texts {
            try statement.bind(index, text)
            index += 1
        }
    }

    private func walkedPage(
        _ sql: AudienceSQL, _ after: RegistrationID, _ limit: Int
    ) throws(StorageError) -> [Registration] {
        let statement = try connection.prepare(sql.page())
        try bind(sql, to: statement)
        try statement.bind(1, after.rawValue)
        try statement.bind(2, Int64(limit))
        defer { statement.reset() }
        var page: [Registration] = []
        page.reserveCapacity(min(limit, 1_000))
        while try statement.step() { page.append(try RegistrationRow.read(statement, routes)) }
        return page
    }

    /// Looks up ids in their order and hands over those that are in the audience, until `body` says that it is enough.
    @discardableResult
    private func rows(
        _ ids: ArraySlice<Int64>, _ sql: AudienceSQL, _ body: (Statement) throws(StorageError) -> Bool
    ) throws(StorageError) -> Bool {
        let statement = try connection.prepare(sql.row())
        try bind(sql, to: statement)
        defer { statement.reset() }
        for id in ids {
            statement.reset()
            try statement.bind(1, id)
            guard try statement.step() else { continue }
            guard try body(statement) else { return false }
        }
        return true
    }
}

// MARK: - Lists of tokens and users

extension AudienceReader {
    private func listedPage(
        of filter: PushFilter, _ sql: AudienceSQL, _ after: RegistrationID, _ limit: Int
    ) throws(StorageError) -> [Registration] {
        let listed =
            if let known = listedAudiences.take(filter, after) { known } else { try listedAudience(of: filter) }
        var page: [Registration] = []
        try rows(listed.ids(after: after), sql) { row throws(StorageError) in
            guard listed.contains(row) else { return true }
            page.append(try RegistrationRow.read(row, routes))
            return page.count < limit
        }
        if page.count == limit, let last = page.last { listedAudiences.keep(listed, after: last.id) }
        return page
    }

    private func listedAudience(of filter: PushFilter) throws(StorageError) -> ListedAudience {
        var audience = ListedAudience(tokens: filter.tokens, users: filter.users)
        for (list, values) in [(AudienceSQL.List.tokens, filter.tokens), (.users, filter.users)] {
            guard let values else { continue }
            let statement = try connection.prepare(AudienceSQL.entries(of: list))
            // In the order of the index, so that neighbours share its pages.
            var found: [Int64] = []
            for key in values.map({ hash($0) }).sorted() {
                try statement.bind(1, key)
                while try statement.step() { found.append(statement.int(0)) }
            }
            audience.narrow(to: found)
        }
        return audience
    }
}

// MARK: - Unions

extension AudienceReader {
    /// How many ids hold about twice the wanted registrations, were they spread evenly.
    private func span(for wanted: Int, of registrations: Int64) throws(StorageError) -> Int64 {
        let newest = try newestID()
        return max(256, Int64(min(wanted, 100_000)) * 2 * newest / max(1, registrations))
    }

    private func newestID() throws(StorageError) -> Int64 {
        try connection.firstInt("SELECT last FROM registration_sequence") ?? 0
    }

    /// Hands over the registrations of several keys in id order. Each span of ids is gathered from all keys, sorted and
    /// looked up, so the memory does not grow with the audience and no page begins from zero again.
    private func gather(
        _ index: Audience.Index, _ keys: [Int64], _ sql: AudienceSQL, after: RegistrationID, span: Int64,
        _ body: (Statement) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let newest = try newestID()
        let statement = try connection.prepare(sql.entries(of: index))
        var low = after.rawValue
        var span = span
        var ids: [Int64] = []
        while low < newest {
            let high = newest - low <= span ? newest : low + span
            ids.removeAll(keepingCapacity: true)
            for key in keys {
                try statement.bind(1, key)
                try statement.bind(2, low)
                try statement.bind(3, high)
                while try statement.step() { ids.append(statement.int(0)) }
            }
            ids.sort()
            var previous: Int64 = 0
            ids.removeAll { id in
                defer { previous = id }
                return id == previous
            }
            guard try rows(ids[...], sql, body) else { return }
            // Where the entries are rarer than expected, the spans grow.
            if ids.count < 1_000, span < newest { span *= 2 }
            low = high
        }
    }
}
