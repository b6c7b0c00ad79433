extension Schedule {
    /// A text that is the same for two schedules exactly when they mean the same, however they were written; it
    /// changes neither between runs nor between machines.
    ///
    /// The campaign's id counts only where something is hashed from it, and the time zone counts by its name: new
    /// rules for a zone are no edit.
    package var fingerprint: String {
        var parts = ["1", zone.name]
        parts += Set(rules.map(\.fingerprint)).sorted()
        parts.append("gap=\(policy.gap.rawValue)")
        parts.append("overlap=\(policy.overlap.rawValue)")
        if let starts { parts.append("starts=\(starts.secondsSinceEpoch)") }
        if let endsBefore { parts.append("before=\(endsBefore.secondsSinceEpoch)") }
        parts += excepted.ranges.map { "except=\($0.lowerBound)..\($0.upperBound)" }
        if let only { parts += only.ranges.map { "only=\($0.lowerBound)..\($0.upperBound)" } }
        if let fallbackZone { parts.append("fallback=\(fallbackZone.name)") }
        if jitter.seconds > 0 { parts.append("jitter=\(jitter.seconds):\(campaign)") }
        return parts.joined(separator: " ")
    }
}

extension ScheduleRule {
    fileprivate var fingerprint: String {
        switch self {
        case .cron(let cron): cron.fingerprint
        case .recurrence(let rule): rule.fingerprint
        case .calendar(let calendar): calendar.fingerprint
        case .every(let every):
            "every=\(every.interval.seconds)+\(every.phase)"
        case .at(let at):
            "at="
                + at.times.map { time in
                    switch time {
                    case .local(let local): "\(local)"
                    case .instant(let instant): "\(instant)"
                    }
                }.sorted().joined(separator: ",")
        }
    }
}

extension EveryRule {
    /// How far into each interval, counted from the epoch, the beat falls.
    fileprivate var phase: Int64 {
        let remainder = anchor.secondsSinceEpoch % interval.seconds
        return remainder < 0 ? remainder + interval.seconds : remainder
    }
}

extension RecurrenceRule {
    fileprivate var fingerprint: String {
        let masks = [parts.seconds, parts.minutes, parts.hours, parts.months].map { String($0, radix: 16) }
        let weekdays = parts.weekdays.map { "\($0.ordinal)*\($0.weekday)" }
        let lists = [parts.monthDays, parts.yearDays, parts.weekNumbers, parts.positions].map {
            $0.map(String.init).joined(separator: ",")
        }
        let bounds = [
            "\(parts.interval)", "\(start)", "\(parts.weekStart)", "\(parts.count ?? 0)", "\(lastLocal)",
            "\(endsBefore?.secondsSinceEpoch ?? 0)",
        ]
        return "rrule="
            + ([parts.frequency.rawValue] + bounds + masks + [weekdays.joined(separator: ",")] + lists)
            .joined(separator: ":")
    }
}

extension CalendarExpression {
    fileprivate var fingerprint: String {
        let masks = [seconds, minutes, hours, weekdays, months].map { String($0, radix: 16) }
        let years = years.map { "\($0.first)..\($0.last)/\($0.step)" }.joined(separator: ",")
        let days = days.items.map { "\($0.first)..\($0.last)/\($0.step)" }.joined(separator: ",")
        return "calendar="
            + (masks + [years, (self.days.countsFromEnd ? "~" : "") + days, followsTheHour ? "hourly" : "fixed"])
            .joined(separator: ":")
    }
}

extension CronExpression {
    fileprivate var fingerprint: String {
        let masks = [seconds, minutes, hours, months].map { String($0, radix: 16) }
        return "cron=" + (masks + [days.fingerprint, followsTheHour ? "hourly" : "fixed"]).joined(separator: ":")
    }
}

extension CronDays {
    fileprivate var fingerprint: String {
        let both = dayOfMonth.isRestricted && dayOfWeek.isRestricted
        return [dayOfMonth.fingerprint, dayOfWeek.fingerprint, both ? rule.rawValue : "any"].joined(separator: ":")
    }
}

extension CronField {
    fileprivate var fingerprint: String {
        guard isRestricted else { return "*" }
        let masks = [values, daysFromEnd, nearWorkingDays, lastWorkingDay ? 1 : 0, numberedWeekdays, lastWeekdays]
        return masks.map { String($0, radix: 16) }.joined(separator: ".")
    }
}
