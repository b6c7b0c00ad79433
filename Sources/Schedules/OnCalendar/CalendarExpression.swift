/// A calendar event as systemd.time(7) writes it: `Mon..Fri *-*-* 09:00`. All its parts must match.
package struct CalendarExpression: Sendable, Hashable {
    /// The expression as it was written.
    package let text: String
    let seconds: UInt64
    let minutes: UInt64
    let hours: UInt64
    /// One bit a value; 0 is Sunday.
    let weekdays: UInt64
    let years: [CalendarYears]
    let months: UInt64
    let days: CalendarDays
    package let followsTheHour: Bool
}

/// Years that are named: every `step`th from `first` to `last`.
struct CalendarYears: Sendable, Hashable {
    var first: Int
    var last: Int
    var step: Int

    func contains(_ year: Int) -> Bool { (first...last).contains(year) && (year - first) % step == 0 }
}

/// The days of the month that are named.
struct CalendarDays: Sendable, Hashable {
    /// Every `step`th from `first` to `last`, both counted from the end of the month where the expression has `~`.
    struct Item: Sendable, Hashable {
        var first: Int
        var last: Int
        var step: Int
    }

    var items: [Item]
    var countsFromEnd: Bool

    func mask(ofMonthWith length: Int) -> UInt64 {
        var mask: UInt64 = 0
        for item in items {
            // Counted from the end, the first of the month is the furthest.
            let (first, last) =
                countsFromEnd ? (length + 1 - item.first, length + 1 - item.last) : (item.first, item.last)
            guard first <= last else { continue }
            for day in stride(from: first, through: min(last, length), by: item.step) where day >= 1 {
                mask |= 1 << UInt64(day)
            }
        }
        return mask
    }
}

extension CalendarExpression: DailyTimesRule {
    func matchingDays(ofMonth month: Int, year: Int) -> UInt64 {
        guard months.hasBit(month), years.contains(where: { $0.contains(year) }) else { return 0 }
        let length = CivilDate.daysIn(month: month, year: year)
        let named = days.mask(ofMonthWith: length)
        guard weekdays != 0x7F else { return named }
        let first = CivilDate.weekday(
            daysSinceEpoch: CivilDate.daysSinceEpoch(year: year, month: month, day: 1))
        return named.bits.reduce(into: 0 as UInt64) { mask, day in
            if weekdays.hasBit((first + day - 1) % 7) { mask |= 1 << UInt64(day) }
        }
    }
}
