import FoundationEssentials
import JSON
import Push
import Testing

@testable import Providers

@Suite struct APNsTokenCacheTests {
    @Test func `wire-reports 14 and 17: however many ask at once, one token is made`() async throws {
        let clock = ManualClock()
        let registry = APNsTokenRegistry(clock: clock.wallClock)
        let key = try TestKeys.p256()
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try registry.cache(teamID: "DEF123GHIJ", keyID: "ABC123DEFG", key: key).token().authorization
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(registry.cache(teamID: "DEF123GHIJ", keyID: "ABC123DEFG", key: key).tokensMade == 1)
    }

    @Test func `PyJWT verifies the token and finds what Apple asks for`() throws {
        let clock = ManualClock(1_700_000_000.75)
        let cache = APNsTokenRegistry(clock: clock.wallClock)
            .cache(teamID: "DEF123GHIJ", keyID: "ABC123DEFG", key: try TestKeys.p256())
        let first = try cache.token().authorization
        clock.advance(minutes: 49)
        #expect(try cache.token().authorization == first)
        clock.advance(minutes: 1)
        let second = try cache.token().authorization
        #expect(first.hasPrefix("bearer ") && second.hasPrefix("bearer ") && first != second)
        let found = try TestKeys.verified(
            [first, second].map { String($0.dropFirst("bearer ".count)) }, key: "p256 public", algorithm: "ES256")
        #expect(
            found.map { $0["claims"] } == [
                ["iss": "DEF123GHIJ", "iat": 1_700_000_000], ["iss": "DEF123GHIJ", "iat": 1_700_003_000],
            ])
        #expect(found[0]["header"]?["alg"] == "ES256")
        #expect(found[0]["header"]?["kid"] == "ABC123DEFG")
    }

    @Test func `another key or team has a token of its own`() throws {
        let registry = APNsTokenRegistry(clock: .fixed(Date(timeIntervalSince1970: 1_800_000_000)))
        let key = try TestKeys.p256()
        let caches = [("A", "1"), ("A", "2"), ("B", "1")].map { registry.cache(teamID: $0.0, keyID: $0.1, key: key) }
        #expect(Set(caches.map { ObjectIdentifier($0) }).count == 3)
    }
}
