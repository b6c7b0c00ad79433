import Crypto
import FoundationEssentials
import HTTPClient
import JSON
import Push
import TestSupport
import Testing

@testable import Providers

/// Against the stand-in for APNs, which checks what we send with other people's code (h2, PyJWT).
@Suite struct APNsLoopbackTests {
    /// A server, and a provider that talks to it.
    private struct Stage {
        let server: ServerProcess
        let record: ServerRecord
        let client: CurlClient
        let registry: APNsTokenRegistry
        let provider: APNsProvider

        init(
            _ arguments: [String] = [], clock: WallClock = .system, keyID: String = "ABC123DEFG",
            teamID: String = "DEF123GHIJ", bundleID: String = "com.example.app", timeout: Duration = .seconds(20),
            ca: String = "ca.pem"
        ) throws {
            record = try ServerRecord()
            server = try LoopbackServers.python(
                "apns_server.py",
                [
                    "--key-id", "ABC123DEFG", "--team-id", "DEF123GHIJ", "--topic", "com.example.app", "--log",
                    record.path,
                ] + arguments)
            client = try Loopback.client(ca: ca, timeout: timeout)
            registry = APNsTokenRegistry(clock: clock)
            provider = APNsProvider(
                APNsConfiguration(
                    key: try SigningKey(pem: try Loopback.file("AuthKey.p8"), algorithm: .es256), keyID: keyID,
                    teamID: teamID, bundleID: bundleID, endpoint: server.origin),
                registry: registry, client: client, clock: clock)
        }

        func stop() async {
            await client.shutdown()
            server.stop()
        }
    }

    /// A page whose tokens begin with these digits, in turn.
    private func page(_ count: Int, prefixes: [String] = ["aa"], _ notification: PushNotification) -> [PushMessage] {
        (0..<count).map { number in
            let digits = String(10_000_000 + number)
            return Messages.message(
                notification, token: prefixes[number % prefixes.count] + digits + "cafecafecafe", number: number)
        }
    }

    @Test func `wire-reports 14: a thousand devices get one request each, with one token, and their own answers`()
        async throws
    {
        let stage = try Stage(["--unregistered-at", "1700000000123"])
        // An even number of digits with the eight and twelve that follow.
        let prefixes = ["aaaa", "410a", "bbbb", "400a", "cccc", "429a", "503a", "dddd"]
        let statuses: [PushDeliveryStatus] = [
            .success, .tokenExpired, .success, .invalidToken, .success, .rateLimited, .unavailable, .success,
        ]
        let page = page(1_000, prefixes: prefixes, PushNotification(title: "Hello", message: "World"))
        let outcomes = try await stage.provider.send(page)
        #expect(outcomes.map(\.status) == (0..<1_000).map { statuses[$0 % 8] })
        #expect(outcomes.map(\.providerMessageID) == page.map(\.messageID))
        #expect(outcomes[1].tokenInvalidSince == Date(timeIntervalSince1970: 1_700_000_000.123))
        await stage.stop()
        let requests = try stage.record.requests()
        #expect(requests.count == 1_000)
        #expect(Set(requests.map { $0["headers"]?["authorization"] }).count == 1)
        #expect(Set(requests.map { $0["headers"]?["apns-id"] }).count == 1_000)
        #expect(try stage.record.complaints() == [])
    }

    @Test func `every reason that Apple gives has its outcome`() async throws {
        let rows = APNsReasons.all
        let prefixes = rows.indices.map { "e" + String(100 + $0) }
        let stage = try Stage(
            ["--token-interval", "0"]
                + zip(rows, prefixes).flatMap { row, prefix in
                    ["--answer", "\(prefix)=\(row.httpStatuses[0]):\(row.name)"]
                })
        // Once proven, so that the refusals do not end the page.
        _ = try await stage.provider.send(page(1, PushNotification(title: "T")))
        let outcomes = try await stage.provider.send(
            page(rows.count, prefixes: prefixes, PushNotification(title: "T")))
        #expect(outcomes.map(\.reason) == rows.map(\.name))
        #expect(outcomes.map(\.status) == rows.map(\.status))
        await stage.stop()
    }

    @Test(
        arguments: [
            .init(title: "T"), .init(message: "é😀\n\"\\"), .init(badge: 0), .init(sound: "default"),
            .init(
                title: "T", message: "M", badge: 3, sound: "chime.caf", deepLink: "app://x", data: ["k": "v", "n": "1"]),
            .init(title: "T", collapseID: String(repeating: "é", count: 32), timeToLive: .zero, priority: .normal),
            .init(title: "T", timeToLive: .seconds(3600)),
            .init(data: ["sync": "inbox"], apple: .init(contentAvailable: true)),
            .init(badge: 1, sound: "default", apple: .init(contentAvailable: true)),
            .init(
                title: "T",
                apple: .init(
                    subtitle: "S", threadID: "t", category: "C", mutableContent: true, contentAvailable: true,
                    interruptionLevel: .timeSensitive, relevanceScore: 0.5, targetContentID: "x")),
            .init(title: "T", apple: .init(pushTypeOverride: "voip")),
            .init(message: String(repeating: "x", count: 4_066)),
        ] as [PushNotification.Fields])
    func `the server finds nothing to complain about`(_ fields: PushNotification.Fields) async throws {
        let stage = try Stage()
        let outcomes = try await stage.provider.send(page(1, PushNotification(fields)))
        #expect(outcomes.map(\.status) == [.success], "\(String(describing: outcomes[0].reason))")
        await stage.stop()
        #expect(try stage.record.complaints() == [])
    }

    @Test func `a token that the server calls expired is replaced once and the messages arrive`() async throws {
        // Our clock is a quarter of an hour slow, so that the token looks 45 minutes old here and an hour there.
        let start = 1_700_000_000.0
        let clock = ManualClock(start)
        let stage = try Stage(["--now", String(start + 3_700)], clock: clock.wallClock)
        let key = try SigningKey(pem: try Loopback.file("AuthKey.p8"), algorithm: .es256)
        let cache = stage.registry.cache(teamID: "DEF123GHIJ", keyID: "ABC123DEFG", key: key)
        _ = try cache.token()
        clock.advance(minutes: 45)
        let outcomes = try await stage.provider.send(page(300, PushNotification(title: "T")))
        #expect(outcomes.allSatisfy { $0.status == .success })
        #expect(cache.tokensMade == 2)
        await stage.stop()
        #expect(try stage.record.count(verdict: "ExpiredProviderToken") == Probe.size)
        #expect(try stage.record.count(verdict: "ok") == 300)
    }

    @Test(arguments: [
        ("ZZZ123DEFG", "DEF123GHIJ", "com.example.app", "InvalidProviderToken"),
        ("ABC123DEFG", "ZZZ123GHIJ", "com.example.app", "InvalidProviderToken"),
        ("ABC123DEFG", "DEF123GHIJ", "com.example.other", "TopicDisallowed"),
    ])
    func `a wrong key, team or topic stops after ten requests`(
        _ keyID: String, _ teamID: String, _ bundleID: String, _ reason: String
    ) async throws {
        let stage = try Stage(keyID: keyID, teamID: teamID, bundleID: bundleID)
        let outcomes = try await stage.provider.send(page(500, PushNotification(title: "T")))
        #expect(outcomes.count == 500)
        #expect(outcomes.allSatisfy { $0.status == .configurationError && $0.reason == reason })
        await stage.stop()
        #expect(try stage.record.requests().count == 10)
    }

    @Test func `a request that is never answered is uncertain, and only that`() async throws {
        let stage = try Stage(["--silent", "ee"], timeout: .seconds(2))
        let outcomes = try await stage.provider.send(page(20, prefixes: ["aa", "ee"], PushNotification(title: "T")))
        #expect(outcomes.map(\.status) == (0..<20).map { $0.isMultiple(of: 2) ? .success : .uncertain })
        await stage.stop()
    }

    @Test func `a server whose certificate is not trusted gets no request`() async throws {
        let stage = try Stage(ca: "other-ca.pem")
        let outcomes = try await stage.provider.send(page(100, PushNotification(title: "T")))
        #expect(outcomes.allSatisfy { $0.status == .unavailable && $0.reason?.isEmpty == false })
        await stage.stop()
        #expect(try stage.record.requests().isEmpty)
    }
}
