/// A rule that names times by a clock on the wall. What becomes of them where the clocks change is not its concern.
protocol LocalTimeRule {
    /// Whether it names a rhythm of hours and not times of day: such a rule follows real time where the clocks change.
    var followsTheHour: Bool { get }

    /// The first match from `start` on and before `end`, both in local seconds, on no date that `isExcluded`. Ends for
    /// every rule, since `end` bounds it.
    func nextLocal(from start: Int64, before end: Int64, isExcluded: (CivilDate) -> Bool) -> Int64?
}

extension ScheduleRule {
    /// The rule as one of local times; nothing for `every` and for single times.
    var localTimeRule: (any LocalTimeRule)? {
        switch self {
        case .cron(let rule): rule
        case .recurrence(let rule): rule
        case .calendar(let rule): rule
        case .at, .every: nil
        }
    }
}

/// A rule whose times of day are the same on each of its days.
protocol DailyTimesRule: LocalTimeRule {
    /// One bit a value, in these three.
    var seconds: UInt64 { get }
    var minutes: UInt64 { get }
    var hours: UInt64 { get }

    /// One bit a day that counts, from bit 1 on.
    func matchingDays(ofMonth month: Int, year: Int) -> UInt64
}

extension DailyTimesRule {
    /// Goes from month to month and from day to day with bit masks; never from minute to minute.
    func nextLocal(from start: Int64, before end: Int64, isExcluded: (CivilDate) -> Bool) -> Int64? {
        guard start < end else { return nil }
        let first = LocalDateTime(secondsSinceEpoch: start)
        var (year, month) = (first.date.year, first.date.month)
        var earliestDay = first.date.day
        while year <= CivilDate.years.upperBound {
            guard CivilDate.daysSinceEpoch(year: year, month: month, day: earliestDay) * 86_400 < end else {
                return nil
            }
            var days = matchingDays(ofMonth: month, year: year) & ~0 << UInt64(earliestDay)
            while days != 0 {
                let day = days.trailingZeroBitCount
                days &= days - 1
                let date = CivilDate(uncheckedYear: year, month: month, day: day)
                let midnight = date.daysSinceEpoch * 86_400
                guard midnight < end else { return nil }
                guard !isExcluded(date), let second = nextSecond(from: Int(max(0, start - midnight))) else { continue }
                let match = midnight + Int64(second)
                return match < end ? match : nil
            }
            (year, month, earliestDay) = month == 12 ? (year + 1, 1, 1) : (year, month + 1, 1)
        }
        return nil
    }

    /// The first matching second of a day from `second` on.
    private func nextSecond(from second: Int) -> Int? {
        let (startHour, startMinute) = (second / 3_600, second / 60 % 60)
        var hour = hours.firstBit(from: startHour)
        while let foundHour = hour {
            var minute = minutes.firstBit(from: foundHour == startHour ? startMinute : 0)
            while let foundMinute = minute {
                let isStart = foundHour == startHour && foundMinute == startMinute
                if let found = seconds.firstBit(from: isStart ? second % 60 : 0) {
                    return foundHour * 3_600 + foundMinute * 60 + found
                }
                minute = minutes.firstBit(from: foundMinute + 1)
            }
            hour = hours.firstBit(from: foundHour + 1)
        }
        return nil
    }
}

extension UInt64 {
    /// The first bit that is set from `index` on.
    func firstBit(from index: Int) -> Int? {
        guard index < 64 else { return nil }
        let rest = self & ~0 << UInt64(index)
        return rest == 0 ? nil : rest.trailingZeroBitCount
    }

    /// The numbers of the bits that are set.
    var bits: [Int] { (0..<64).filter { self & 1 << UInt64($0) != 0 } }

    func hasBit(_ index: Int) -> Bool { (0..<64).contains(index) && self & 1 << UInt64(index) != 0 }
}
