import Glibc
import PushTestSupport
import Scheduler
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StopSignalsTests {
    @Test func `a signal stops, one at the same moment changes nothing, a later one exits as shells do`() async throws {
        let seen = Mutex<[String]>([])
        let (first, ignored, last) = (Signal(), Signal(), Signal())
        let start = ContinuousClock.now
        let times = Mutex([start, start + .milliseconds(249), start + .milliseconds(250)][...])
        let signals = try StopSignals(
            stop: {
                seen.withLock { $0.append("stop") }
                first.fire()
            },
            exit: { code in
                seen.withLock { $0.append("exit \(code)") }
                last.fire()
            },
            now: {
                let (time, left) = times.withLock { ($0.popFirst() ?? start, $0.count) }
                if left == 1 { ignored.fire() }
                return time
            })
        kill(getpid(), SIGTERM)
        await first.wait()
        kill(getpid(), SIGTERM)
        await ignored.wait()
        kill(getpid(), SIGINT)
        await last.wait()
        withExtendedLifetime(signals) {}
        #expect(seen.withLock { $0 } == ["stop", "exit 130"])
    }
}
