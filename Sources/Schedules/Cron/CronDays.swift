/// The days that the two day fields of a cron expression name.
struct CronDays: Sendable, Hashable {
    var dayOfMonth: CronField
    var dayOfWeek: CronField
    var rule: CronDayRule

    /// One bit a day of that month, from bit 1 to bit 31.
    func days(ofMonth month: Int, year: Int) -> UInt64 {
        let first = CivilDate.daysSinceEpoch(year: year, month: month, day: 1)
        let calendar = MonthCalendar(
            length: CivilDate.daysIn(month: month, year: year),
            firstWeekday: CivilDate.weekday(daysSinceEpoch: first))
        switch (dayOfMonth.isRestricted, dayOfWeek.isRestricted) {
        case (false, false): return calendar.allDays
        case (true, false): return dayOfMonth.daysOfMonth(calendar)
        case (false, true): return dayOfWeek.daysOfWeek(calendar)
        case (true, true):
            let (left, right) = (dayOfMonth.daysOfMonth(calendar), dayOfWeek.daysOfWeek(calendar))
            return rule == .either ? left | right : left & right
        }
    }
}

/// How a month lies in the week.
private struct MonthCalendar {
    var length: Int
    /// 0 is Sunday.
    var firstWeekday: Int

    var allDays: UInt64 { (1 << UInt64(length + 1)) - 2 }

    func weekday(of day: Int) -> Int { (firstWeekday + day - 1) % 7 }

    /// The working day, Monday to Friday, nearest to `day` within the month.
    func workingDay(nearest day: Int) -> Int {
        switch weekday(of: day) {
        case 6: day > 1 ? day - 1 : day + 2
        case 0: day < length ? day + 1 : day - 2
        default: day
        }
    }
}

extension CronField {
    fileprivate func daysOfMonth(_ calendar: MonthCalendar) -> UInt64 {
        var days = values & calendar.allDays
        for back in 0...30 where daysFromEnd & 1 << UInt64(back) != 0 && back < calendar.length {
            days |= 1 << UInt64(calendar.length - back)
        }
        for day in 1...31 where nearWorkingDays & 1 << UInt64(day) != 0 && day <= calendar.length {
            days |= 1 << UInt64(calendar.workingDay(nearest: day))
        }
        if lastWorkingDay { days |= 1 << UInt64(calendar.workingDay(nearest: calendar.length)) }
        return days
    }

    fileprivate func daysOfWeek(_ calendar: MonthCalendar) -> UInt64 {
        var days: UInt64 = 0
        for day in 1...calendar.length {
            let weekday = UInt64(calendar.weekday(of: day))
            let isNamed =
                values & 1 << weekday != 0
                || numberedWeekdays & 1 << (weekday + 7 * UInt64((day - 1) / 7)) != 0
                || day + 7 > calendar.length && lastWeekdays & 1 << weekday != 0
            if isNamed { days |= 1 << UInt64(day) }
        }
        return days
    }
}
