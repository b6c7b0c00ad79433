/// A recurrence rule of RFC 5545, section 3.3.10, together with the local time from which it counts (DTSTART).
package struct RecurrenceRule: Sendable, Hashable {
    /// The rule as it was written.
    package let text: String
    let parts: RecurrenceParts
    /// DTSTART, by the clocks of the schedule's zone.
    package let start: LocalDateTime
    /// Nothing later, in local seconds: UNTIL as a date or as a local time.
    let lastLocal: Int64
    /// UNTIL in UTC.
    let endsBefore: Instant?
    /// All local times of a rule with COUNT, which can only be counted from the start.
    var counted: [Int64]?
    /// The times of day of a rule of days, weeks, months or years, in seconds, sorted.
    let timesOfDay: [Int]

    /// More than this in COUNT is refused, since all are found when the rule is read.
    package static let largestCount = 100_000
}

/// The parts of a recurrence rule.
struct RecurrenceParts: Sendable, Hashable {
    enum Frequency: String, Sendable, Hashable, CaseIterable {
        case secondly = "SECONDLY"
        case minutely = "MINUTELY"
        case hourly = "HOURLY"
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"

        /// The length in seconds of the periods that are shorter than a day.
        var secondsWithinDay: Int64? {
            switch self {
            case .secondly: 1
            case .minutely: 60
            case .hourly: 3_600
            default: nil
            }
        }
    }

    /// `MO`, `-1FR`
    struct OrdinalWeekday: Sendable, Hashable {
        /// 0 for every such day.
        var ordinal: Int
        /// 0 is Sunday.
        var weekday: Int
    }

    enum Until: Sendable, Hashable {
        case date(CivilDate)
        case local(LocalDateTime)
        case instant(Instant)
    }

    var frequency = Frequency.daily
    var interval: Int64 = 1
    var count: Int?
    var until: Until?
    /// One bit a value, here and in `minutes`, `hours` and `months`; 0 where the rule has no such part.
    var seconds: UInt64 = 0
    var minutes: UInt64 = 0
    var hours: UInt64 = 0
    var months: UInt64 = 0
    var weekdays: [OrdinalWeekday] = []
    /// Negative values count from the end, here and in the next three.
    var monthDays: [Int] = []
    var yearDays: [Int] = []
    var weekNumbers: [Int] = []
    var positions: [Int] = []
    /// 0 is Sunday.
    var weekStart = 1

    /// Whether a part names days, so that the start need not.
    var namesDays: Bool {
        !(weekdays.isEmpty && monthDays.isEmpty && yearDays.isEmpty && weekNumbers.isEmpty)
    }

    /// What the rule leaves out, taken from its start (section 3.3.10: "Information, not contained in the rule").
    func completed(from start: LocalDateTime) -> RecurrenceParts {
        var parts = self
        let weekday = OrdinalWeekday(ordinal: 0, weekday: start.date.weekday)
        switch frequency {
        case .yearly where !namesDays:
            if months == 0 { parts.months = 1 << UInt64(start.date.month) }
            parts.monthDays = [start.date.day]
        case .yearly where !weekNumbers.isEmpty && weekdays.isEmpty && monthDays.isEmpty && yearDays.isEmpty:
            parts.weekdays = [weekday]
        case .monthly where !namesDays: parts.monthDays = [start.date.day]
        case .weekly where !namesDays: parts.weekdays = [weekday]
        default: break
        }
        let length = frequency.secondsWithinDay
        if hours == 0, length == nil { parts.hours = 1 << UInt64(start.hour) }
        if minutes == 0, length.map({ $0 > 60 }) ?? true { parts.minutes = 1 << UInt64(start.minute) }
        if seconds == 0, length.map({ $0 > 1 }) ?? true { parts.seconds = 1 << UInt64(start.second) }
        return parts
    }
}

extension RecurrenceRule: LocalTimeRule {
    /// A rule of hours, minutes or seconds follows real time, unless BYHOUR or its interval makes it one of times of day.
    package var followsTheHour: Bool {
        if parts.hours.nonzeroBitCount == 24 { return true }
        guard let length = parts.frequency.secondsWithinDay else { return false }
        let (interval, overflow) = length.multipliedReportingOverflow(by: parts.interval)
        return parts.hours == 0 && (overflow || interval % 86_400 != 0)
    }

    func nextLocal(from first: Int64, before end: Int64, isExcluded: (CivilDate) -> Bool) -> Int64? {
        if let counted { return Self.next(in: counted, from: first, before: end, isExcluded: isExcluded) }
        let low = max(first, start.secondsSinceEpoch)
        let high = min(end, lastLocal == .max ? .max : lastLocal + 1)
        guard low < high else { return nil }
        return if let length = parts.frequency.secondsWithinDay {
            nextWithinDays(length, from: low, before: high, isExcluded: isExcluded)
        } else {
            nextByDays(from: low, before: high, isExcluded: isExcluded)
        }
    }

    private static func next(
        in times: [Int64], from first: Int64, before end: Int64, isExcluded: (CivilDate) -> Bool
    ) -> Int64? {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < first { low = middle + 1 } else { high = middle }
        }
        return times[low...].prefix { $0 < end }
            .first { !isExcluded(LocalDateTime(secondsSinceEpoch: $0).date) }
    }
}
