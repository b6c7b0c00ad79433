/// The days of one period of a recurrence rule.
struct RecurrencePeriod {
    /// Days since 1970-01-01.
    var firstDay: Int64
    var days: [Int64]
}

extension RecurrenceParts {
    /// The number of the period that holds a date, counted from the one that holds `start`, in steps of `interval`,
    /// rounded down; never below 0.
    func periodIndex(of date: CivilDate, from start: CivilDate) -> Int64 {
        let distance =
            switch frequency {
            case .yearly: Int64(date.year - start.year)
            case .monthly: Self.monthNumber(date) - Self.monthNumber(start)
            case .weekly: (date.daysSinceEpoch - weekBegin(start.daysSinceEpoch)) / 7
            default: date.daysSinceEpoch - start.daysSinceEpoch
            }
        return max(0, distance / interval)
    }

    /// Nothing once the years that can be written are over.
    func period(_ index: Int64, from start: CivilDate) -> RecurrencePeriod? {
        let (distance, overflow) = index.multipliedReportingOverflow(by: interval)
        guard !overflow, distance < 4_000_000 else { return nil }
        switch frequency {
        case .yearly:
            let year = start.year + Int(distance)
            guard CivilDate.years.contains(year) else { return nil }
            return RecurrencePeriod(
                firstDay: CivilDate.daysSinceEpoch(year: year, month: 1, day: 1),
                days: (1...12).flatMap { matchingDays(ofMonth: $0, year: year) })
        case .monthly:
            let number = Int(Self.monthNumber(start) + distance)
            let (year, month) = (number / 12, number % 12 + 1)
            guard CivilDate.years.contains(year) else { return nil }
            return RecurrencePeriod(
                firstDay: CivilDate.daysSinceEpoch(year: year, month: month, day: 1),
                days: matchingDays(ofMonth: month, year: year))
        default:
            let isWeek = frequency == .weekly
            let first =
                isWeek ? weekBegin(start.daysSinceEpoch) + distance * 7 : start.daysSinceEpoch + distance
            let days = (first..<first + (isWeek ? 7 : 1)).filter { matches(CivilDate(daysSinceEpoch: $0)) }
            return RecurrencePeriod(firstDay: first, days: days)
        }
    }

    private static func monthNumber(_ date: CivilDate) -> Int64 { Int64(date.year * 12 + date.month - 1) }

    /// The first day of the week that holds a day.
    private func weekBegin(_ day: Int64) -> Int64 {
        day - Int64((CivilDate.weekday(daysSinceEpoch: day) - weekStart + 7) % 7)
    }

    private func matchingDays(ofMonth month: Int, year: Int) -> [Int64] {
        guard months == 0 || months.hasBit(month) else { return [] }
        let first = CivilDate.daysSinceEpoch(year: year, month: month, day: 1)
        return (1...CivilDate.daysIn(month: month, year: year))
            .filter { matches(CivilDate(uncheckedYear: year, month: month, day: $0)) }
            .map { first + Int64($0) - 1 }
    }

    /// Whether a date passes every part that names days.
    func matches(_ date: CivilDate) -> Bool {
        guard months == 0 || months.hasBit(date.month) else { return false }
        let monthLength = CivilDate.daysIn(month: date.month, year: date.year)
        if !monthDays.isEmpty, !monthDays.holds(date.day, of: monthLength) { return false }
        if !yearDays.isEmpty, !yearDays.holds(date.dayOfYear, of: date.yearLength) { return false }
        if !weekNumbers.isEmpty {
            let week = week(of: date)
            guard weekNumbers.holds(week.number, of: week.count) else { return false }
        }
        guard !weekdays.isEmpty else { return true }
        // RFC 5545: an ordinal counts within the month, or within the year where the rule names no month.
        let isYearly = frequency == .yearly && months == 0
        let (day, length) = isYearly ? (date.dayOfYear, date.yearLength) : (date.day, monthLength)
        let weekday = date.weekday
        return weekdays.contains { wanted in
            guard wanted.weekday == weekday else { return false }
            return switch wanted.ordinal {
            case 0: true
            case 1...: wanted.ordinal == (day - 1) / 7 + 1
            default: -wanted.ordinal == (length - day) / 7 + 1
            }
        }
    }

    /// The number of the week that holds a date, and how many weeks that week's year has: week 1 is the first with four
    /// days or more in the year (ISO 8601, with any first day of the week).
    private func week(of date: CivilDate) -> (number: Int, count: Int) {
        let begin = weekBegin(date.daysSinceEpoch)
        let year = CivilDate(daysSinceEpoch: begin + 3).year
        let first = firstWeek(of: year)
        return (Int((begin - first) / 7) + 1, Int((firstWeek(of: year + 1) - first) / 7))
    }

    private func firstWeek(of year: Int) -> Int64 {
        weekBegin(CivilDate.daysSinceEpoch(year: year, month: 1, day: 4))
    }
}

extension [Int] {
    /// Whether a list holds a number that is one of `count`, counted from the front or, negative, from the end.
    fileprivate func holds(_ number: Int, of count: Int) -> Bool {
        contains { $0 == number || $0 < 0 && $0 == number - count - 1 }
    }
}

extension CivilDate {
    /// From 1 on.
    var dayOfYear: Int { Int(daysSinceEpoch - Self.daysSinceEpoch(year: year, month: 1, day: 1)) + 1 }
    var yearLength: Int { Self.isLeap(year) ? 366 : 365 }
}
