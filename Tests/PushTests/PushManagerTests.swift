import FoundationEssentials
import Push
import PushTestSupport
import Synchronization
import Testing

struct PushManagerTests {
    let repository = InMemoryRegistrationRepository()
    let notification = PushNotification(title: "Hello")

    private func manager(
        _ providers: [any PushProvider], interceptors: [any PushInterceptor] = [],
        options: PushManagerOptions = PushManagerOptions(), logger: Logger = .disabled
    ) throws -> PushManager {
        try PushManager(
            repository: repository, providers: providers, interceptors: interceptors, options: options, logger: logger,
            clock: .fixed(.test(100)))
    }

    private func tokensLeft() async -> [String] {
        await repository.page(of: .everyone, after: .unsaved, limit: 10_000).map(\.token)
    }

    @Test func `a user's devices are reached and nobody else's`() async throws {
        await repository.save([
            .test("a", user: "ann"), .test("b", user: "bob"), .test("c", platform: .web, user: "ann"),
        ])
        let provider = RecordingProvider()
        let result = try await manager([provider]).sendToUser("ann", notification)
        #expect(provider.tokens == ["a", "c"])
        #expect(result.sent == 2 && result.total == 2)
    }

    @Test(arguments: [(TagMatch.any, ["a", "b"]), (.all, ["b"])])
    func `tags match any or all`(_ match: TagMatch, _ tokens: [String]) async throws {
        await repository.save([.test("a", tags: ["x"]), .test("b", tags: ["y", "x"]), .test("c")])
        let provider = RecordingProvider()
        _ = try await manager([provider]).sendToTags(["x", "y"], notification, match: match)
        #expect(provider.tokens == tokens)
    }

    @Test func `a broadcast reaches every ordinary device`() async throws {
        await repository.save([.test("a"), .test("b", app: "driver"), .test("c", kind: .liveActivityStart)])
        let provider = RecordingProvider()
        _ = try await manager([provider]).broadcast(notification)
        #expect(provider.tokens == ["a", "b"])
    }

    @Test func `a topic reaches its subscribers once and nobody who left`() async throws {
        await repository.save([.test("a"), .test("b"), .test("c")])
        let provider = RecordingProvider()
        let manager = try manager([provider])
        for token in ["a", "a", "b"] { try await manager.subscribe(token: token, platform: .iOS, to: "news") }
        try await manager.unsubscribe(token: "b", platform: .iOS, from: "news")
        let result = await manager.sendToTopic("news", notification)
        #expect(provider.tokens == ["a"])
        #expect(result.total == 1)
        #expect(await manager.sendToTopic("sports", notification).total == 0)
    }

    @Test(arguments: [PushFilter(platforms: []), PushFilter(tags: []), PushFilter(users: []), PushFilter(locales: [])])
    func `an empty list matches nobody`(_ filter: PushFilter) async throws {
        await repository.save([.test("a")])
        let provider = RecordingProvider()
        let result = try await manager([provider]).send(notification, to: filter)
        #expect(provider.calls.isEmpty)
        #expect(result.total == 0 && result.stoppedBecause == nil)
    }

    @Test func `tokens are sent to once each, and unknown ones have a result`() async throws {
        await repository.save([.test("a"), .test("b"), .test("c")])
        let provider = RecordingProvider()
        let manager = try manager([provider], options: PushManagerOptions(pageSize: 2))
        let result = await manager.sendToTokens(["c", "ghost", "a", "c", "phantom", "a"], notification)
        #expect(provider.tokens.sorted() == ["a", "c"])
        #expect(result.results.suffix(2).map(\.token) == ["ghost", "phantom"])
        #expect(result.results.suffix(2).allSatisfy { $0.status == .notRegistered && $0.platform == nil })
        #expect(result.sent == 2 && result.failed == 2 && result.tokensRemoved == 0)
        #expect(await manager.sendToTokens([], notification).total == 0)
    }

    @Test func `the same token is sent to once in a page`() async throws {
        let provider = RecordingProvider()
        let pipeline = try PushPipeline(providers: [provider])
        let page = [Registration.test("t"), .test("t"), .test("t", platform: .android), .test("t", app: "driver")]
        let prepared = await pipeline.prepare(page, batchID: "b") { _ in PushNotification() }
        let delivered = await pipeline.deliver(prepared)
        #expect(delivered.results.map(\.status) == [.success, .skipped, .success, .success])
    }

    @Test func `a dead token is removed and the good one is sent to`() async throws {
        await repository.save([.test("dead"), .test("invalid"), .test("good")])
        let provider = RecordingProvider { message in
            switch message.registration.token {
            case "dead": PushOutcome(.tokenExpired, reason: "Unregistered")
            case "invalid": PushOutcome(.invalidToken, reason: "BadDeviceToken")
            default: PushOutcome(.success)
            }
        }
        let result = try await manager([provider]).broadcast(notification)
        #expect(await tokensLeft() == ["good"])
        #expect(result.sent == 1 && result.failed == 2 && result.tokensRemoved == 2)
        #expect(result.results.map(\.tokenRemoved) == [true, true, false])
    }

    @Test(
        arguments: PushDeliveryStatus.allCases.filter { ![.tokenExpired, .invalidToken].contains($0) })
    func `no other outcome removes a token`(_ status: PushDeliveryStatus) async throws {
        await repository.save([.test("t")])
        let provider = RecordingProvider { _ in PushOutcome(status, reason: "a reason") }
        let result = try await manager([provider]).broadcast(notification)
        #expect(await tokensLeft() == ["t"])
        #expect(result.tokensRemoved == 0)
    }

    @Test(arguments: [(99.0, false), (101.0, true)])
    func `a device that was registered again after the message left is kept`(_ again: Double, _ kept: Bool) async throws
    {
        await repository.save([.test("t")])
        let provider = RecordingProvider { [repository] _ in
            await repository.save([.test("t", registeredAt: .test(again))])
            return PushOutcome(.tokenExpired)
        }
        let result = try await manager([provider]).broadcast(notification)
        #expect(await tokensLeft() == (kept ? ["t"] : []))
        #expect(result.tokensRemoved == (kept ? 0 : 1))
    }

    @Test(arguments: [(49.0, true), (51.0, false)])
    func `the provider's own date of death decides when it gives one`(_ died: Double, _ kept: Bool) async throws {
        await repository.save([.test("t", registeredAt: .test(50))])
        let provider = RecordingProvider { _ in PushOutcome(.tokenExpired, tokenInvalidSince: .test(died)) }
        _ = try await manager([provider]).broadcast(notification)
        #expect(await tokensLeft() == (kept ? ["t"] : []))
    }

    @Test func `pruning can be turned off and then counts no removal`() async throws {
        await repository.save([.test("t"), .test("old")])
        let provider = RecordingProvider { message in
            message.registration.token == "t"
                ? PushOutcome(.tokenExpired) : PushOutcome(.success, updatedToken: "new")
        }
        let result = try await manager([provider], options: PushManagerOptions(autoPruneDeadTokens: false))
            .broadcast(notification)
        #expect(await tokensLeft() == ["t", "new"])
        #expect(result.tokensRemoved == 0 && result.failed == 1)
    }

    @Test(arguments: [true, false])
    func `a reported new token replaces the old one unless that is turned off`(_ on: Bool) async throws {
        await repository.save([.test("old", user: "ann")])
        let provider = RecordingProvider { _ in PushOutcome(.success, updatedToken: "new") }
        let result = try await manager([provider], options: PushManagerOptions(applyUpdatedTokens: on))
            .broadcast(notification)
        #expect(await tokensLeft() == [on ? "new" : "old"])
        #expect(result.sent == 1 && result.tokensRemoved == 0)
    }

    @Test func `one app's dead token does not touch another app's device with the same token`() async throws {
        await repository.save([.test("t", app: "consumer"), .test("t", app: "driver")])
        let consumer = RecordingProvider("apns:consumer", appID: "consumer") { _ in PushOutcome(.tokenExpired) }
        let driver = RecordingProvider("apns:driver", appID: "driver")
        let result = try await manager([consumer, driver]).broadcast(notification)
        #expect(result.results.map(\.provider) == ["apns:consumer", "apns:driver"])
        let left = await repository.page(of: .everyone, after: .unsaved, limit: 10)
        #expect(left.map(\.appID) == ["driver"])
    }

    @Test func `a device without a provider fails and runs no interceptor`() async throws {
        await repository.save([.test("t", platform: .windows)])
        let interceptor = RecordingInterceptor()
        let result = try await manager([RecordingProvider(platforms: [.iOS])], interceptors: [interceptor])
            .broadcast(notification)
        #expect(result.results.map(\.status) == [.noProvider])
        #expect(result.failed == 1)
        #expect(interceptor.calls.isEmpty)
    }

    @Test func `the first provider that can deliver is taken`() async throws {
        await repository.save([.test("a"), .test("b", app: "driver"), .test("c", app: "other"), .test("d", app: "")])
        let standard = RecordingProvider("apns", appID: .some(nil))
        let driver = RecordingProvider("apns:driver", appID: "driver")
        let result = try await manager([standard, driver]).broadcast(notification)
        #expect(result.results.map(\.provider) == ["apns", "apns:driver", nil, "apns"])
    }

    @Test func `a device with a new token has one registration with the newer token`() async throws {
        let provider = RecordingProvider()
        let manager = try manager([provider])
        try await manager.register(.test("old", device: "d"))
        try await manager.register(.test("new", device: "d"))
        _ = await manager.broadcast(notification)
        #expect(provider.tokens == ["new"])
        #expect(try await manager.unregister(token: "new", platform: .iOS))
        #expect(try await !manager.unregister(token: "new", platform: .iOS))
    }

    @Test func `a device cannot be registered without a token`() async throws {
        let manager = try manager([])
        await #expect(throws: PushRegistrationError.emptyToken) { try await manager.register(.test("")) }
    }

    @Test func `results can be streamed instead of kept`() async throws {
        await repository.save((0..<5).map { .test("t\($0)") })
        let streamed = Mutex<[[String]]>([])
        let result = try await manager([RecordingProvider()], options: PushManagerOptions(pageSize: 2))
            .broadcast(notification) { page in streamed.withLock { $0.append(page.map(\.token)) } }
        #expect(streamed.withLock { $0 } == [["t0", "t1"], ["t2", "t3"], ["t4"]])
        #expect(result.results.isEmpty && result.sent == 5)
    }

    @Test func `a message that is sent again carries the id it had`() async throws {
        await repository.save([.test("a"), .test("b")])
        let provider = RecordingProvider()
        let manager = try PushManager(repository: repository, providers: [provider], makeBatchID: { "the-batch" })
        _ = await manager.broadcast(notification)
        _ = await manager.broadcast(notification)
        let ids = provider.calls.map { $0.map(\.messageID) }
        #expect(ids[0] == ids[1])
        #expect(Set(ids[0]).count == 2)
    }

    @Test(arguments: [
        PushManagerOptions(maxConcurrency: -1), PushManagerOptions(pageSize: 0),
        PushManagerOptions(implausible: .init(devices: 0)), PushManagerOptions(implausible: .init(share: 1.5)),
    ])
    func `settings that cannot work are refused`(_ options: PushManagerOptions) {
        #expect(throws: PushConfigurationError.self) { try manager([], options: options) }
    }

    @Test func `the refusal names the setting, its value and the rule`() {
        #expect {
            try manager([], options: PushManagerOptions(maxConcurrency: -3))
        } throws: {
            "\($0)" == "maxConcurrency is -3, but it must be 0 (the default) or more."
        }
    }

    @Test func `a repository that fails while reading keeps what was sent`() async throws {
        let repository = FailingRepository(after: 1)
        let result = try await PushManager(
            repository: repository, providers: [RecordingProvider()], options: PushManagerOptions(pageSize: 1)
        ).broadcast(notification)
        #expect(result.sent == 1)
        #expect(result.stoppedBecause == .repositoryFailed(reason: "the disk is gone"))
    }

    @Test func `a repository that cannot remove costs the removal and is not counted`() async throws {
        let log = LogRecorder()
        let provider = RecordingProvider { _ in PushOutcome(.tokenExpired) }
        let result = try await PushManager(
            repository: FailingRepository(after: 1), providers: [provider], logger: log.logger
        ).broadcast(notification)
        #expect(result.failed == 1 && result.tokensRemoved == 0 && result.stoppedBecause == nil)
        #expect(log.events.contains { $0.level == .error && $0.metadata["error"] == "the disk is gone" })
    }
}

private struct DiskGone: Error, CustomStringConvertible {
    let description = "the disk is gone"
}

/// Gives one device a page, and fails after some pages and on every write.
private struct FailingRepository: RegistrationRepository {
    let pages: Int

    init(after pages: Int) { self.pages = pages }

    func save(_ registrations: [Registration]) throws { throw DiskGone() }
    func remove(token: String, platform: Platform, appID: String?) throws -> Bool { throw DiskGone() }
    func subscribe(token: String, platform: Platform, appID: String?, to topic: String) throws -> Bool {
        throw DiskGone()
    }
    func unsubscribe(token: String, platform: Platform, appID: String?, from topic: String) throws -> Bool {
        throw DiskGone()
    }
    func page(of filter: PushFilter, after: RegistrationID, limit: Int) throws -> [Registration] {
        guard after.rawValue < pages else { throw DiskGone() }
        var registration = Registration.test("t\(after.rawValue)")
        registration.id = RegistrationID(rawValue: after.rawValue + 1)
        return [registration]
    }
    func count(of filter: PushFilter) throws -> Int { throw DiskGone() }
    func apply(_ changes: [TokenChange]) throws -> [Bool] { throw DiskGone() }
}
