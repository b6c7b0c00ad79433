extension Schedule {
    /// Reads a declaration; throws everything that is wrong with it at once.
    ///
    /// `campaign` is the campaign's id. `defaultTimezone` holds where the declaration names none.
    package init(
        _ declaration: ScheduleDeclaration, campaign: String, defaultTimezone: String = "UTC",
        timeZones: TimeZoneDatabase = .system
    ) throws(ScheduleErrors) {
        var reader = ScheduleReader(declaration: declaration, campaign: campaign)
        let zone = reader.zone(in: timeZones, default: defaultTimezone)
        let policy = reader.policy()
        let rules = reader.rules(in: zone)
        let starts = reader.starts(in: zone)
        let endsBefore = reader.endsBefore(in: zone, starts: starts)
        let excepted = reader.excepted()
        let jitter = reader.jitter()
        guard reader.errors.isEmpty else { throw ScheduleErrors(errors: reader.errors) }
        self.init(
            campaign: campaign, zone: zone, rules: rules, starts: starts, endsBefore: endsBefore, excepted: excepted,
            jitter: jitter, policy: policy)
    }
}

/// Reads the texts of a declaration one by one and collects what is wrong.
private struct ScheduleReader {
    let declaration: ScheduleDeclaration
    let campaign: String
    var errors: [ScheduleError] = []

    /// UTC stands in for a zone that cannot be used, so that the rest is read too.
    mutating func zone(in timeZones: TimeZoneDatabase, default defaultName: String) -> TimeZoneRules {
        let name = declaration.timezone ?? defaultName
        if name == "recipient" {
            report(
                .timezone, text: name, problem: "'recipient' is not available in this version",
                remedy: "name one time zone for all devices, such as Europe/Berlin")
            return .utc
        }
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
                remedy: "write cron:, at: or every:")
        }
        let campaign = campaign
        return declaration.rules.enumerated().compactMap { index, rule in
            switch rule {
            case .cron(let text):
                read(.cron, rule: index) { () throws(TextError) in
                    .cron(try CronExpression(parsing: text, seed: campaign, dayRule: dayRule))
                }
            case .at(let texts): at(texts, rule: index)
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

    mutating func excepted() -> ExceptedDates {
        var ranges: [ClosedRange<CivilDate>] = []
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
            }
        }
        return ExceptedDates(ranges)
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
