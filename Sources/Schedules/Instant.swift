/// A point in time, in whole seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
package struct Instant: Sendable, Hashable, Comparable {
    package var secondsSinceEpoch: Int64

    package init(secondsSinceEpoch: Int64) { self.secondsSinceEpoch = secondsSinceEpoch }

    package static func < (left: Instant, right: Instant) -> Bool { left.secondsSinceEpoch < right.secondsSinceEpoch }

    package func advanced(bySeconds seconds: Int64) -> Instant {
        let (sum, overflow) = secondsSinceEpoch.addingReportingOverflow(seconds)
        return Instant(secondsSinceEpoch: overflow ? (seconds < 0 ? .min : .max) : sum)
    }
}
