import Push
import PushTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SinglePushProviderTests {
    private struct Single: SinglePushProvider {
        let identifier = "single"
        var maxConcurrency = 3
        let gauge = Gauge()

        func canDeliver(to registration: Registration) -> Bool { true }

        func send(_ message: PushMessage) async throws -> PushOutcome {
            gauge.enter(1)
            for _ in 0..<3 { await Task.yield() }
            gauge.leave(1)
            if message.registration.token == "t4" { throw TestFailure("refused") }
            return PushOutcome(.success, providerMessageID: message.registration.token)
        }
    }

    private func messages(_ count: Int) -> [PushMessage] {
        (0..<count).map {
            PushMessage(notification: PushNotification(), registration: .test("t\($0)"), messageID: "m\($0)")
        }
    }

    @Test(arguments: [-1, 0, 1, 3, 100])
    func `messages go one by one, so many at a time, and outcomes keep the order`(_ concurrency: Int) async throws {
        let provider = Single(maxConcurrency: concurrency)
        let outcomes = try await provider.send(messages(20))
        #expect(provider.gauge.highest <= max(1, concurrency))
        #expect(outcomes.map(\.providerMessageID) == (0..<20).map { $0 == 4 ? nil : "t\($0)" })
        #expect(outcomes[4] == PushOutcome(.error, reason: "single failed: refused"))
    }

    @Test func `no messages are no outcomes`() async throws {
        #expect(try await Single().send([]).isEmpty)
    }
}
