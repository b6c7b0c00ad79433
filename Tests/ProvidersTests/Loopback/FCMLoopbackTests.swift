import FoundationEssentials
import HTTPClient
import JSON
import Push
import TestSupport
import Testing

@testable import Providers

/// Against the stand-in for FCM and Google's token endpoint, which checks what we send with other people's code.
@Suite struct FCMLoopbackTests {
    /// A server, and a provider that talks to it.
    private struct Stage {
        let server: ServerProcess
        let record: ServerRecord
        let client: CurlClient
        let provider: FCMProvider

        init(_ arguments: [String] = [], timeout: Duration = .seconds(20), projectID: String? = nil) throws {
            record = try ServerRecord()
            server = try LoopbackServers.python("fcm_server.py", ["--log", record.path] + arguments)
            client = try Loopback.client(timeout: timeout)
            provider = FCMProvider(
                try FCMConfiguration(
                    serviceAccount: try FCMServiceAccount(json: try Loopback.file("service-account.json")),
                    projectID: projectID, endpoint: server.origin,
                    tokenEndpoint: try ProviderEndpoint("https://localhost:\(server.port)/token")),
                client: client)
        }

        func stop() async {
            await client.shutdown()
            server.stop()
        }
    }

    private func page(_ count: Int, words: [String], _ notification: PushNotification) -> [PushMessage] {
        (0..<count).map { number in
            Messages.message(
                notification, token: "\(words[number % words.count])-\(number)", platform: .android, number: number)
        }
    }

    @Test func `a thousand devices get one request each, with one access token, and their own answers`() async throws {
        let stage = try Stage(["--retry-after", "7"])
        let words = [
            "ok", "UNREGISTERED", "INVALID_ARGUMENT", "SENDER_ID_MISMATCH", "QUOTA_EXCEEDED", "UNAVAILABLE",
            "INTERNAL", "ok",
        ]
        let statuses: [PushDeliveryStatus] = [
            .success, .tokenExpired, .invalidToken, .invalidToken, .rateLimited, .unavailable, .unavailable, .success,
        ]
        let outcomes = try await stage.provider.send(
            page(1_000, words: words, PushNotification(title: "T", message: "M", data: ["k": "v"])))
        #expect(outcomes.map(\.status) == (0..<1_000).map { statuses[$0 % 8] })
        #expect(outcomes[4].retryAfter == .seconds(7) && outcomes[5].retryAfter == .seconds(7))
        #expect(outcomes[0].providerMessageID?.hasPrefix("projects/") == true)
        await stage.stop()
        #expect(try stage.record.count(verdict: "token") == 1)
        #expect(try stage.record.requests().count == 1_001)
        #expect(try stage.record.complaints() == [])
    }

    @Test(arguments: ["PERMISSION_DENIED", "NOT_FOUND", "THIRD_PARTY_AUTH_ERROR", "UNAUTHENTICATED"])
    func `what is wrong for everybody stops after ten messages`(_ word: String) async throws {
        let stage = try Stage()
        let outcomes = try await stage.provider.send(page(500, words: [word], PushNotification(title: "T")))
        #expect(outcomes.count == 500)
        #expect(
            outcomes.allSatisfy { $0.status == .configurationError && $0.reason?.hasPrefix(word) == true },
            "\(outcomes[0])")
        await stage.stop()
        // Twice where the access token was replaced in between.
        let isTwice = word == "UNAUTHENTICATED"
        #expect(try stage.record.count(verdict: word) == (isTwice ? 20 : 10))
        #expect(try stage.record.count(verdict: "token") == (isTwice ? 2 : 1))
    }

    @Test func `an access token that runs out is replaced and nobody is lost`() async throws {
        let stage = try Stage(["--messages-per-token", "60"])
        let outcomes = try await stage.provider.send(page(100, words: ["ok"], PushNotification(title: "T")))
        #expect(outcomes.allSatisfy { $0.status == .success })
        await stage.stop()
        #expect(try stage.record.count(verdict: "token") == 2)
        #expect(try stage.record.count(verdict: "ok") == 100)
    }

    @Test func `another project than the account's is a configuration error`() async throws {
        let stage = try Stage(projectID: "another-project")
        let outcomes = try await stage.provider.send(page(50, words: ["ok"], PushNotification(title: "T")))
        #expect(outcomes.allSatisfy { $0.status == .configurationError && $0.reason?.hasPrefix("NOT_FOUND") == true })
        await stage.stop()
    }

    @Test func `an assertion that Google refuses is a configuration error with Google's text`() async throws {
        let stage = try Stage(["--audience", "https://elsewhere.example.com/token"])
        let outcomes = try await stage.provider.send(page(50, words: ["ok"], PushNotification(title: "T")))
        #expect(outcomes.allSatisfy { $0.status == .configurationError })
        #expect(outcomes[0].reason?.hasPrefix("no access token: invalid_grant: Invalid JWT") == true)
        await stage.stop()
        #expect(try stage.record.requests().count == 1)
    }

    @Test(
        arguments: [
            .init(title: "T"), .init(message: "é😀\n\"\\"), .init(data: ["sync": "inbox"]), .init(),
            .init(title: "T", timeToLive: .zero, priority: .normal), .init(title: "T", timeToLive: .seconds(2_419_200)),
            .init(
                title: "T", message: "M", badge: 3, sound: "default", deepLink: "app://x", collapseID: "c",
                data: ["k": "v"],
                android: .init(channelID: "c", icon: "i", color: "#e76f51", imageURL: "https://x/y.jpg", tag: "t")),
            .init(message: String(repeating: "x", count: 4_092)),
        ] as [PushNotification.Fields])
    func `the server finds nothing to complain about`(_ fields: PushNotification.Fields) async throws {
        let stage = try Stage()
        let outcomes = try await stage.provider.send(page(1, words: ["ok"], PushNotification(fields)))
        #expect(outcomes.map(\.status) == [.success], "\(String(describing: outcomes[0].reason))")
        await stage.stop()
        #expect(try stage.record.complaints() == [])
    }

    @Test func `a message that is never answered is uncertain, and only that`() async throws {
        let stage = try Stage(timeout: .seconds(2))
        let outcomes = try await stage.provider.send(page(10, words: ["ok", "SILENT"], PushNotification(title: "T")))
        #expect(outcomes.map(\.status) == (0..<10).map { $0.isMultiple(of: 2) ? .success : .uncertain })
        await stage.stop()
    }
}
