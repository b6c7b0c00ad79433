/// One of the rules that a schedule unites.
package enum ScheduleRule: Sendable, Hashable {
    case cron(CronExpression)
    case at(AtRule)
    case every(EveryRule)
    /// `rrule` of RFC 5545
    case recurrence(RecurrenceRule)
    /// `calendar` of systemd
    case calendar(CalendarExpression)
}

/// Single times, local or absolute.
package struct AtRule: Sendable, Hashable {
    package enum Time: Sendable, Hashable {
        case local(LocalDateTime)
        case instant(Instant)
    }

    package var times: [Time]

    package init(times: [Time]) { self.times = times }
}

/// A rhythm in real time.
package struct EveryRule: Sendable, Hashable {
    /// At least a second.
    package let interval: TimeSpan
    /// An instant that the rhythm meets; it beats before it too.
    package let anchor: Instant

    package init?(interval: TimeSpan, anchor: Instant = Instant(secondsSinceEpoch: 0)) {
        guard interval.seconds > 0 else { return nil }
        self.interval = interval
        self.anchor = anchor
    }
}
