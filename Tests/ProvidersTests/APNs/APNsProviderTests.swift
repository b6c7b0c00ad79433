import FoundationEssentials
import HTTPClient
import JSON
import Push
import Synchronization
import Testing

@testable import Providers

@Suite struct APNsProviderTests {
    private let clock = ManualClock()

    private func provider(
        _ client: FakeHTTPClient, app: String? = nil, forced: PushEnvironment? = nil,
        registry: APNsTokenRegistry? = nil, logger: Logger = .disabled
    ) throws -> APNsProvider {
        APNsProvider(
            APNsConfiguration(
                appID: app, key: try TestKeys.p256(), keyID: "ABC123DEFG", teamID: "DEF123GHIJ",
                bundleID: "com.example.app", forcedEnvironment: forced),
            registry: registry ?? APNsTokenRegistry(clock: clock.wallClock), client: client, clock: clock.wallClock,
            logger: logger)
    }

    private func reason(_ name: String, _ status: Int) -> Result<HTTPResponse, HTTPFailure> {
        .success(HTTPResponse(status: status, body: Array("{\"reason\":\"\(name)\"}".utf8)))
    }

    @Test func `a provider serves the Apple devices of its own app`() throws {
        let client = FakeHTTPClient()
        let (main, other) = (try provider(client), try provider(client, app: "consumer"))
        #expect(main.identifier == "apns" && other.identifier == "apns:consumer")
        for platform in Platform.allCases {
            let isApple = platform == .iOS || platform == .macOS
            let note = PushNotification(title: "T")
            let ofMain = Messages.message(note, platform: platform).registration
            let ofOther = Messages.message(note, platform: platform, app: "consumer").registration
            #expect(main.canDeliver(to: ofMain) == isApple && !main.canDeliver(to: ofOther))
            #expect(other.canDeliver(to: ofOther) == isApple && !other.canDeliver(to: ofMain))
        }
    }

    @Test func `a request has all that APNs asks for`() async throws {
        let client = FakeHTTPClient()
        let message = Messages.message(
            PushNotification(title: "T", collapseID: "c", timeToLive: .seconds(60)), token: "<00FC 13AD>", number: 42)
        let outcomes = try await provider(client).send([message])
        #expect(outcomes.map(\.status) == [.success])
        #expect(outcomes[0].providerMessageID == message.messageID)
        let request = try #require(client.requests.first)
        #expect(client.batches[0].origin.description == "https://api.push.apple.com")
        #expect(request.method == "POST" && request.path == "/3/device/00fc13ad")
        #expect(request.header("authorization")?.hasPrefix("bearer ey") == true)
        #expect(request.header("apns-id") == message.messageID)
        #expect(request.header("apns-topic") == "com.example.app")
        #expect(request.header("apns-expiration") == "1800000060")
        #expect(request.body.json == ["aps": ["alert": ["title": "T"]]])
        let preview = try provider(client).previewRequest(for: message)
        #expect(preview.body == request.body && preview.path == request.path)
        #expect(preview.origin == "https://api.push.apple.com")
        #expect(preview.headers.map(\.name) == request.allHeaders.map(\.name))
        #expect(preview.headers[0] == .init("authorization", "<redacted>"))
        #expect(preview.headers.dropFirst().map(\.value) == request.allHeaders.dropFirst().map(\.value))
    }

    @Test func `a page is one batch per host, with outcomes in the order of the messages`() async throws {
        let client = FakeHTTPClient { request, _ in
            request.path.hasSuffix("1000007")
                ? .success(HTTPResponse(status: 410, body: Array("{\"reason\":\"Unregistered\",\"timestamp\":1}".utf8)))
                : .success(HTTPResponse(status: 200))
        }
        let apns = try provider(client)
        _ = try await apns.send(Messages.page(1))
        _ = try await apns.send([Messages.message(PushNotification(title: "T"), environment: .sandbox)])
        let before = client.batches.count
        let note = PushNotification(title: "Hello")
        let page = (0..<600).map { number in
            Messages.message(
                note, token: "ab\(1_000_000 + number)", environment: number.isMultiple(of: 3) ? .sandbox : .production,
                number: number)
        }
        let outcomes = try await apns.send(page)
        let batches = client.batches.dropFirst(before)
        #expect(batches.map(\.origin.host).sorted() == ["api.push.apple.com", "api.sandbox.push.apple.com"])
        #expect(batches.map(\.requests.count).sorted() == [200, 400])
        #expect(outcomes.count == 600)
        for (number, outcome) in outcomes.enumerated() {
            #expect(outcome.status == (number == 7 ? .tokenExpired : .success))
            #expect(outcome.providerMessageID == page[number].messageID)
        }
    }

    @Test(arguments: PushEnvironment.allCases)
    func `a forced environment wins over the registration's`(_ forced: PushEnvironment) async throws {
        let client = FakeHTTPClient()
        let page = PushEnvironment.allCases.map {
            Messages.message(PushNotification(title: "T"), environment: $0)
        }
        _ = try await provider(client, forced: forced).send(page)
        #expect(Set(client.batches.map(\.origin)) == [APNsConfiguration.appleEndpoint(forced)])
    }

    @Test func `devices that share a notification share body and headers`() async throws {
        let client = FakeHTTPClient()
        let apns = try provider(client)
        let (one, two) = (PushNotification(title: "One"), PushNotification(title: "Two"))
        let page = (0..<100).map {
            Messages.message($0.isMultiple(of: 2) ? one : two, token: "ab\($0 + 10)", number: $0)
        }
        _ = try await apns.send(page)
        let requests = client.requests.dropFirst(Probe.size)
        let bodies = Set(
            requests.map { request in
                unsafe request.body.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
            })
        #expect(bodies.count == 2)
        #expect(Set(requests.map(\.sharedHeaders)).count == 1)
        #expect(requests.allSatisfy { $0.headers.map(\.name) == ["apns-id"] })
    }

    @Test func `wire-reports 14 and 17: thousands of messages of two providers of a team use one token`() async throws {
        let client = FakeHTTPClient()
        let registry = APNsTokenRegistry(clock: clock.wallClock)
        let (one, two) = (
            try provider(client, registry: registry), try provider(client, app: "b", registry: registry)
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { _ = try await (number.isMultiple(of: 2) ? one : two).send(Messages.page(100)) }
            }
            try await group.waitForAll()
        }
        #expect(client.requests.count == 2_000)
        #expect(Set(client.requests.map { $0.header("authorization") }).count == 1)
    }

    @Test func `wire-reports 10: a message above the limit is never sent and names its heaviest field`() async throws {
        let client = FakeHTTPClient()
        let big = PushNotification(title: "T", message: String(repeating: "é", count: 2_100))
        let outcomes = try await provider(client).send(
            [Messages.message(big), Messages.message(PushNotification(title: "T")), Messages.message(big)])
        #expect(outcomes.map(\.status) == [.messageRejected, .success, .messageRejected])
        #expect(outcomes[0].reason?.hasPrefix("message is the heaviest field, with 4210 bytes, of a payload") == true)
        #expect(client.requests.count == 1)
    }

    @Test func `a device that cannot be sent to fails alone and is not pruned`() async throws {
        let client = FakeHTTPClient()
        let note = PushNotification(title: "T")
        let outcomes = try await provider(client).send([
            Messages.message(note, token: "a/../b"), Messages.message(note),
            Messages.message(note, kind: .liveActivityUpdate),
        ])
        #expect(outcomes.map(\.status) == [.error, .success, .error])
        #expect(client.requests.count == 1)
        #expect(throws: NotificationRejection.self) {
            try provider(client).previewRequest(for: Messages.message(note, token: "a/b"))
        }
    }

    @Test func `an expired provider token is replaced once for all, and only its messages are sent again`() async throws
    {
        let first = Mutex<String?>(nil)
        let client = FakeHTTPClient { request, number in
            let token = request.header("authorization")
            let isFirst = first.withLock { first in
                if first == nil { first = token }
                return first == token
            }
            // Two of three are refused with the first token.
            return isFirst && !number.isMultiple(of: 3)
                ? self.reason("ExpiredProviderToken", 403) : .success(.init(status: 200))
        }
        let registry = APNsTokenRegistry(clock: clock.wallClock)
        let apns = try provider(client, registry: registry)
        let outcomes = try await apns.send(Messages.page(30))
        #expect(outcomes.allSatisfy { $0.status == .success })
        #expect(registry.cache(teamID: "DEF123GHIJ", keyID: "ABC123DEFG", key: try TestKeys.p256()).tokensMade == 2)
        // Ten with the first token, six again, twenty with the second.
        #expect(client.batches.map(\.requests.count) == [10, 6, 20])
        let ids = client.requests.compactMap { $0.header("apns-id") }
        #expect(Set(ids).count == 30 && ids.count == 36)
    }

    @Test func `a token that stays expired is a configuration error after one replacement`() async throws {
        let client = FakeHTTPClient { _, _ in self.reason("ExpiredProviderToken", 403) }
        let registry = APNsTokenRegistry(clock: clock.wallClock)
        let apns = try provider(client, registry: registry)
        for _ in 0..<5 {
            let outcomes = try await apns.send(Messages.page(1_000))
            #expect(outcomes.allSatisfy { $0.status == .configurationError && $0.reason == "ExpiredProviderToken" })
            #expect(outcomes.count == 1_000)
            clock.advance(minutes: 3)
        }
        let cache = registry.cache(teamID: "DEF123GHIJ", keyID: "ABC123DEFG", key: try TestKeys.p256())
        #expect(cache.tokensMade == 2)
        #expect(client.requests.count == 60)
    }

    @Test(
        arguments: [
            ("InvalidProviderToken", 403, .configurationError), ("MissingProviderToken", 403, .configurationError),
            ("TooManyProviderTokenUpdates", 429, .rateLimited), ("Forbidden", 403, .configurationError),
        ] as [(String, Int, PushDeliveryStatus)])
    func `wire-reports 19: no other refusal makes a new token`(
        _ name: String, _ httpStatus: Int, _ status: PushDeliveryStatus
    ) async throws {
        let client = FakeHTTPClient { _, _ in self.reason(name, httpStatus) }
        let registry = APNsTokenRegistry(clock: clock.wallClock)
        let apns = try provider(client, registry: registry)
        for _ in 0..<3 {
            #expect(try await apns.send(Messages.page(20)).allSatisfy { $0.status == status })
        }
        #expect(Set(client.requests.map { $0.header("authorization") }).count == 1)
    }

    @Test func `a server that refuses everything gets ten requests of a page, not a thousand`() async throws {
        let events = Mutex<[LogEvent]>([])
        let client = FakeHTTPClient { _, _ in self.reason("TopicDisallowed", 400) }
        let apns = try provider(client, logger: Logger { event in events.withLock { $0.append(event) } })
        let outcomes = try await apns.send(Messages.page(1_000))
        #expect(client.requests.count == 10)
        #expect(outcomes.count == 1_000)
        #expect(outcomes.allSatisfy { $0.status == .configurationError && $0.reason == "TopicDisallowed" })
        #expect(outcomes.last?.providerMessageID == nil)
        let event = try #require(events.withLock { $0 }.first)
        #expect(events.withLock { $0 }.count == 1)
        #expect(event.level == .error && event.metadata["messages"] == "1000" && event.metadata["provider"] == "apns")
        #expect(event.metadata["advice"]?.contains("bundle_id") == true)
    }

    @Test func `a key revoked later is probed for again`() async throws {
        let revoked = Mutex(false)
        let client = FakeHTTPClient { _, _ in
            revoked.withLock { $0 } ? self.reason("InvalidProviderToken", 403) : .success(.init(status: 200))
        }
        let apns = try provider(client)
        _ = try await apns.send(Messages.page(100))
        #expect(client.batches.map(\.requests.count) == [10, 90])
        revoked.withLock { $0 = true }
        _ = try await apns.send(Messages.page(100))
        _ = try await apns.send(Messages.page(100))
        #expect(client.batches.map(\.requests.count) == [10, 90, 100, 10])
    }

    @Test(
        arguments: [
            (.connect, false, .unavailable), (.timeout, true, .uncertain), (.refused, false, .unavailable),
            (.connectionLost, true, .uncertain), (.cancelled, false, .unavailable), (.cancelled, true, .uncertain),
            (.invalidRequest, false, .error), (.tls, false, .unavailable),
        ] as [(HTTPFailure.Kind, Bool, PushDeliveryStatus)])
    func `a request without a response is unavailable, or uncertain when it may have been processed`(
        _ kind: HTTPFailure.Kind, _ mayHaveBeenProcessed: Bool, _ status: PushDeliveryStatus
    ) async throws {
        let client = FakeHTTPClient { _, number in
            number == 1
                ? .failure(HTTPFailure(kind: kind, message: "said so", mayHaveBeenProcessed: mayHaveBeenProcessed))
                : .success(.init(status: 200))
        }
        let outcomes = try await provider(client).send(Messages.page(3))
        #expect(outcomes.map(\.status) == [.success, status, .success])
        #expect(outcomes[1].reason == "said so")
    }

    @Test func `a host that nobody answers at is not asked a thousand times`() async throws {
        let client = FakeHTTPClient { _, _ in
            .failure(HTTPFailure(kind: .connect, message: "nobody there", mayHaveBeenProcessed: false))
        }
        let outcomes = try await provider(client).send(Messages.page(1_000))
        #expect(outcomes.allSatisfy { $0.status == .unavailable && $0.reason == "nobody there" })
        #expect(client.requests.count == 10)
    }
}
