extension Schedule {
    /// Reads a declaration; throws everything that is wrong with it at once.
    ///
    /// `campaign` is the campaign's id. `defaultTimezone` holds where the declaration names none. `calendars` are those
    /// that `except` may name.
    package init(
        _ declaration: ScheduleDeclaration, campaign: String, defaultTimezone: String = "UTC",
        timeZones: TimeZoneDatabase = .system, calendars: [String: ExceptedDates] = [:]
    ) throws(ScheduleErrors) {
        var reader = ScheduleReader(declaration: declaration, campaign: campaign, calendars: calendars)
        let zone = reader.zone(in: timeZones, default: defaultTimezone)
        let policy = reader.policy()
        let rules = reader.rules(in: zone)
        let starts = reader.starts(in: zone)
        let endsBefore = reader.endsBefore(in: zone, starts: starts)
        let (excepted, exceptedBy) = reader.excepted()
        let only = reader.only()
        let jitter = reader.jitter()
        let fallbackZone = reader.fallbackZone(in: timeZones, default: defaultTimezone)
        reader.checkRecipient(rules, in: zone)
        reader.checkLimit(rules)
        guard reader.errors.isEmpty else { throw ScheduleErrors(errors: reader.errors) }
        self.init(
            campaign: campaign, zone: zone, rules: rules, starts: starts, endsBefore: endsBefore, excepted: excepted,
            exceptedBy: exceptedBy, only: only, limit: declaration.limit, fallbackZone: fallbackZone, jitter: jitter,
            policy: policy)
        if let limit { self = limited(to: limit) }
    }

    /// Ends it after so many occurrences, if it does not end before.
    private func limited(to limit: Int) -> Schedule {
        let found = occurrences(after: starts?.advanced(bySeconds: -1) ?? Self.dawn, limit: limit)
        guard found.count == limit, let last = found.last else { return self }
        return bounded(
            starts: starts, endsBefore: last.instant.advanced(bySeconds: 1), excepted: excepted, only: only)
    }
}

/// Reads the texts of a declaration one by one and collects what is wrong.
private struct ScheduleReader {
    let declaration: ScheduleDeclaration
    let campaign: String
    let calendars: [String: ExceptedDates]
    var errors: [ScheduleError] = []

    /// UTC stands in for a zone that cannot be used, so that the rest is read too.
    mutating func zone(in timeZones: TimeZoneDatabase, default defaultName: String) -> TimeZoneRules {
        let name = declaration.timezone ?? defaultName
        if name == TimeZoneRules.recipient.name { return .recipient }
        do {
            return try timeZones.rules(named: name)
        } catch {
            report(.timezone, text: name, problem: error.problem, remedy: error.remedy)
            return .utc
        }
    }

    mutating func policy() -> ClockChangePolicy {
        ClockChangePolicy(
            gap: choice(declaration.gap, .gap, among: GapPolicy.self) ?? .next,
            overlap: choice(declaration.overlapHour, .overlapHour, among: OverlapPolicy.self) ?? .first)
    }

    mutating func rules(in zone: TimeZoneRules) -> [ScheduleRule] {
        let dayRule = choice(declaration.cronDays, .cronDays, among: CronDayRule.self) ?? .either
        if declaration.rules.isEmpty {
            report(
                .schedule, text: "", problem: "the schedule never fires, because it has no rule",
                remedy: "write cron:, at:, every:, rrule: or calendar:")
        }
        let campaign = campaign
        return declaration.rules.enumerated().compactMap { index, rule in
            switch rule {
            case .cron(let text):
                read(.cron, rule: index) { () throws(TextError) in
                    .cron(try CronExpression(parsing: text, seed: campaign, dayRule: dayRule))
                }
            case .at(let texts): at(texts, rule: index)
            case .rrule(let text, let anchor): recurrence(text, anchor: anchor, rule: index, in: zone)
            case .calendar(let text):
                read(.calendar, rule: index) { () throws(TextError) in
                    .calendar(try CalendarExpression(parsing: text))
                }
            case .every(let interval, let anchor): every(interval, anchor: anchor, rule: index, in: zone)
            }
        }
    }

    private mutating func at(_ texts: [String], rule: Int) -> ScheduleRule? {
        if texts.isEmpty {
            report(.at, rule: rule, text: "", problem: "the list of times is empty", remedy: "write at least one time")
        }
        let times = texts.enumerated().compactMap { item, text in
            read(.at, rule: rule, item: item) { () throws(TextError) in try Self.time(text) }
        }
        return .at(AtRule(times: times))
    }

    private static func time(_ text: String) throws(TextError) -> AtRule.Time {
        let time: AtRule.Time
        let year: Int
        switch try DateTimeText(parsing: text) {
        case .date(let date):
            throw TextError(
                offset: text.utf8.count, length: 0, problem: "the time of day is missing",
                remedy: "write it after the date, as in \(date) 09:00")
        case .local(let local): (time, year) = (.local(local), local.date.year)
        case .instant(let instant): (time, year) = (.instant(instant), instant.local(offset: 0).date.year)
        }
        guard year < 2200 else {
            throw TextError(
                offset: 0, length: text.utf8.count, problem: "schedules end with the year 2199",
                remedy: "write an earlier time")
        }
        return time
    }

    private mutating func every(
        _ interval: String, anchor: String?, rule: Int, in zone: TimeZoneRules
    ) -> ScheduleRule? {
        let interval = read(.every, rule: rule) { () throws(TextError) in
            let span = try TimeSpan(parsing: interval)
            guard span.seconds > 0 else {
                throw TextError(
                    offset: 0, length: interval.utf8.count, problem: "an interval of no length never ends",
                    remedy: "write one second or more, as in 5m")
            }
            return span
        }
        let epoch = Instant(secondsSinceEpoch: 0)
        let anchor = anchor.map { text in
            read(.anchor, rule: rule) { () throws(TextError) in try Self.begin(text, zone) }
        }
        guard let interval, let anchor = anchor ?? .some(epoch) else { return nil }
        return EveryRule(interval: interval, anchor: anchor).map(ScheduleRule.every)
    }

    private mutating func recurrence(
        _ text: String, anchor: String?, rule: Int, in zone: TimeZoneRules
    ) -> ScheduleRule? {
        var start: LocalDateTime?
        if let anchor {
            guard
                let read = read(
                    .anchor, rule: rule, { () throws(TextError) in try DateTimeText(parsing: anchor).local(in: zone) })
            else { return nil }
            start = read
        } else if let starts = declaration.starts {
            // What is wrong with it is reported where it is read as a bound.
            guard let read = try? DateTimeText(parsing: starts).local(in: zone) else { return nil }
            start = read
        }
        return read(.rrule, rule: rule) { () throws(TextError) in
            .recurrence(try RecurrenceRule(parsing: text, start: start, zone: zone))
        }
    }

    mutating func starts(in zone: TimeZoneRules) -> Instant? {
        declaration.starts.flatMap { text in read(.starts) { () throws(TextError) in try Self.begin(text, zone) } }
    }

    mutating func endsBefore(in zone: TimeZoneRules, starts: Instant?) -> Instant? {
        guard let text = declaration.ends else { return nil }
        return read(.ends) { () throws(TextError) in
            let end = try Self.end(text, zone)
            if let starts, end <= starts {
                throw TextError(
                    offset: 0, length: text.utf8.count, problem: "the schedule ends before it starts",
                    remedy: "write an end after \(zone.rfc3339(starts))")
            }
            return end
        }
    }

    /// The first instant of a date; the first at which the clocks show a time, or the first after it.
    private static func begin(_ text: String, _ zone: TimeZoneRules) throws(TextError) -> Instant {
        switch try DateTimeText(parsing: text) {
        case .instant(let instant): return instant
        case .date(let date): return zone.startOfDay(date)
        case .local(let local):
            switch zone.resolve(local) {
            case .unique(let instant), .gap(let instant, _), .overlap(let instant, _): return instant
            }
        }
    }

    /// The first instant that lies after the end.
    private static func end(_ text: String, _ zone: TimeZoneRules) throws(TextError) -> Instant {
        switch try DateTimeText(parsing: text) {
        case .instant(let instant): return instant.advanced(bySeconds: 1)
        case .date(let date): return zone.startOfDay(date.advanced(byDays: 1))
        case .local(let local):
            switch zone.resolve(local) {
            case .unique(let instant), .gap(let instant, _), .overlap(_, let instant):
                return instant.advanced(bySeconds: 1)
            }
        }
    }

    mutating func excepted() -> (all: ExceptedDates, named: [NamedDates]) {
        var ranges: [ClosedRange<CivilDate>] = []
        var named: [NamedDates] = []
        for (item, exception) in declaration.except.enumerated() {
            switch exception {
            case .date(let text):
                let date = read(.except, item: item) { () throws(TextError) in try CivilDate(parsing: text) }
                if let date { ranges.append(date...date) }
            case .range(let from, let to):
                let first = read(.except, item: item, part: "from") { () throws(TextError) in
                    try CivilDate(parsing: from)
                }
                let last = read(.except, item: item, part: "to") { () throws(TextError) in
                    let last = try CivilDate(parsing: to)
                    if let first, last < first {
                        throw TextError(
                            offset: 0, length: to.utf8.count, problem: "the range ends before it begins",
                            remedy: "write \(first) or a later date")
                    }
                    return last
                }
                if let first, let last { ranges.append(first...last) }
            case .calendar(let name):
                guard let dates = calendars[name] else {
                    reportUnknownCalendar(name, item)
                    continue
                }
                ranges += dates.ranges
                named.append(NamedDates(name: name, dates: dates))
            }
        }
        return (ExceptedDates(ranges), named)
    }

    private mutating func reportUnknownCalendar(_ name: String, _ item: Int) {
        let known = calendars.keys.sorted()
        let remedy =
            nearestNames(to: name, in: known).first.map { "did you mean \($0)?" }
            ?? (known.isEmpty
                ? "write a date such as 2026-12-25, or add the calendar to the folder _calendars"
                : "there are " + known.joined(separator: ", "))
        let text = TextError(
            offset: 0, length: name.utf8.count, problem: "'\(name)' is no date and no calendar", remedy: remedy)
        errors.append(ScheduleError(field: .except, item: item, text: text))
    }

    mutating func only() -> OpenWindows? {
        guard !declaration.only.isEmpty else { return nil }
        let windows = declaration.only.enumerated().compactMap { item, window -> OpenWindows.Window? in
            do throws(OpenWindows.Window.Failure) {
                return try OpenWindows.Window(days: window.days, hours: window.hours)
            } catch {
                errors.append(ScheduleError(field: .only, item: item, part: error.part, text: error.text))
                return nil
            }
        }
        return OpenWindows(windows)
    }

    // MARK: What goes together

    mutating func fallbackZone(in timeZones: TimeZoneDatabase, default defaultName: String) -> TimeZoneRules? {
        guard declaration.timezone == TimeZoneRules.recipient.name else {
            if let name = declaration.fallbackTimezone {
                report(
                    .fallbackTimezone, text: name, problem: "fallback_timezone belongs to timezone: recipient",
                    remedy: "leave it out, or write timezone: recipient")
            }
            return nil
        }
        let name = declaration.fallbackTimezone ?? defaultName
        do {
            return try timeZones.rules(named: name)
        } catch {
            report(.fallbackTimezone, text: name, problem: error.problem, remedy: error.remedy)
            return nil
        }
    }

    /// What names instants, or follows real time, is the same for every device and cannot wait for its clock.
    mutating func checkRecipient(_ rules: [ScheduleRule], in zone: TimeZoneRules) {
        guard zone.isRecipient else { return }
        let remedy = "name times of day, as in cron: \"0 9 * * MON\", or one time zone for all devices"
        for (index, rule) in rules.enumerated() {
            if rule.localTimeRule?.followsTheHour ?? false || rule.isRealTime {
                report(
                    rule.field, rule: index, text: rule.text ?? "",
                    problem: "this follows the hours and not the day, so no device has a clock time of its own for it",
                    remedy: remedy)
            }
        }
        for (index, written) in declaration.rules.enumerated() {
            guard case .at(let texts) = written else { continue }
            for (item, text) in texts.enumerated() where (try? DateTimeText(parsing: text))?.isInstant ?? false {
                let error = TextError(
                    offset: 0, length: text.utf8.count,
                    problem: "a time with an offset is one instant for all devices", remedy: "leave the offset out")
                errors.append(ScheduleError(field: .at, rule: index, item: item, text: error))
            }
        }
        for (field, text) in [(ScheduleError.Field.starts, declaration.starts), (.ends, declaration.ends)] {
            guard let text, (try? DateTimeText(parsing: text))?.isInstant ?? false else { continue }
            report(
                field, text: text, problem: "a time with an offset is one instant for all devices",
                remedy: "leave the offset out")
        }
    }

    mutating func checkLimit(_ rules: [ScheduleRule]) {
        guard let limit = declaration.limit else { return }
        let text = "\(limit)"
        if !(1...10_000).contains(limit) {
            report(
                .limit, text: text, problem: "limit takes whole numbers from 1 to 10000",
                remedy: "write one of them, or leave limit out and write ends")
        } else if declaration.starts == nil, !rules.allSatisfy(\.hasStart) {
            report(
                .limit, text: text, problem: "limit counts from starts, which is not set",
                remedy: "write starts: with the first date, as in 2026-12-01")
        }
    }

    mutating func jitter() -> TimeSpan {
        guard let text = declaration.jitter else { return TimeSpan(seconds: 0) }
        return read(.jitter) { () throws(TextError) in try TimeSpan(parsing: text) } ?? TimeSpan(seconds: 0)
    }

    private mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String?, _ field: ScheduleError.Field, among: Choice.Type
    ) -> Choice? {
        guard let text else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let words = Choice.allCases.map(\.rawValue)
        report(
            field, text: text, problem: "'\(text)' is not a choice for \(field.rawValue)",
            remedy: "write " + words.joined(separator: " or "))
        return nil
    }

    private mutating func read<Value>(
        _ field: ScheduleError.Field, rule: Int? = nil, item: Int? = nil, part: String? = nil,
        _ parse: () throws(TextError) -> Value
    ) -> Value? {
        do {
            return try parse()
        } catch {
            errors.append(ScheduleError(field: field, rule: rule, item: item, part: part, text: error))
            return nil
        }
    }

    private mutating func report(
        _ field: ScheduleError.Field, rule: Int? = nil, text: String, problem: String, remedy: String
    ) {
        let error = TextError(offset: 0, length: text.utf8.count, problem: problem, remedy: remedy)
        errors.append(ScheduleError(field: field, rule: rule, text: error))
    }
}

extension DateTimeText {
    /// By the clocks of a zone; a date is its midnight.
    fileprivate func local(in zone: TimeZoneRules) -> LocalDateTime {
        switch self {
        case .date(let date): LocalDateTime(date: date)
        case .local(let local): local
        case .instant(let instant): zone.local(instant)
        }
    }

    fileprivate var isInstant: Bool { if case .instant = self { true } else { false } }
}

extension ScheduleRule {
    fileprivate var isRealTime: Bool { if case .every = self { true } else { false } }

    /// Whether it begins at some time of its own, so that its occurrences can be counted.
    fileprivate var hasStart: Bool {
        switch self {
        case .at: true
        case .recurrence(let rule): rule.parts.count != nil
        case .cron, .every, .calendar: false
        }
    }

    fileprivate var field: ScheduleError.Field {
        switch self {
        case .cron: .cron
        case .at: .at
        case .every: .every
        case .recurrence: .rrule
        case .calendar: .calendar
        }
    }

    /// As it was written, where that is kept.
    fileprivate var text: String? {
        switch self {
        case .cron(let rule): rule.text
        case .recurrence(let rule): rule.text
        case .calendar(let rule): rule.text
        case .at, .every: nil
        }
    }
}
