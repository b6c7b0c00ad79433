import Dispatch
import Glibc
import Synchronization

/// Turns SIGINT and SIGTERM into a clean stop, and a second one into an immediate exit.
///
/// One request may arrive more than once: timeout(1) signals its child and then their whole process group. What comes
/// within a quarter of a second of the first signal therefore counts as the same.
///
/// The signals' own effect is off for as long as this lives. There is one at a time: a newer one takes the signals over.
package final class StopSignals {
    private let source: any DispatchSourceRead

    private static let numbers = [SIGINT, SIGTERM]
    private static let settling = Duration.milliseconds(250)

    /// - Parameters:
    ///   - stop: called at the first signal.
    ///   - exit: called at every further one, with the exit code that shells use for it: 128 and the signal's number.
    ///   - now: the time at which a signal is read.
    package init(
        stop: @escaping @Sendable () -> Void, exit: @escaping @Sendable (Int32) -> Void = { Glibc._exit($0) },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) throws(StopSignalsError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw StopSignalsError(code: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        source = DispatchSource.makeReadSource(
            fileDescriptor: readEnd, queue: DispatchQueue(label: "carillon.signals", qos: .userInteractive))
        let first = Mutex<ContinuousClock.Instant?>(nil)
        source.setEventHandler {
            var number: UInt8 = 0
            while unsafe read(readEnd, &number, 1) == 1 {
                let time = now()
                let earlier = first.withLock { first in
                    defer { first = first ?? time }
                    return first
                }
                if let earlier {
                    if time - earlier >= Self.settling { exit(128 + Int32(number)) }
                } else {
                    stop()
                }
            }
        }
        source.setCancelHandler {
            close(readEnd)
            close(writeEnd)
        }
        source.resume()
        signalPipe.store(writeEnd, ordering: .releasing)
        // All that is safe in a signal handler: one write, of the signal's number. A full pipe has news enough in it.
        for number in Self.numbers {
            signal(number) { number in
                let earlierError = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = unsafe write(signalPipe.load(ordering: .acquiring), &byte, 1)
                errno = earlierError
            }
        }
    }

    deinit {
        for number in Self.numbers { signal(number, SIG_DFL) }
        signalPipe.store(-1, ordering: .releasing)
        source.cancel()
    }
}

/// Signals cannot be watched.
package struct StopSignalsError: Error, Sendable, Hashable, CustomStringConvertible {
    package var code: Int32

    package var description: String {
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return "Signals cannot be watched, since no pipe could be opened: \(reason)."
    }
}

/// The end that the signal handler writes to; -1 while nobody watches.
private let signalPipe = Atomic<Int32>(-1)
