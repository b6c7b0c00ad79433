import FoundationEssentials
import Push
import Synchronization

/// A clock that a test moves.
final class ManualClock: Sendable {
    private let time: Mutex<Date>

    init(_ seconds: TimeInterval = 1_800_000_000) { time = Mutex(Date(timeIntervalSince1970: seconds)) }

    func advance(minutes: Double) { time.withLock { $0 = $0.addingTimeInterval(minutes * 60) } }

    var wallClock: WallClock { WallClock { self.time.withLock { $0 } } }
}
