import Push
import PushTestSupport
import Testing

@testable import Storage

@Suite struct QueryPlanTests {
    /// A filter, the start of each step of its plan, and the statements that it is read with.
    private static let plans: [(filter: PushFilter, steps: [String])] = [
        (
            PushFilter(platforms: [.iOS], tags: ["common", "rare"], tagMatch: .all, app: .defaultApp),
            [
                "SEARCH m0 USING PRIMARY KEY (tag=? AND registration>?)",
                "SEARCH m1 USING PRIMARY KEY (tag=? AND registration=?)",
                "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        ),
        (
            PushFilter(topic: "news"),
            [
                "SEARCH m0 USING PRIMARY KEY (topic=? AND registration>?)",
                "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        ),
        (
            PushFilter(tags: ["rare", "common"], users: ["ann"]),
            [
                "SEARCH registrations USING COVERING INDEX registrations_by_user (user_hash=?)",
                "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)", "CORRELATED SCALAR SUBQUERY",
                "SEARCH registration_tags USING PRIMARY KEY (tag=? AND registration=?)",
            ]
        ),
        (
            PushFilter(tokens: ["t1"]),
            [
                "SEARCH registrations USING COVERING INDEX registrations_by_token (token_hash=?)",
                "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        ),
        (
            PushFilter(tags: ["rare", "seldom"]),
            [
                "SEARCH registration_tags USING PRIMARY KEY (tag=? AND registration>? AND registration<?)",
                "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        ),
        (
            PushFilter(app: .id("tiny")),
            [
                "SEARCH registrations USING COVERING INDEX registrations_by_route (route=? AND rowid>? AND rowid<?)",
                "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        ),
        (
            PushFilter(environment: .sandbox),
            [
                "SEARCH registrations USING COVERING INDEX registrations_in_sandbox (route=? AND sandbox=? AND rowid>?",
                "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        ),
        (.everyone, ["SEARCH r USING INTEGER PRIMARY KEY (rowid>?)"]),
        (
            PushFilter(excludeTags: ["rare"], locales: ["de"]),
            [
                "SEARCH r USING INTEGER PRIMARY KEY (rowid>?)", "CORRELATED SCALAR SUBQUERY",
                "SEARCH registration_tags USING PRIMARY KEY (tag=? AND registration=?)",
            ]
        ),
    ]

    @Test(arguments: plans.indices)
    func `a filter is read through its most selective clause and never by a scan`(_ index: Int) async throws {
        let (filter, expected) = Self.plans[index]
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(at: folder.file())
        try await store.save(
            (0..<200).map { number in
                .test(
                    "t\(number)", app: number == 7 ? "tiny" : nil, environment: number == 9 ? .sandbox : .production,
                    user: "ann", tags: number % 50 == 3 ? ["common", "rare", "seldom"] : ["common"],
                    topics: number % 20 == 0 ? ["news"] : [])
            })
        await store.close()
        let connection = try Connection(path: folder.file())
        // Statistics must not talk the planner into another order.
        try connection.execute("ANALYZE")
        let steps = try Self.statements(of: filter, on: connection).flatMap { sql in
            try Self.plan(of: sql, on: connection)
        }
        for (step, start) in zip(steps, expected) { #expect(step.hasPrefix(start), "\(filter)") }
        #expect(steps.count == expected.count, "\(steps)")
    }

    private static func statements(of filter: PushFilter, on connection: Connection) throws -> [String] {
        let planner = AudiencePlanner(
            routes: RouteTable(on: connection), tags: NameTable(.tags, on: connection),
            topics: NameTable(.topics, on: connection))
        let audience = try #require(try planner.audience(of: filter))
        let sql = AudienceSQL(audience: audience)
        switch audience.access {
        case .identifiers: return [AudienceSQL.entries(of: filter.tokens == nil ? .users : .tokens), sql.row()]
        case .members, .table: return [sql.page()]
        case .union(let index, _, _): return [sql.entries(of: index), sql.row()]
        }
    }

    private static func plan(of sql: String, on connection: Connection) throws -> [String] {
        let statement = try connection.prepare("EXPLAIN QUERY PLAN " + sql)
        var steps: [String] = []
        while try statement.step() { steps.append(statement.text(3)) }
        return steps
    }
}
