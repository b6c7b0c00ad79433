/// The statements that read an audience. Numbers of the store stand in the text, what a filter brings is bound.
struct AudienceSQL {
    let audience: Audience

    /// SQLite joins at most 64 tables; the required memberships past these are tested one by one.
    private static let joinLimit = 8

    /// Registrations after ?1 in id order, at most ?2. Bind `texts` from ?3.
    func page() -> String {
        "SELECT \(RegistrationRow.columns) \(source(after: "?1")) ORDER BY \(orderColumn) LIMIT ?2"
    }

    /// How many registrations come after ?1. Bind `texts` from ?3.
    func count() -> String { "SELECT count(*) \(source(after: "?1"))" }

    /// The registration with the id ?1 if it is in the audience. Bind `texts` from ?3.
    func row() -> String {
        "SELECT \(RegistrationRow.columns) FROM registrations AS r WHERE \(all(["r.id = ?1"] + conditions("r.id")))"
    }

    /// A clause of a filter that lists what may be looked up one by one.
    enum List {
        case tokens
        case users
    }

    /// The ids of registrations with the hash ?1, from the index alone.
    static func entries(of list: List) -> String {
        switch list {
        case .tokens: "SELECT id FROM registrations INDEXED BY registrations_by_token WHERE token_hash = ?1"
        case .users: "SELECT id FROM registrations INDEXED BY registrations_by_user WHERE user_hash = ?1"
        }
    }

    /// The ids from above ?2 up to ?3 under the key ?1 of the index.
    func entries(of index: Audience.Index) -> String {
        switch index {
        case .tags:
            let clauses = ["tag = ?1", "registration > ?2", "registration <= ?3"] + routeCondition("route")
            return "SELECT registration FROM registration_tags WHERE \(all(clauses))"
        case .routes:
            return """
                SELECT id FROM registrations INDEXED BY registrations_by_route \
                WHERE route = ?1 AND id > ?2 AND id <= ?3
                """
        case .sandboxRoutes:
            return """
                SELECT id FROM registrations INDEXED BY registrations_in_sandbox \
                WHERE sandbox = 1 AND route = ?1 AND id > ?2 AND id <= ?3
                """
        }
    }

    /// What is bound from ?3 on.
    var texts: [String] {
        // A language tag selects itself and what goes on after a hyphen; "." is the character after "-".
        (audience.localeKeys ?? []).flatMap { [$0, $0 + "-", $0 + "."] }
    }

    private var orderColumn: String {
        if case .members = audience.access { "m0.registration" } else { "r.id" }
    }

    /// FROM and WHERE of everything after an id. CROSS JOIN keeps SQLite from choosing another order of the loops.
    private func source(after: String) -> String {
        guard case .members(let memberships) = audience.access, !memberships.isEmpty else {
            return "FROM registrations AS r WHERE \(all(["r.id > \(after)"] + conditions("r.id")))"
        }
        var tables: [String] = []
        var clauses: [String] = []
        for (position, membership) in memberships.prefix(Self.joinLimit).enumerated() {
            let name = "m\(position)"
            tables.append("\(membership.kind.membersTable) AS \(name)")
            clauses.append("\(name).\(membership.kind.column) = \(membership.number)")
            if position == 0 {
                clauses.append("m0.registration > \(after)")
                clauses += routeCondition("m0.route")
            } else {
                clauses.append("\(name).registration = m0.registration")
            }
        }
        clauses += memberships.dropFirst(Self.joinLimit).map { exists($0, "m0.registration") }
        tables.append("registrations AS r")
        clauses.append("r.id = m0.registration")
        clauses += conditions("m0.registration", routesAreChecked: true)
        return "FROM \(tables.joined(separator: " CROSS JOIN ")) WHERE \(all(clauses))"
    }

    private func all(_ clauses: [String]) -> String { clauses.joined(separator: " AND ") }

    /// What a registration must still fulfil. The plus signs keep the small indexes out of the choice.
    private func conditions(_ id: String, routesAreChecked: Bool = false) -> [String] {
        var clauses: [String] = []
        if !routesAreChecked { clauses += routeCondition("+r.route") }
        if let isSandbox = audience.isSandbox { clauses.append("+r.sandbox = \(isSandbox ? 1 : 0)") }
        if let keys = audience.localeKeys {
            let tests = keys.indices.map { index in
                let first = 3 + index * 3
                return "r.locale_key = ?\(first) OR r.locale_key >= ?\(first + 1) AND r.locale_key < ?\(first + 2)"
            }
            clauses.append("(\(tests.joined(separator: " OR ")))")
        }
        clauses += audience.required.map { exists($0, id) }
        if let tags = audience.anyTags {
            clauses.append("EXISTS (\(tagged(tags, id)))")
        }
        if !audience.excludedTags.isEmpty {
            clauses.append("NOT EXISTS (\(tagged(audience.excludedTags, id)))")
        }
        return clauses
    }

    private func routeCondition(_ column: String) -> [String] {
        guard let routes = audience.routes else { return [] }
        return ["\(column) IN (\(list(routes)))"]
    }

    private func exists(_ membership: Audience.Membership, _ id: String) -> String {
        let kind = membership.kind
        return """
            EXISTS (SELECT 1 FROM \(kind.membersTable) \
            WHERE \(kind.column) = \(membership.number) AND registration = \(id))
            """
    }

    private func tagged(_ tags: [Int64], _ id: String) -> String {
        "SELECT 1 FROM registration_tags WHERE tag IN (\(list(tags))) AND registration = \(id)"
    }

    private func list(_ numbers: [Int64]) -> String {
        numbers.map(String.init).joined(separator: ",")
    }
}
