extension RecurrenceRule {
    /// `start` is DTSTART, where the surroundings give one; a line DTSTART in the text goes before it. Without either,
    /// the rule must name all that it would take from there.
    package init(parsing text: String, start: LocalDateTime?, zone: TimeZoneRules) throws(TextError) {
        let read = try RecurrenceText(parsing: text)
        let written = try read.start(in: zone) ?? start
        let first = if let written { written } else { try read.startWithoutOne() }
        try self.init(read, text: text, start: first, zone: zone)
    }

    private init(
        _ read: RecurrenceText, text: String, start: LocalDateTime, zone: TimeZoneRules
    ) throws(TextError) {
        self.text = text
        self.start = start
        parts = read.parts.completed(from: start)
        var lastLocal = Int64.max
        var endsBefore: Instant?
        switch parts.until {
        case .date(let date): lastLocal = date.daysSinceEpoch * 86_400 + 86_399
        case .local(let local): lastLocal = local.secondsSinceEpoch
        case .instant(let instant):
            endsBefore = instant.advanced(bySeconds: 1)
            // No zone is further than this from UTC.
            lastLocal = instant.advanced(bySeconds: 26 * 3_600).secondsSinceEpoch
        case nil: break
        }
        self.lastLocal = lastLocal
        self.endsBefore = endsBefore
        timesOfDay = parts.frequency.secondsWithinDay == nil ? Self.timesOfDay(of: parts) : []
        let end = Schedule.horizon.secondsSinceEpoch
        guard meetsItsTimesOfDay,
            nextLocal(from: start.secondsSinceEpoch, before: end, isExcluded: { _ in false }) != nil
        else {
            throw TextError(
                offset: 0, length: text.utf8.count,
                problem: "this never fires: nothing from \(start) on matches all parts of the rule",
                remedy: "leave a part out, or move the start")
        }
        if let count = parts.count { counted = times(count, before: end) }
    }

    private func times(_ count: Int, before end: Int64) -> [Int64] {
        var times: [Int64] = []
        var from = start.secondsSinceEpoch
        while times.count < count, let next = nextLocal(from: from, before: end, isExcluded: { _ in false }) {
            times.append(next)
            from = next + 1
        }
        return times
    }

    private static func timesOfDay(of parts: RecurrenceParts) -> [Int] {
        parts.hours.bits.flatMap { hour in
            parts.minutes.bits.flatMap { minute in
                parts.seconds.bits.map { hour * 3_600 + minute * 60 + $0 }
            }
        }
    }
}

extension RecurrenceText {
    /// The line DTSTART as a local time of the schedule's zone.
    fileprivate func start(in zone: TimeZoneRules) throws(TextError) -> LocalDateTime? {
        if let startZone, startZone.name != zone.name {
            throw error(
                startZone.range, "DTSTART is in another time zone than the schedule, which is in \(zone.name)",
                "write timezone: \(startZone.name) beside the rule")
        }
        return switch start {
        case .date(let date): LocalDateTime(date: date)
        case .local(let local): local
        case .instant(let instant): zone.local(instant)
        case nil: nil
        }
    }

    /// Midnight of 1970-01-01, if nothing hangs on it.
    fileprivate func startWithoutOne() throws(TextError) -> LocalDateTime {
        let missing: String? =
            if parts.count != nil {
                "COUNT counts from the start of the schedule"
            } else if parts.interval > 1 {
                "INTERVAL counts from the start of the schedule"
            } else if parts.frequency.secondsWithinDay == nil, parts.hours == 0 {
                "the rule names no hour"
            } else if parts.frequency == .weekly, parts.weekdays.isEmpty {
                "the rule names no day of the week"
            } else if parts.frequency == .monthly, !parts.namesDays {
                "the rule names no day of the month"
            } else if parts.frequency == .yearly,
                !parts.namesDays || !parts.weekNumbers.isEmpty && parts.weekdays.isEmpty
            {
                "the rule names no day of the year"
            } else {
                nil
            }
        if let missing {
            throw error(
                place(of: "FREQ"), "\(missing), and there is no starts",
                "write starts: with the first date and time, as in 2026-12-01 09:00")
        }
        return LocalDateTime(date: CivilDate(daysSinceEpoch: 0))
    }
}
