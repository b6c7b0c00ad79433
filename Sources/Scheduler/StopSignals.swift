import Dispatch
import Glibc
import Synchronization

/// Turns SIGINT and SIGTERM into a clean stop, and a second one into an immediate exit.
///
/// The signals' own effect is off for as long as this lives.
package final class StopSignals {
    private let sources: [any DispatchSourceSignal]

    private static let numbers = [SIGINT, SIGTERM]

    /// - Parameters:
    ///   - stop: called at the first signal.
    ///   - exit: called at every further one, with the exit code that shells use for it: 128 and the signal's number.
    package init(
        stop: @escaping @Sendable () -> Void, exit: @escaping @Sendable (Int32) -> Void = { Glibc._exit($0) }
    ) {
        let queue = DispatchQueue(label: "carillon.signals")
        let hasStopped = HasStopped()
        sources = Self.numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if hasStopped.setNow() { stop() } else { exit(128 + number) }
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
        for number in Self.numbers { signal(number, SIG_DFL) }
    }
}

private final class HasStopped: Sendable {
    private let value = Atomic(false)

    /// Whether it was not set before.
    func setNow() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }
}
