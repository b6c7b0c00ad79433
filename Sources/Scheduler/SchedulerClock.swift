import FoundationEssentials
package import Push
package import Schedules

/// The time of day, and waiting for it. Tests pass one in which days take no time.
package struct SchedulerClock: Sendable {
    package let wall: WallClock
    /// Waits for so many seconds, or less when its task is cancelled.
    package let sleep: @Sendable (_ seconds: Double) async -> Void

    package init(wall: WallClock, sleep: @escaping @Sendable (_ seconds: Double) async -> Void) {
        self.wall = wall
        self.sleep = sleep
    }

    /// The machine's clocks.
    package static let system = SchedulerClock(wall: .system) { seconds in
        // Being cancelled is how the sleep is cut short.
        try? await Task.sleep(for: .seconds(seconds))
    }

    /// The current second.
    package var instant: Instant { Instant(secondsSinceEpoch: Int64(wall.now.timeIntervalSince1970.rounded(.down))) }

    /// The seconds until an instant; zero when it is past.
    func seconds(until instant: Instant) -> Double {
        max(0, Double(instant.secondsSinceEpoch) - wall.now.timeIntervalSince1970)
    }
}
