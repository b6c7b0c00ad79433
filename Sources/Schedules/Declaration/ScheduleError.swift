/// One thing that is wrong with a schedule, and where it was written.
package struct ScheduleError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The key of the file under which the wrong text stands.
    package enum Field: String, Sendable, Hashable, CaseIterable {
        /// The schedule as a whole.
        case schedule
        case cron, at, every, rrule, calendar, anchor, timezone, starts, ends, except, only, limit, jitter, gap
        case fallbackTimezone = "fallback_timezone"
        case overlapHour = "overlap_hour"
        case cronDays = "cron_days"
    }

    package var field: Field
    /// The index into `ScheduleDeclaration.rules`, for the fields of a rule.
    package var rule: Int?
    /// The index into the times of `at`, into `except` or into `only`.
    package var item: Int?
    /// `from` or `to` in a range of `except`, `days` or `hours` in a window of `only`.
    package var part: String?
    /// Where in the field's text, and what: offset and length in UTF-8 bytes.
    package var text: TextError

    package init(field: Field, rule: Int? = nil, item: Int? = nil, part: String? = nil, text: TextError) {
        self.field = field
        self.rule = rule
        self.item = item
        self.part = part
        self.text = text
    }

    package var problem: String { text.problem }
    package var remedy: String { text.remedy }

    package var description: String { "\(field.rawValue): \(problem); \(remedy)" }
}

/// Everything that is wrong with a schedule; never empty.
package struct ScheduleErrors: Error, Sendable, Hashable, CustomStringConvertible {
    package var errors: [ScheduleError]

    package init(errors: [ScheduleError]) { self.errors = errors }

    package var description: String { errors.map(\.description).joined(separator: "\n") }
}
