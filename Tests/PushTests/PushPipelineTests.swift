import Push
import PushTestSupport
import Synchronization
import Testing

struct PushPipelineTests {
    let notification = PushNotification(title: "Hello")

    private func run(
        _ page: [Registration], _ pipeline: PushPipeline,
        notification: @escaping @Sendable (Registration) throws -> PushNotification = { _ in
            PushNotification(title: "Hello")
        }
    ) async -> DeliveredPage {
        await pipeline.deliver(await pipeline.prepare(page, batchID: "batch", notification: notification))
    }

    @Test func `an interceptor skips one device and rewrites the title for the other`() async throws {
        let provider = RecordingProvider()
        let interceptor = RecordingInterceptor { context in
            if context.registration.tags.contains("opted-out") { return .skip(reason: "opted out") }
            context.notification.title = "Hallo"
            return .proceed
        }
        let page = await run(
            [.test("a", tags: ["opted-out"]), .test("b")],
            try PushPipeline(providers: [provider], interceptors: [interceptor]))
        #expect(page.results.map(\.status) == [.skipped, .success])
        #expect(page.results[0].reason == "opted out")
        #expect(provider.messages.map(\.notification.title) == ["Hallo"])
    }

    @Test func `interceptors run in order, each sees what the one before made, and a skip ends the chain`() async throws
    {
        let calls = CallList()
        let first = RecordingInterceptor("first", calls: calls) { context in
            context.notification.title = "1"
            return .proceed
        }
        let second = RecordingInterceptor("second", calls: calls) { context in
            context.notification.title? += "2"
            return context.registration.token == "b" ? .skip(reason: "no") : .proceed
        }
        let third = RecordingInterceptor("third", calls: calls) { context in
            context.notification.title? += "3"
            return .proceed
        }
        let provider = RecordingProvider()
        _ = await run(
            [.test("a"), .test("b")], try PushPipeline(providers: [provider], interceptors: [first, second, third]))
        #expect(provider.messages.map(\.notification.title) == ["123"])
        #expect(
            calls.calls == [
                "first before a", "second before a", "third before a", "first before b", "second before b",
                "first sent a", "second sent a", "third sent a",
            ])
    }

    @Test func `an interceptor that throws fails its device alone and is logged without the token`() async throws {
        let log = LogRecorder()
        let calls = CallList()
        let first = RecordingInterceptor("first", calls: calls)
        let throwing = RecordingInterceptor("throwing", calls: calls) { context in
            guard context.registration.token != "token-of-the-bad-one" else { throw TestFailure("no luck") }
            return .proceed
        }
        let pipeline = try PushPipeline(
            providers: [RecordingProvider()], interceptors: [first, throwing], logger: log.logger)
        let page = await run([.test("a"), .test("token-of-the-bad-one"), .test("c")], pipeline)
        #expect(page.results.map(\.status) == [.success, .error, .success])
        #expect(page.results[1].reason == "the interceptor throwing failed: no luck")
        #expect(calls.calls.contains("first failed token-of-the-bad-one"))
        #expect(!calls.calls.contains("throwing failed token-of-the-bad-one"))
        let warning = try #require(log.events.first { $0.level == .warning })
        #expect(warning.metadata["token"] == "toke…-one")
        #expect(!log.events.contains { "\($0)".contains("token-of-the-bad-one") })
    }

    @Test func `a notification that cannot be made fails its device alone`() async throws {
        let provider = RecordingProvider()
        let page = await run([.test("a"), .test("b")], try PushPipeline(providers: [provider])) { registration in
            guard registration.token == "b" else { throw TestFailure("line 3: unknown filter") }
            return PushNotification()
        }
        #expect(page.results.map(\.status) == [.error, .success])
        #expect(page.results[0].reason == "the notification could not be made: line 3: unknown filter")
        #expect(page.results[0].provider == "test")
    }

    @Test func `a fault that hits every device of a page is logged a few times and counted`() async throws {
        let log = LogRecorder()
        let pipeline = try PushPipeline(providers: [RecordingProvider()], logger: log.logger)
        _ = await run((0..<100).map { .test("t\($0)") }, pipeline) { _ in throw TestFailure() }
        #expect(log.events.count == 6)
        #expect(log.events.last?.metadata["count"] == "95")
    }

    @Test func `a throwing hook harms neither the delivery nor other hooks`() async throws {
        let calls = CallList()
        let log = LogRecorder()
        let bad = RecordingInterceptor("bad", calls: calls, outcome: { _, _ in throw TestFailure() })
        let good = RecordingInterceptor("good", calls: calls)
        let page = await run(
            [.test("a")],
            try PushPipeline(providers: [RecordingProvider()], interceptors: [bad, good], logger: log.logger))
        #expect(page.results.map(\.status) == [.success])
        #expect(calls.calls.suffix(2) == ["bad sent a", "good sent a"])
        #expect(log.events.count == 1)
    }

    @Test func `the failure hook hears a failed status without any error being thrown`() async throws {
        let interceptor = RecordingInterceptor()
        let provider = RecordingProvider { _ in PushOutcome(.rateLimited, retryAfter: .seconds(3)) }
        _ = await run([.test("a")], try PushPipeline(providers: [provider], interceptors: [interceptor]))
        #expect(interceptor.calls == ["recording before a", "recording failed a"])
    }

    @Test func `what an interceptor leaves in its bag reaches its hook`() async throws {
        let heard = Mutex<[PushValue?]>([])
        let interceptor = RecordingInterceptor(
            before: { context in
                context.values["variant"] = .string("variant of \(context.registration.token)")
                return .proceed
            }, outcome: { context, _ in heard.withLock { $0.append(context.values["variant"]) } })
        _ = await run(
            [.test("a"), .test("b")], try PushPipeline(providers: [RecordingProvider()], interceptors: [interceptor]))
        #expect(heard.withLock { $0 } == ["variant of a", "variant of b"])
    }

    @Test func `devices that share a notification share it in the provider too`() async throws {
        let provider = RecordingProvider()
        let shared = PushNotification(title: "shared")
        let german = PushNotification(title: "geteilt")
        let interceptor = RecordingInterceptor { context in
            if context.registration.locale == "de" { context.notification = german }
            return .proceed
        }
        let page: [Registration] = [.test("a"), .test("b", locale: "de"), .test("c"), .test("d", locale: "de")]
        _ = await run(page, try PushPipeline(providers: [provider], interceptors: [interceptor])) { _ in shared }
        let sent = provider.messages.map(\.notification)
        #expect(sent[0].isIdentical(to: shared) && sent[2].isIdentical(to: shared))
        #expect(sent[1].isIdentical(to: german) && sent[3].isIdentical(to: german))
    }

    @Test func `each provider gets its whole slice at once and results keep the page's order`() async throws {
        let apple = RecordingProvider("apns", platforms: [.iOS]) { message in
            PushOutcome(.success, providerMessageID: "A-\(message.registration.token)")
        }
        let google = RecordingProvider("fcm", platforms: [.android]) { message in
            PushOutcome(.success, providerMessageID: "F-\(message.registration.token)")
        }
        let page = (0..<9).map { Registration.test("t\($0)", platform: $0 % 3 == 1 ? .android : .iOS) }
        let delivered = await run(page, try PushPipeline(providers: [apple, google]))
        #expect(apple.calls.map(\.count) == [6] && google.calls.map(\.count) == [3])
        #expect(delivered.results.map(\.token) == page.map(\.token))
        #expect(
            delivered.results.map(\.outcome.providerMessageID)
                == page.map { ($0.platform == .iOS ? "A-" : "F-") + $0.token })
    }

    @Test func `a provider that throws fails its own devices and no other provider's`() async throws {
        let broken = RecordingProvider("apns", platforms: [.iOS]) { _ in throw TestFailure("no connection") }
        let pipeline = try PushPipeline(providers: [broken, RecordingProvider("fcm")])
        let page = await run([.test("a"), .test("b", platform: .android)], pipeline)
        #expect(page.results.map(\.status) == [.error, .success])
        #expect(page.results[0].reason == "the provider failed: no connection")
    }

    @Test func `outcomes that cannot be matched to messages make them uncertain`() async throws {
        let page = await run([.test("a"), .test("b")], try PushPipeline(providers: [ForgetfulProvider()]))
        #expect(page.results.map(\.status) == [.uncertain, .uncertain])
        #expect(page.results[0].reason == "the provider returned 0 outcomes for 2 messages")
    }

    @Test func `an empty page is delivered as one`() async throws {
        #expect(await run([], try PushPipeline(providers: [RecordingProvider()])).results.isEmpty)
    }
}

private struct ForgetfulProvider: PushProvider {
    let identifier = "forgetful"
    func canDeliver(to registration: Registration) -> Bool { true }
    func send(_ messages: [PushMessage]) async throws -> [PushOutcome] { [] }
}
