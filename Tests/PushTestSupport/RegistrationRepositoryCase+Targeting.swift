import FoundationEssentials
import Push

extension RegistrationRepositoryCase {
    private static let devices: [Registration] = [
        .test("i1", user: "ann", tags: ["sports", "vip"], topics: ["news"], locale: "de"),
        .test("i2", environment: .sandbox, user: "bob", tags: ["sports"], locale: "de-AT"),
        .test(
            "a1", platform: .android, app: "driver", user: "ann", tags: ["vip"], topics: ["news", ""], locale: "den"),
        .test("w1", platform: .web, user: "", tags: [], locale: "DE_at"),
        .test("l1", kind: .liveActivityStart, user: "ann", tags: ["sports"]),
    ]

    /// Filters with the tokens they select from `devices`.
    private static let selections: [(name: String, filter: PushFilter, tokens: [String])] = [
        ("everyone", .everyone, ["i1", "i2", "a1", "w1"]),
        ("a platform", PushFilter(platforms: [.android, .web]), ["a1", "w1"]),
        ("no platforms", PushFilter(platforms: []), []),
        ("any tag", PushFilter(tags: ["sports", "vip"]), ["i1", "i2", "a1"]),
        ("all tags", PushFilter(tags: ["sports", "vip"], tagMatch: .all), ["i1"]),
        ("all tags, one listed twice", PushFilter(tags: ["vip", "vip"], tagMatch: .all), ["i1", "a1"]),
        ("no tags", PushFilter(tags: []), []),
        ("no tags, all of them", PushFilter(tags: [], tagMatch: .all), []),
        ("a tag in another case", PushFilter(tags: ["VIP"]), []),
        ("excluded tags", PushFilter(excludeTags: ["vip"]), ["i2", "w1"]),
        ("a tag, but not another", PushFilter(tags: ["sports"], excludeTags: ["vip"]), ["i2"]),
        ("an environment", PushFilter(environment: .sandbox), ["i2"]),
        ("the default app", PushFilter(app: .defaultApp), ["i1", "i2", "w1"]),
        ("an app", PushFilter(app: .id("driver")), ["a1"]),
        ("an unknown app", PushFilter(app: .id("consumer")), []),
        ("users", PushFilter(users: ["ann", "zoe"]), ["i1", "a1"]),
        ("no users", PushFilter(users: []), []),
        ("tokens", PushFilter(tokens: ["w1", "i2", "i2", "none"]), ["i2", "w1"]),
        ("no tokens", PushFilter(tokens: []), []),
        ("a topic", PushFilter(topic: "news"), ["i1", "a1"]),
        ("the topic with the empty name", PushFilter(topic: ""), ["a1"]),
        ("a language with its regions", PushFilter(locales: ["de"]), ["i1", "i2", "w1"]),
        ("a region, in another spelling", PushFilter(locales: ["de_AT"]), ["i2", "w1"]),
        ("no locales", PushFilter(locales: []), []),
        ("a token kind", PushFilter(tokenKind: .liveActivityStart), ["l1"]),
        ("a kind that none has", PushFilter(tokenKind: .liveActivityUpdate), []),
        ("clauses together", PushFilter(platforms: [.iOS], tags: ["sports"], users: ["ann"], topic: "news"), ["i1"]),
    ]

    static let targeting: [RegistrationRepositoryCase] = selections.map { selection in
        RegistrationRepositoryCase("a filter on \(selection.name) selects \(selection.tokens)") { repository in
            try await repository.save(devices)
            try expect(try await repository.all(selection.filter).map(\.token), equals: selection.tokens, "tokens")
            try expect(try await repository.count(of: selection.filter), equals: selection.tokens.count, "count")
        }
    }

    static let paging: [RegistrationRepositoryCase] = [
        RegistrationRepositoryCase("pages follow each other in registration order and end") { repository in
            try await repository.save((1...7).map { .test("t\($0)", tags: $0 % 2 == 1 ? ["odd"] : []) })
            let odd = PushFilter(tags: ["odd"])
            let first = try await repository.page(of: odd, after: .unsaved, limit: 3)
            try expect(first.map(\.token), equals: ["t1", "t3", "t5"], "the first page")
            guard let last = first.last else { return }
            let second = try await repository.page(of: odd, after: last.id, limit: 3)
            try expect(second.map(\.token), equals: ["t7"], "the second page")
            try expect(try await repository.page(of: odd, after: second[0].id, limit: 3), equals: [], "the third page")
        },
        RegistrationRepositoryCase("removing the cursor's row does not disturb the next page") { repository in
            try await repository.save((1...4).map { .test("t\($0)") })
            let first = try await repository.page(of: .everyone, after: .unsaved, limit: 2)
            _ = try await repository.remove(token: "t2", platform: .iOS, appID: nil)
            let second = try await repository.page(of: .everyone, after: first[1].id, limit: 2)
            try expect(second.map(\.token), equals: ["t3", "t4"], "the second page")
        },
    ]
}
