internal import Push

/// A filter in the numbers of one store, with the way in which its registrations are found.
struct Audience {
    /// One tag or topic, and about how many registrations have it.
    struct Membership: Hashable {
        var kind: NameTable.Kind
        var number: Int64
        var registrations: Int64
    }

    /// An index whose entries, one key after another, hold all registrations of an audience.
    enum Index: Hashable {
        case tags
        case routes
        case sandboxRoutes
    }

    /// How registrations are found. Each way costs what it selects, and hands them out in the order of their ids.
    enum Access: Hashable {
        /// The ids are looked up first; the way for lists of tokens and users.
        case identifiers
        /// Walks the members of the rarest tag or topic that is required and probes the others.
        case members(of: [Membership])
        /// Gathers the entries of several keys, one span of ids after another.
        case union(Index, keys: [Int64], registrations: Int64)
        /// Walks the table, for filters that most registrations pass.
        case table
    }

    var access: Access
    /// The routes that are wanted, `nil` when all are.
    var routes: [Int64]?
    var isSandbox: Bool?
    var localeKeys: [String]?
    /// Memberships that are required and that `access` does not see to.
    var required: [Membership]
    /// One of these tags is required, and `access` does not see to it.
    var anyTags: [Int64]?
    var excludedTags: [Int64]
}

/// Turns filters into audiences.
struct AudiencePlanner {
    let routes: RouteTable
    let tags: NameTable
    let topics: NameTable

    /// Index lookups by id cost about this many times what the next row of a walk through the table costs.
    private static let lookupCost: Int64 = 4

    /// The audience of a filter; `nil` when it is certain that nobody is in it.
    func audience(of filter: PushFilter) throws(StorageError) -> Audience? {
        let lists: [[String]?] = [filter.tags, filter.users, filter.tokens, filter.locales]
        if filter.platforms?.isEmpty == true || lists.contains(where: { $0?.isEmpty == true }) { return nil }
        try routes.refresh()
        let wanted = routes.all { Self.isWanted($0, by: filter) }
        if wanted.isEmpty { return nil }
        guard let required = try requiredMemberships(of: filter) else { return nil }
        var any: [Membership]?
        if let names = filter.tags, filter.tagMatch == .any {
            let found = try memberships(.tags, names)
            if found.isEmpty { return nil }
            any = found
        }
        var excluded: [Membership] = []
        if let names = filter.excludeTags { excluded = try memberships(.tags, names) }
        let audience = Audience(
            access: .table,
            routes: wanted.count == routes.count ? nil : wanted,
            isSandbox: filter.environment.map { $0 == .sandbox },
            localeKeys: filter.locales.map { $0.map(RegistrationRow.localeKey).withoutDuplicates() },
            required: required,
            anyTags: any.map { $0.map(\.number) },
            excludedTags: excluded.map(\.number))
        return try withAccess(audience, filter, any: any ?? [], wanted: wanted)
    }

    private typealias Membership = Audience.Membership

    private static func isWanted(_ route: Route, by filter: PushFilter) -> Bool {
        guard route.tokenKind == filter.tokenKind, filter.platforms?.contains(route.platform) ?? true else {
            return false
        }
        switch filter.app {
        case nil: return true
        case .defaultApp: return route.appID.isEmpty
        case .id(let appID): return !appID.isEmpty && ExactText(route.appID) == ExactText(appID)
        }
    }

    /// The memberships that every registration must have, the rarest first; `nil` when one of them has no members.
    private func requiredMemberships(of filter: PushFilter) throws(StorageError) -> [Membership]? {
        var required: [Membership] = []
        if let names = filter.tags?.withoutDuplicates(), filter.tagMatch == .all {
            let found = try memberships(.tags, names)
            guard found.count == names.count else { return nil }
            required += found
        }
        if let topic = filter.topic {
            let found = try memberships(.topics, [topic])
            guard !found.isEmpty else { return nil }
            required += found
        }
        return required.sorted { $0.registrations < $1.registrations }
    }

    /// The names that somebody has.
    private func memberships(_ kind: NameTable.Kind, _ names: [String]) throws(StorageError) -> [Membership] {
        let table = kind == .tags ? tags : topics
        var found: [Membership] = []
        for name in names.withoutDuplicates() {
            guard let entry = try table.find(name), entry.registrations > 0 else { continue }
            found.append(Membership(kind: kind, number: entry.number, registrations: entry.registrations))
        }
        return found
    }

    /// Chooses the access that touches the fewest entries.
    private func withAccess(
        _ audience: Audience, _ filter: PushFilter, any: [Membership], wanted: [Int64]
    ) throws(StorageError) -> Audience {
        var audience = audience
        if filter.tokens != nil || filter.users != nil {
            audience.access = .identifiers
            return audience
        }
        let all = try routes.registrations()
        let onRoutes = try routes.registrations(by: wanted)
        let anyCount = any.reduce(0) { $0 + $1.registrations }
        var best = all
        if let rarest = audience.required.first {
            // Whatever else is asked for, the table would have to be probed for it row by row.
            audience.access = .members(of: audience.required)
            best = rarest.registrations
        }
        if !any.isEmpty, audience.required.isEmpty || anyCount < best {
            audience.access = .union(.tags, keys: any.map(\.number), registrations: anyCount)
            best = anyCount
        }
        if filter.environment == .sandbox, audience.access == .table || onRoutes < best {
            audience.access = .union(.sandboxRoutes, keys: wanted, registrations: onRoutes)
        } else if onRoutes < all / Self.lookupCost, audience.access == .table || onRoutes < best / Self.lookupCost {
            audience.access = .union(.routes, keys: wanted, registrations: onRoutes)
        }
        switch audience.access {
        case .members: audience.required = []
        case .union(.tags, _, _): audience.anyTags = nil
        case .union, .identifiers, .table: break
        }
        return audience
    }
}
