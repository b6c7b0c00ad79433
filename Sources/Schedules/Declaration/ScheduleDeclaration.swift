/// A schedule as somebody wrote it: plain texts, not yet read. Campaign files and `next --jsonl` both come through here.
package struct ScheduleDeclaration: Sendable, Hashable {
    package enum Rule: Sendable, Hashable {
        case cron(String)
        /// One or several times.
        case at([String])
        case every(String, anchor: String? = nil)
    }

    package enum Exception: Sendable, Hashable {
        case date(String)
        /// Both dates included.
        case range(from: String, to: String)
    }

    /// At least one; a schedule is their union.
    package var rules: [Rule]
    /// An IANA name; the surroundings' zone if nothing is written.
    package var timezone: String?
    /// A date, a local date and time, or an instant.
    package var starts: String?
    /// The same; a date counts to its end, and a time is included.
    package var ends: String?
    package var except: [Exception]
    package var jitter: String?
    /// `next` or `skip`
    package var gap: String?
    /// `first`, `last` or `both`
    package var overlapHour: String?
    /// `either` or `both`
    package var cronDays: String?

    package init(
        rules: [Rule], timezone: String? = nil, starts: String? = nil, ends: String? = nil, except: [Exception] = [],
        jitter: String? = nil, gap: String? = nil, overlapHour: String? = nil, cronDays: String? = nil
    ) {
        self.rules = rules
        self.timezone = timezone
        self.starts = starts
        self.ends = ends
        self.except = except
        self.jitter = jitter
        self.gap = gap
        self.overlapHour = overlapHour
        self.cronDays = cronDays
    }
}
