/// A schedule as somebody wrote it: plain texts, not yet read. Campaign files and `next --jsonl` both come through here.
package struct ScheduleDeclaration: Sendable, Hashable {
    package enum Rule: Sendable, Hashable {
        case cron(String)
        /// One or several times.
        case at([String])
        case every(String, anchor: String? = nil)
        /// RFC 5545; counts from `anchor`, or from `starts` if there is none.
        case rrule(String, anchor: String? = nil)
        /// systemd's form
        case calendar(String)
    }

    package enum Exception: Sendable, Hashable {
        case date(String)
        /// Both dates included.
        case range(from: String, to: String)
        /// The name of a shared calendar.
        case calendar(String)
    }

    /// A window of `only`: days such as `MON-FRI`, hours such as `09:00-18:00`; what is missing means all.
    package struct Window: Sendable, Hashable {
        package var days: String?
        package var hours: String?

        package init(days: String? = nil, hours: String? = nil) {
            self.days = days
            self.hours = hours
        }
    }

    /// At least one; a schedule is their union.
    package var rules: [Rule]
    /// An IANA name, or `recipient` for each device's own; the surroundings' zone if nothing is written.
    package var timezone: String?
    /// A date, a local date and time, or an instant.
    package var starts: String?
    /// The same; a date counts to its end, and a time is included.
    package var ends: String?
    package var except: [Exception]
    package var only: [Window]
    /// How many occurrences, counted from `starts`.
    package var limit: Int?
    /// The zone of devices without one, where `timezone` is `recipient`.
    package var fallbackTimezone: String?
    package var jitter: String?
    /// `next` or `skip`
    package var gap: String?
    /// `first`, `last` or `both`
    package var overlapHour: String?
    /// `either` or `both`
    package var cronDays: String?

    package init(
        rules: [Rule], timezone: String? = nil, starts: String? = nil, ends: String? = nil, except: [Exception] = [],
        only: [Window] = [], limit: Int? = nil, fallbackTimezone: String? = nil, jitter: String? = nil,
        gap: String? = nil, overlapHour: String? = nil, cronDays: String? = nil
    ) {
        self.rules = rules
        self.timezone = timezone
        self.starts = starts
        self.ends = ends
        self.except = except
        self.only = only
        self.limit = limit
        self.fallbackTimezone = fallbackTimezone
        self.jitter = jitter
        self.gap = gap
        self.overlapHour = overlapHour
        self.cronDays = cronDays
    }
}
