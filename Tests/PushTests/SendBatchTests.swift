import Push
import PushTestSupport
import Synchronization
import Testing

/// How pages follow each other. The time limit turns a deadlock into a failure; it decides nothing else.
@Suite(.timeLimit(.minutes(1)))
struct SendBatchTests {
    private func send(
        _ devices: Int, pages size: Int, pagesInFlight: Int = 2, through pipeline: PushPipeline,
        commit: (ReviewedPage) async throws -> Void = { _ in },
        shouldStop: @escaping @Sendable () -> Bool = { false }
    ) async -> BatchEnd {
        var audience = ListAudience(
            (0..<devices).map { number in
                var registration = Registration.test("t\(number)")
                registration.id = RegistrationID(rawValue: Int64(number) + 1)
                return registration
            }, pageSize: size)
        return await pipeline.sendBatch(
            batchID: "batch", to: &audience, pagesInFlight: pagesInFlight, notification: { _ in PushNotification() },
            shouldStop: shouldStop, commit: commit)
    }

    @Test func `the next page is sent while the one before is unanswered, and pages are committed in order`()
        async throws
    {
        // The first page is answered only after the second one has arrived.
        let second = Signal()
        let provider = RecordingProvider { message in
            if message.registration.token == "t0" { await second.wait() }
            if message.registration.token == "t2" { second.fire() }
            return PushOutcome(.success)
        }
        var committed: [RegistrationID] = []
        let end = await send(6, pages: 2, through: try PushPipeline(providers: [provider])) {
            committed.append($0.page.cursor)
        }
        #expect(committed.map(\.rawValue) == [2, 4, 6])
        #expect(end.stoppedBecause == nil)
    }

    @Test(arguments: [
        (1, 4, 1), (2, 4, 1), (3, 4, 1), (4, 4, 1), (7, 4, 1), (8, 4, 4), (8, 40, 2), (100, 4, 4), (3, 1, 1),
        (16, 40, 4),
    ])
    func `no more messages are in flight than allowed`(_ limit: Int, _ pageSize: Int, _ part: Int) async throws {
        let gauge = Gauge()
        let pipeline = try PushPipeline(providers: [GaugedProvider(gauge: gauge)], maxConcurrency: limit)
        var sent = 0
        _ = await send(40, pages: pageSize, pagesInFlight: 3, through: pipeline) { sent += $0.counts.sent }
        #expect(sent == 40)
        #expect(gauge.highest <= limit)
        #expect(gauge.largestCall == part)
    }

    @Test func `concurrent sends share one bound`() async throws {
        let gauge = Gauge()
        let pipeline = try PushPipeline(providers: [GaugedProvider(gauge: gauge)], maxConcurrency: 5)
        await withTaskGroup { group in
            for _ in 0..<6 { group.addTask { _ = await send(20, pages: 4, through: pipeline) } }
        }
        #expect(gauge.total == 120)
        #expect(gauge.highest <= 5)
    }

    @Test func `cancelling keeps what was sent and reads no further page`() async throws {
        let reached = Signal()
        let provider = RecordingProvider { message in
            guard message.registration.token == "t2" else { return PushOutcome(.success) }
            reached.fire()
            // Ends when the task is cancelled, as a transport does.
            await Signal().wait()
            throw CancellationError()
        }
        let pipeline = try PushPipeline(providers: [provider])
        let task = Task {
            var counts = PushCounts()
            let end = await send(100, pages: 2, pagesInFlight: 1, through: pipeline) { counts += $0.counts }
            return (end, counts)
        }
        await reached.wait()
        task.cancel()
        let (end, counts) = await task.value
        #expect(end.stoppedBecause == .cancelled)
        #expect(counts.sent == 2 && counts.uncertain == 2 && counts.total == 4)
    }

    @Test func `a batch that is cancelled before it begins sends nothing`() async throws {
        let provider = RecordingProvider()
        let pipeline = try PushPipeline(providers: [provider])
        let gate = Signal()
        let task = Task {
            await gate.waitWhateverHappens()
            return await send(10, pages: 2, through: pipeline)
        }
        task.cancel()
        gate.fire()
        #expect(await task.value.stoppedBecause == .cancelled)
        #expect(provider.calls.isEmpty)
    }

    @Test func `messages that were not handed over when the task was cancelled are failed, not uncertain`() async throws
    {
        let reached = Signal()
        let provider = RecordingProvider { _ in
            reached.fire()
            await Signal().wait()
            throw CancellationError()
        }
        // One message at a time: the second waits for the first.
        let pipeline = try PushPipeline(providers: [provider], maxConcurrency: 1)
        let task = Task {
            await pipeline.deliver(
                await pipeline.prepare([.test("a"), .test("b")], batchID: "batch") { _ in PushNotification() })
        }
        await reached.wait()
        task.cancel()
        #expect(await Set(task.value.results.map(\.status)) == [.uncertain, .error])
    }

    @Test func `a stop is heeded between pages and what is in flight is committed`() async throws {
        let stop = Mutex(false)
        let provider = RecordingProvider { _ in
            stop.withLock { $0 = true }
            return PushOutcome(.success)
        }
        var sent = 0
        let end = await send(
            100, pages: 10, through: try PushPipeline(providers: [provider]), commit: { sent += $0.counts.sent },
            shouldStop: { stop.withLock { $0 } })
        #expect(end.stoppedBecause == .stopped)
        #expect(sent == provider.messages.count && sent >= 10 && sent < 100)
    }

    @Test func `a commit that fails ends the batch and nothing later is committed`() async throws {
        var committed = 0
        let end = await send(100, pages: 10, through: try PushPipeline(providers: [RecordingProvider()])) { _ in
            if committed == 2 { throw TestFailure("disk full") }
            committed += 1
        }
        #expect(end.stoppedBecause == .repositoryFailed(reason: "disk full"))
        #expect(committed == 2)
    }

    @Test func `a configuration error stops the batch when no other provider is left`() async throws {
        let provider = RecordingProvider("apns") { _ in PushOutcome(.configurationError, reason: "InvalidProviderToken")
        }
        let end = await send(1_000, pages: 10, pagesInFlight: 1, through: try PushPipeline(providers: [provider]))
        #expect(end.stoppedBecause == .configurationError(provider: "apns", reason: "InvalidProviderToken"))
        #expect(provider.calls.count == 1)
    }
}

/// Registrations from a list.
struct ListAudience: PushAudience {
    private var pages: ArraySlice<ArraySlice<Registration>>

    init(_ registrations: [Registration], pageSize: Int) {
        pages =
            stride(from: 0, to: registrations.count, by: pageSize)
            .map { registrations[$0..<min($0 + pageSize, registrations.count)] }[...]
    }

    mutating func nextPage() -> [Registration] { pages.popFirst().map(Array.init) ?? [] }
}

/// How many messages are with a provider at a time.
final class Gauge: Sendable {
    private let state = Mutex<(now: Int, highest: Int, total: Int, largestCall: Int)>((0, 0, 0, 0))

    var highest: Int { state.withLock { $0.highest } }
    var total: Int { state.withLock { $0.total } }
    var largestCall: Int { state.withLock { $0.largestCall } }

    func enter(_ count: Int) {
        state.withLock { state in
            state.now += count
            state.total += count
            state.highest = max(state.highest, state.now)
            state.largestCall = max(state.largestCall, count)
        }
    }

    func leave(_ count: Int) { state.withLock { $0.now -= count } }
}

private struct GaugedProvider: PushProvider {
    let identifier = "gauged"
    let gauge: Gauge

    func canDeliver(to registration: Registration) -> Bool { true }

    func send(_ messages: [PushMessage]) async throws -> [PushOutcome] {
        gauge.enter(messages.count)
        for _ in 0..<5 { await Task.yield() }
        gauge.leave(messages.count)
        return messages.map { _ in PushOutcome(.success) }
    }
}
