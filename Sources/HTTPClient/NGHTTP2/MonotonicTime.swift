import Glibc

/// A time of the system's monotonic clock, in nanoseconds: what event loops compare a million times a second.
struct MonotonicTime: Sendable, Hashable, Comparable {
    var nanoseconds: Int64

    static let distantFuture = MonotonicTime(nanoseconds: .max)

    static var now: MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Ends at the distant future instead of overflowing.
    static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let (sum, overflows) = time.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return overflows ? .distantFuture : MonotonicTime(nanoseconds: sum)
    }

    static func - (left: MonotonicTime, right: MonotonicTime) -> Duration {
        .nanoseconds(left.nanoseconds &- right.nanoseconds)
    }

    /// Milliseconds from here until a later time, rounded up, as `poll` takes them.
    func milliseconds(until later: MonotonicTime) -> Int32 {
        if later <= self { return 0 }
        let (difference, overflows) = later.nanoseconds.subtractingReportingOverflow(nanoseconds)
        if overflows { return .max }
        return Int32(clamping: difference / 1_000_000 + 1)
    }
}

extension Duration {
    /// Not below zero, and at most what 64 bits hold.
    fileprivate var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, sumOverflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflows || sumOverflows ? (seconds < 0 ? 0 : .max) : max(0, sum)
    }
}
