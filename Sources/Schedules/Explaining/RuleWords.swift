extension ScheduleRule {
    /// What the rule says, in words and without a capital: `at 09:00 on Mondays`.
    func words(in zone: TimeZoneRules) -> String {
        switch self {
        case .cron(let rule): rule.words
        case .calendar(let rule): rule.words
        case .recurrence(let rule): rule.words
        case .every(let rule): rule.words(in: zone)
        case .at(let rule): rule.words(in: zone)
        }
    }
}

extension AtRule {
    fileprivate func words(in zone: TimeZoneRules) -> String {
        let texts = times.map { time in
            switch time {
            case .local(let local): "on \(local.inWords)"
            case .instant(let instant): "on \(zone.local(instant).inWords)"
            }
        }
        guard texts.count > 6 else { return "once " + WordLists.joined(texts.map { $0 }) }
        return "\(texts.count) times, first " + (texts.first ?? "")
    }
}

extension LocalDateTime {
    /// `2026-12-01 at 09:00`
    var inWords: String {
        "\(date) at \(padded(hour, to: 2)):\(padded(minute, to: 2))" + (second == 0 ? "" : ":\(padded(second, to: 2))")
    }
}

extension EveryRule {
    fileprivate func words(in zone: TimeZoneRules) -> String {
        "every \(interval) of real time, counted from "
            + (anchor.secondsSinceEpoch == 0 ? "1970-01-01 at 00:00 UTC" : zone.local(anchor).inWords)
    }
}

extension CronExpression {
    fileprivate var words: String {
        var words = TimesInWords(seconds: seconds, minutes: minutes, hours: hours).text
        let dayWords = days.words
        if !dayWords.isEmpty {
            words += " " + dayWords
        } else if !followsTheHour {
            words += " every day"
        }
        if months.nonzeroBitCount < 12 { words += " in " + WordLists.months(months) }
        return words
    }
}

extension CronDays {
    fileprivate var words: String {
        switch (dayOfMonth.isRestricted, dayOfWeek.isRestricted) {
        case (false, false): ""
        case (true, false): "on " + dayOfMonth.dayOfMonthWords
        case (false, true): "on " + dayOfWeek.dayOfWeekWords
        case (true, true):
            rule == .either
                ? "on \(dayOfMonth.dayOfMonthWords), and also on \(dayOfWeek.dayOfWeekWords)"
                : "on \(dayOfMonth.dayOfMonthWords), but only on \(dayOfWeek.dayOfWeekWords)"
        }
    }
}

extension CronField {
    fileprivate var dayOfMonthWords: String {
        var parts: [String] = []
        if values != 0 { parts.append("the " + WordLists.runs(values.bits, WordLists.ordinal)) }
        parts += nearWorkingDays.bits.map { "the working day nearest the \(WordLists.ordinal($0))" }
        parts += daysFromEnd.bits.map { $0 == 0 ? "the last day" : "the \(WordLists.position(-$0 - 1)) day" }
        if lastWorkingDay { parts.append("the last working day") }
        return WordLists.joined(parts) + " of the month"
    }

    fileprivate var dayOfWeekWords: String {
        var parts: [String] = []
        if values != 0 { parts.append(WordLists.weekdays(values)) }
        parts += numberedWeekdays.bits.map {
            "the \(WordLists.ordinal($0 / 7 + 1)) \(WordLists.weekdays[$0 % 7]) of the month"
        }
        parts += lastWeekdays.bits.map { "the last \(WordLists.weekdays[$0]) of the month" }
        return WordLists.joined(parts)
    }
}

extension CalendarExpression {
    fileprivate var words: String {
        var words = TimesInWords(seconds: seconds, minutes: minutes, hours: hours).text
        let isEveryDay = days.mask(ofMonthWith: 31).nonzeroBitCount == 31
        if !isEveryDay { words += " on the " + days.words + " of the month" }
        if weekdays != 0x7F {
            words += (isEveryDay ? " on " : ", but only on ") + WordLists.weekdays(weekdays)
        } else if isEveryDay, !followsTheHour {
            words += " every day"
        }
        if months.nonzeroBitCount < 12 { words += " in " + WordLists.months(months) }
        if years != [CalendarYears(first: 1970, last: 2199, step: 1)] {
            words += " of " + WordLists.joined(years.map(\.words))
        }
        return words
    }
}

extension CalendarYears {
    fileprivate var words: String {
        if first == last { return "\(first)" }
        let range = last == 2199 ? "the years from \(first) on" : "the years \(first) to \(last)"
        return step == 1 ? range : "every \(WordLists.ordinal(step)) of \(range)"
    }
}

extension CalendarDays {
    fileprivate var words: String {
        guard countsFromEnd else {
            return WordLists.runs(mask(ofMonthWith: 31).bits, WordLists.ordinal)
        }
        let days = mask(ofMonthWith: 31).bits.map { $0 - 32 }
        if days.count > 1, days.last == -1, days.first == -days.count { return "last \(days.count) days" }
        return WordLists.joined(days.map(WordLists.position)) + " day" + (days.count == 1 ? "" : "s")
    }
}

extension RecurrenceRule {
    fileprivate var words: String {
        var words = periodWords
        if parts.frequency.secondsWithinDay == nil {
            words = TimesInWords(seconds: parts.seconds, minutes: parts.minutes, hours: parts.hours).text + " " + words
        } else {
            words += withinDayWords
        }
        let days = dayWords
        if !days.isEmpty { words += " " + days }
        if !parts.positions.isEmpty {
            words += ", of these the " + WordLists.joined(parts.positions.map(WordLists.position)) + " of each \(unit)"
        }
        if parts.interval > 1 || parts.count != nil { words += ", counted from \(start.inWords)" }
        if let counted { words += ", \(counted.count) times" }
        switch parts.until {
        case .date(let date): words += ", until \(date)"
        case .local(let local): words += ", until \(local.inWords)"
        case .instant(let instant): words += ", until \(instant.local(offset: 0).inWords) UTC"
        case nil: break
        }
        return words
    }

    private var unit: String {
        switch parts.frequency {
        case .secondly: "second"
        case .minutely: "minute"
        case .hourly: "hour"
        case .daily: "day"
        case .weekly: "week"
        case .monthly: "month"
        case .yearly: "year"
        }
    }

    private var periodWords: String { parts.interval == 1 ? "every \(unit)" : "every \(parts.interval) \(unit)s" }

    private var withinDayWords: String {
        var words: [String] = []
        if parts.frequency != .secondly, parts.seconds != 0, parts.seconds != 1 {
            words.append("at second " + WordLists.runs(parts.seconds.bits) { "\($0)" })
        }
        if parts.frequency == .hourly { words.append("at minute " + WordLists.runs(parts.minutes.bits) { "\($0)" }) }
        if parts.frequency == .secondly, parts.seconds != 0 {
            words.append("in the seconds " + WordLists.runs(parts.seconds.bits) { "\($0)" })
        }
        if parts.frequency != .hourly, parts.minutes != 0 {
            words.append("in the minutes " + WordLists.runs(parts.minutes.bits) { "\($0)" })
        }
        if parts.hours != 0 { words.append("in the hours " + WordLists.runs(parts.hours.bits) { padded($0, to: 2) }) }
        return words.map { " " + $0 }.joined()
    }

    private var dayWords: String {
        var words: [String] = []
        if !parts.weekdays.isEmpty { words.append("on " + weekdayWords) }
        if !parts.monthDays.isEmpty {
            let days = parts.monthDays.filter { $0 > 0 } + parts.monthDays.filter { $0 < 0 }
            words.append("on the " + WordLists.joined(days.map(WordLists.position)) + " day of the month")
        }
        if !parts.yearDays.isEmpty {
            words.append("on the " + WordLists.joined(parts.yearDays.map(WordLists.position)) + " day of the year")
        }
        if !parts.weekNumbers.isEmpty {
            words.append("in the " + WordLists.joined(parts.weekNumbers.map(WordLists.position)) + " week of the year")
        }
        if parts.months != 0, parts.months.nonzeroBitCount < 12 { words.append("in " + WordLists.months(parts.months)) }
        return words.joined(separator: " ")
    }

    private var weekdayWords: String {
        let plain = parts.weekdays.filter { $0.ordinal == 0 }
        let mask = plain.reduce(into: 0 as UInt64) { $0 |= 1 << UInt64($1.weekday) }
        let scope = parts.frequency == .yearly && parts.months == 0 ? "year" : "month"
        let counted = parts.weekdays.filter { $0.ordinal != 0 }.map {
            "the \(WordLists.position($0.ordinal)) \(WordLists.weekdays[$0.weekday]) of the \(scope)"
        }
        return WordLists.joined((plain.isEmpty ? [] : [WordLists.weekdays(mask)]) + counted)
    }
}
