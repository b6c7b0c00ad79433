internal import Schedules
internal import YAML

extension CampaignDecoder {
    static let scheduleKeys = KeyTable(
        "schedule",
        [
            "cron", "at", "every", "rrule", "calendar", "anchor", "cron_days", "timezone", "fallback_timezone",
            "starts",
            "ends", "except", "only", "limit", "jitter", "gap", "overlap_hour", "catch_up", "overlap",
        ])
    static let windowKeys = KeyTable("a window of only", ["days", "hours"])
    private static let ruleKeys = ["cron", "at", "every", "rrule", "calendar"]
    private static let ruleNames = "cron, at, every, rrule and calendar"
    static let exceptKeys = KeyTable("a range of except", ["from", "to"])
    static let catchUpKeys = KeyTable("catch_up", ["within", "runs"])

    /// The word for each device's own zone.
    private static let recipientZone = "recipient"

    /// What the key `schedule` says.
    struct DecodedSchedule {
        var schedule: CampaignSchedule
        var catchUp: CatchUp
        var overlap: RunOverlap
    }

    mutating func schedule(_ entry: YAMLMapping.Entry, campaign: String) -> DecodedSchedule? {
        var nodes = [entry.value]
        if let items = entry.value.sequence {
            guard !items.isEmpty else {
                reader.report(.emptyList, "schedule is an empty list and would never fire", at: entry.value.range)
                return nil
            }
            nodes = items
        } else if entry.value.isNull {
            reader.report(
                .wrongType, "schedule has no value; write cron, at, every, rrule or calendar under it",
                at: entry.keyRange)
            return nil
        }
        var parts = [Schedule]()
        var shared = RunPolicies()
        for node in nodes {
            guard let entries = reader.entries(of: node, Self.scheduleKeys) else { continue }
            guard !entries.isEmpty else {
                reader.report(.missingKey, "schedule needs one of \(Self.ruleNames)", at: reader.token(node))
                continue
            }
            readPolicies(entries, into: &shared)
            if let part = part(entries, campaign: campaign) { parts.append(part) }
        }
        guard parts.count == nodes.count else { return nil }
        return DecodedSchedule(
            schedule: CampaignSchedule(parts: parts), catchUp: shared.catchUp?.value ?? CatchUp(),
            overlap: shared.overlap?.value ?? .skip)
    }

    // MARK: One part

    private mutating func part(_ entries: MappingEntries, campaign: String) -> Schedule? {
        let problemsBefore = reader.problemCount
        let rule = rule(entries)
        let declaration = ScheduleDeclaration(
            rules: rule.map { [$0] } ?? [], timezone: text(entries["timezone"], "a time zone such as Europe/Berlin"),
            starts: text(entries["starts"], "a date or a time"), ends: text(entries["ends"], "a date or a time"),
            except: entries["except"].map { exceptions($0) } ?? [],
            only: entries["only"].map { windows($0) } ?? [],
            limit: entries["limit"].flatMap { reader.integer($0, in: 1...10_000) },
            fallbackTimezone: text(entries["fallback_timezone"], "a time zone such as Europe/Berlin"),
            jitter: text(entries["jitter"], "a length of time such as 5m"),
            gap: entries["gap"].flatMap { reader.word($0, GapPolicy.self)?.rawValue },
            overlapHour: entries["overlap_hour"].flatMap { reader.word($0, OverlapPolicy.self)?.rawValue },
            cronDays: entries["cron_days"].flatMap { reader.word($0, CronDayRule.self)?.rawValue })
        if declaration.timezone == Self.recipientZone, let entry = entries["timezone"] {
            reader.report(
                .notAvailable, "timezone: recipient is not available in this version; name one zone for all devices",
                at: entry.value.range)
        }
        // Where a key has the wrong shape, what the rest would mean is not known.
        guard rule != nil, reader.problemCount == problemsBefore else { return nil }
        do {
            let schedule = try Schedule(
                declaration, campaign: campaign, defaultTimezone: settings.defaultTimezone,
                timeZones: settings.timeZones,
                // The files are looked for only where they are named.
                calendars: declaration.except.contains(where: \.isCalendar) ? dataFiles.calendars.dates : [:])
            check(schedule, entries)
            return schedule
        } catch {
            for error in error.errors { report(error, entries) }
            return nil
        }
    }

    private mutating func rule(_ entries: MappingEntries) -> ScheduleDeclaration.Rule? {
        let rules = entries.present(Self.ruleKeys)
        guard let first = rules.first else {
            reader.report(.missingKey, "schedule needs one of \(Self.ruleNames)", at: entries.range)
            return nil
        }
        if rules.count > 1 {
            reader.report(
                .conflictingKeys,
                "schedule takes one of \(Self.ruleNames); for several, make schedule a list", at: rules[1].keyRange,
                note: ("the first one is here", first.keyRange))
            return nil
        }
        for (key, owners) in [("anchor", ["every", "rrule"]), ("cron_days", ["cron"])] where !owners.contains(first.key)
        {
            guard let entry = entries[key] else { continue }
            let names = owners.joined(separator: " and ")
            let verb = owners.count == 1 ? "which is not set" : "of which none is set"
            reader.report(.conflictingKeys, "\(key) belongs to \(names), \(verb)", at: entry.keyRange)
        }
        switch first.key {
        case "cron":
            return reader.scalar(first, "a cron expression such as \"0 9 * * MON\"").map { .cron($0.text) }
        case "every":
            let anchor = text(entries["anchor"], "a time")
            return reader.scalar(first, "a length of time such as 15m").map { .every($0.text, anchor: anchor) }
        case "rrule":
            let anchor = text(entries["anchor"], "a time")
            return reader.scalar(first, "a rule such as FREQ=WEEKLY;BYDAY=MO").map { .rrule($0.text, anchor: anchor) }
        case "calendar":
            return reader.scalar(first, "a calendar event such as \"Mon *-*-* 09:00\"").map { .calendar($0.text) }
        default:
            guard first.value.sequence != nil else {
                return reader.scalar(first, "a time such as 2026-12-01 09:00").map { .at([$0.text]) }
            }
            return reader.names(first, of: "times", emptyMeans: "so it would never fire").map { .at($0) }
        }
    }

    private mutating func text(_ entry: YAMLMapping.Entry?, _ what: String) -> String? {
        entry.flatMap { reader.scalar($0, what)?.text }
    }

    private mutating func exceptions(_ entry: YAMLMapping.Entry) -> [ScheduleDeclaration.Exception] {
        guard let items = reader.list(entry, of: "dates", emptyMeans: "which excepts nothing; leave the key out")
        else { return [] }
        var exceptions = [ScheduleDeclaration.Exception]()
        for item in items {
            guard item.mapping != nil else {
                if let scalar = reader.scalar(item, key: "an item of except", keyRange: item.range, "a date") {
                    let isDate = scalar.text.utf8.first.map(UInt8.digits.contains) ?? true
                    exceptions.append(isDate ? .date(scalar.text) : .calendar(scalar.text))
                }
                continue
            }
            guard let range = reader.entries(of: item, Self.exceptKeys) else { continue }
            guard let from = range["from"], let to = range["to"] else {
                reader.report(.missingKey, "a range of except needs from and to", at: range.range)
                continue
            }
            if let first = reader.scalar(from, "a date"), let last = reader.scalar(to, "a date") {
                exceptions.append(.range(from: first.text, to: last.text))
            }
        }
        return exceptions
    }

    /// One window, or a list of them.
    private mutating func windows(_ entry: YAMLMapping.Entry) -> [ScheduleDeclaration.Window] {
        var items = [entry.value]
        if entry.value.mapping == nil {
            guard let list = reader.list(entry, of: "windows", emptyMeans: "so it would never fire") else { return [] }
            items = list
        }
        return items.compactMap { item in
            guard let entries = reader.entries(of: item, Self.windowKeys) else { return nil }
            guard !entries.isEmpty else {
                reader.report(.missingKey, "a window of only needs days, hours or both", at: reader.token(item))
                return nil
            }
            return ScheduleDeclaration.Window(
                days: text(entries["days"], "days of the week such as MON-FRI"),
                hours: text(entries["hours"], "hours such as 09:00-18:00"))
        }
    }

    // MARK: Problems that lie in the meaning

    private mutating func report(_ error: ScheduleError, _ entries: MappingEntries) {
        guard let entry = entries[error.field.rawValue] else {
            reader.report(code(of: error), "\(error.problem); \(error.remedy)", at: entries.range)
            return
        }
        var node = entry.value
        if let item = error.item, let items = node.sequence, items.indices.contains(item) { node = items[item] }
        if let part = error.part, let inner = node.mapping?[part] { node = inner }
        guard let scalar = node.scalar else {
            reader.report(code(of: error), "\(error.problem); \(error.remedy)", at: reader.token(node))
            return
        }
        reader.report(code(of: error), error.text, in: node, scalar)
    }

    private func code(of error: ScheduleError) -> DiagnosticCode {
        switch error.field {
        case .cron: .invalidCron
        case .rrule: .invalidRecurrence
        case .calendar: .invalidCalendar
        case .timezone, .fallbackTimezone: .unknownTimeZone
        case .limit: .outOfRange
        case .every, .jitter: .invalidDuration
        case .at, .anchor, .starts, .ends, .except, .only: .invalidTime
        case .schedule, .gap, .overlapHour, .cronDays: .unknownValue
        }
    }

    /// A schedule that is well formed may still never fire, or not as its author thinks.
    private mutating func check(_ schedule: Schedule, _ entries: MappingEntries) {
        guard let rule = entries.present(Self.ruleKeys).first else { return }
        let epoch = Instant(secondsSinceEpoch: 0)
        if schedule.next(after: schedule.starts?.advanced(bySeconds: -1) ?? epoch) == nil {
            reader.report(
                .neverFires, "the schedule never fires: nothing is left of it between starts, ends, only and except",
                at: rule.keyRange)
        }
        guard case .cron(let cron)? = schedule.rules.first else { return }
        let short = cron.monthsWithoutADay
        if !short.isEmpty {
            let names = short.map { Self.months[$0 - 1] }.joined(separator: ", ")
            reader.warn(
                .skippedMonths, "it does not fire in \(names), which have no such day; L means a month's last day",
                at: rule.value.range)
        }
        if entries["cron_days"] == nil, cron.restrictsBothDayFields {
            reader.warn(
                .eitherDay,
                "it fires on days that match either day field, as cron does; cron_days: both fires on days that match "
                    + "both, and cron_days: either says that this is meant", at: rule.value.range)
        }
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    // MARK: Policies of the runs

    /// `catch_up` and `overlap` belong to the campaign's runs, so the parts of a list must agree about them.
    private struct RunPolicies {
        var catchUp: (value: CatchUp, range: SourceRange)?
        var overlap: (value: RunOverlap, range: SourceRange)?
    }

    private mutating func readPolicies(_ entries: MappingEntries, into shared: inout RunPolicies) {
        if let entry = entries["catch_up"], let value = catchUp(entry) {
            if let known = shared.catchUp, known.value != value {
                reportDisagreement(entry, known.range)
            }
            shared.catchUp = shared.catchUp ?? (value, entry.keyRange)
        }
        if let entry = entries["overlap"], let value = reader.word(entry, RunOverlap.self) {
            if let known = shared.overlap, known.value != value { reportDisagreement(entry, known.range) }
            shared.overlap = shared.overlap ?? (value, entry.keyRange)
        }
    }

    private mutating func reportDisagreement(_ entry: YAMLMapping.Entry, _ first: SourceRange) {
        reader.report(
            .conflictingKeys, "\(entry.key) holds for all runs of the campaign, so it cannot differ within the list",
            at: entry.keyRange, note: ("it says something else here", first))
    }

    private mutating func catchUp(_ entry: YAMLMapping.Entry) -> CatchUp? {
        guard entry.value.mapping != nil else {
            return reader.word(entry, CatchUp.Runs.self).map { CatchUp(runs: $0) }
        }
        guard let entries = reader.entries(of: entry.value, Self.catchUpKeys) else { return nil }
        guard !entries.isEmpty else {
            reader.report(.missingKey, "catch_up needs within, runs or both", at: reader.token(entry.value))
            return nil
        }
        var catchUp = CatchUp()
        if let runs = entries["runs"] {
            guard let value = reader.word(runs, CatchUp.Runs.self) else { return nil }
            catchUp.runs = value
        }
        if let within = entries["within"] {
            guard let value = reader.timeSpan(within, from: 1, to: CatchUp.longestWithin) else { return nil }
            catchUp.within = value
        }
        return catchUp
    }
}

extension ScheduleDeclaration.Exception {
    fileprivate var isCalendar: Bool { if case .calendar = self { true } else { false } }
}
