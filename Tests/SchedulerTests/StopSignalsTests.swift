import Glibc
import PushTestSupport
import Scheduler
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StopSignalsTests {
    @Test func `the first signal stops, the second one exits with the code that shells use`() async throws {
        let seen = Mutex<[String]>([])
        let (first, second) = (Signal(), Signal())
        let signals = try StopSignals(
            stop: {
                seen.withLock { $0.append("stop") }
                first.fire()
            },
            exit: { code in
                seen.withLock { $0.append("exit \(code)") }
                second.fire()
            })
        kill(getpid(), SIGTERM)
        await first.wait()
        kill(getpid(), SIGINT)
        await second.wait()
        withExtendedLifetime(signals) {}
        #expect(seen.withLock { $0 } == ["stop", "exit 130"])
    }
}
