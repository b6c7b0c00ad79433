/// A point in time, in whole seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
package struct Instant: Sendable, Hashable, Comparable {
    package var secondsSinceEpoch: Int64

    package init(secondsSinceEpoch: Int64) { self.secondsSinceEpoch = secondsSinceEpoch }

    package static func < (left: Instant, right: Instant) -> Bool { left.secondsSinceEpoch < right.secondsSinceEpoch }

    /// Stops at the ends of the range instead of overflowing.
    package func advanced(bySeconds seconds: Int64) -> Instant {
        let (sum, overflow) = secondsSinceEpoch.addingReportingOverflow(seconds)
        return Instant(secondsSinceEpoch: overflow ? (seconds < 0 ? .min : .max) : sum)
    }

    /// What a clock shows that is `offset` seconds ahead of UTC.
    package func local(offset: Int) -> LocalDateTime {
        LocalDateTime(secondsSinceEpoch: advanced(bySeconds: Int64(offset)).secondsSinceEpoch)
    }
}
