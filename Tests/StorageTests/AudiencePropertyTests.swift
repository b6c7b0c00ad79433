import Foundation
import Push
import PushTestSupport
import TestSupport
import Testing

@testable import Storage

private struct Draws {
    var random: SeededGenerator

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    mutating func once(in times: Int) -> Bool { below(times) == 0 }
    mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }

    mutating func some<Value>(of values: [Value], atMost count: Int) -> [Value] {
        (0..<below(count + 1)).map { _ in one(of: values) }
    }

    mutating func maybe<Value>(_ times: Int, _ value: (inout Draws) -> Value) -> Value? {
        once(in: times) ? value(&self) : nil
    }

    // Few values, so that clauses meet; one tag is on almost nobody and one on almost everybody.
    private static let tags = ["a", "b", "c", "d", "rare", "", "naïve", "o\"ops"]
    private static let topics = ["news", "sports", ""]
    private static let locales = ["de", "de-AT", "DE_at", "den", "en-US", "d", ""]
    private static let apps: [String?] = [nil, "driver", "consumer", "tiny"]

    mutating func registration(_ number: Int) -> Registration {
        var tags = some(of: Array(Self.tags.prefix(4)), atMost: 3)
        if once(in: 40) { tags.append("rare") }
        if once(in: 9) { tags.append(one(of: Self.tags)) }
        if !once(in: 10) { tags.append("common") }
        return .test(
            "token \(below(300))", platform: one(of: once(in: 30) ? Platform.allCases : [.iOS, .android]),
            kind: once(in: 8) ? .liveActivityStart : .device,
            app: once(in: 60) ? "tiny" : one(of: Array(Self.apps.prefix(3))),
            environment: once(in: 12) ? .sandbox : .production, device: maybe(2) { "device \($0.below(200))" },
            user: maybe(2) { "user \($0.below(40))" }, tags: tags, topics: some(of: Self.topics, atMost: 2),
            locale: maybe(2) { $0.one(of: Self.locales) }, registeredAt: .test(Double(number)))
    }

    mutating func filter() -> PushFilter {
        let tags = Self.tags + ["common", "nobody"]
        return PushFilter(
            platforms: maybe(4) { $0.some(of: Platform.allCases, atMost: 3) },
            tags: maybe(2) { $0.some(of: tags, atMost: 3) }, tagMatch: once(in: 2) ? .all : .any,
            excludeTags: maybe(4) { $0.some(of: tags, atMost: 2) },
            environment: maybe(5) { $0.one(of: PushEnvironment.allCases) },
            app: maybe(4) { draws in draws.one(of: Self.apps + ["none"]).map { .id($0) } ?? .defaultApp },
            users: maybe(6) { draws in draws.some(of: (0..<45).map { "user \($0)" }, atMost: 12) },
            tokens: maybe(6) { draws in draws.some(of: (0..<310).map { "token \($0)" }, atMost: 60) },
            topic: maybe(5) { $0.one(of: Self.topics + ["nobody"]) },
            locales: maybe(5) { $0.some(of: Self.locales, atMost: 2) },
            tokenKind: once(in: 6) ? .liveActivityStart : .device)
    }
}

@Suite struct AudiencePropertyTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `audiences are those that the filter matches one by one`(_ seed: UInt64) async throws {
        try await withTemporaryStore { store in
            var draws = Draws(random: SeededGenerator(seed: seed))
            try await change(store, &draws)
            for round in 0..<250 {
                if round % 60 == 59 { try await change(store, &draws) }
                let filter = draws.filter()
                let expected = try await store.registrations(after: .unsaved, limit: 10_000).filter(filter.matches)
                let limit = draws.one(of: [1, 3, 50, 1_000])
                var selected: [Registration] = []
                while true {
                    let page = try await store.page(of: filter, after: selected.last?.id ?? .unsaved, limit: limit)
                    selected += page
                    if page.count < limit { break }
                }
                #expect(selected == expected, "seed \(seed), round \(round): \(filter)")
                #expect(try await store.count(of: filter) == expected.count, "seed \(seed), round \(round): \(filter)")
            }
        }
    }

    /// Saves, removes and rotates, so that the memberships and counts have had to follow.
    private func change(_ store: SQLiteStore, _ draws: inout Draws) async throws {
        let devices = (0..<250).map { draws.registration($0) }
        try await store.save(devices)
        let all = try await store.registrations(after: .unsaved, limit: 10_000)
        for row in draws.some(of: all, atMost: 40) {
            _ = try await store.apply([
                draws.once(in: 2)
                    ? .remove(row.id, token: row.token, ifNotRenewedSince: .test(1_000))
                    : .rotate(row.id, from: row.token, to: "token \(draws.below(300))")
            ])
        }
    }
}
