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

    /// One process after the other, as when `run --once` is called each minute.
    private func cache(_ path: String, _ clock: ManualClock) throws -> APNsTokenCache {
        APNsTokenRegistry(clock: clock.wallClock, file: APNsTokenFile(path: path, logger: .disabled))
            .cache(teamID: "DEF123GHIJ", keyID: "ABC123DEFG", key: try TestKeys.p256())
    }

    private func withTokenFile(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.path + "/carillon-tokens-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test func `a process takes over the token that the one before it made`() throws {
        try withTokenFile { path in
            let clock = ManualClock()
            let first = try cache(path, clock)
            let token = try first.token().authorization
            clock.advance(minutes: 1)
            let second = try cache(path, clock)
            #expect(try second.token().authorization == token)
            #expect(first.tokensMade == 1)
            #expect(second.tokensMade == 0)
            // The age counts from when the token was made, not from the start of the process.
            clock.advance(minutes: 49)
            #expect(try second.token().authorization != token)
            #expect(second.tokensMade == 1)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a token that Apple calls expired is replaced for the other processes too`() throws {
        try withTokenFile { path in
            let clock = ManualClock()
            let first = try cache(path, clock)
            let second = try cache(path, clock)
            let refused = try first.token()
            let same = try second.token()
            #expect(same.authorization == refused.authorization)
            let replacement = try #require(try first.replacement(for: refused))
            #expect(replacement.authorization != refused.authorization)
            // The second process finds the replacement and makes none.
            #expect(try second.replacement(for: same)?.authorization == replacement.authorization)
            #expect(second.tokensMade == 0)
        }
    }

    @Test(arguments: ["", "{", "[]", #"{"DEF123GHIJ/ABC123DEFG": 7}"#, #"{"a": {"token": 1}}"#])
    func `a damaged token file is written anew`(content: String) throws {
        try withTokenFile { path in
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
            let clock = ManualClock()
            let token = try cache(path, clock).token().authorization
            #expect(try cache(path, clock).token().authorization == token)
        }
    }

    @Test func `without a usable file tokens are made all the same`() throws {
        let clock = ManualClock()
        let made = try cache("/nowhere/at/all/tokens", clock)
        #expect(try made.token().authorization.hasPrefix("bearer "))
        #expect(made.tokensMade == 1)
    }
}
