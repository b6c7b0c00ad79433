/// A day of the proleptic Gregorian calendar, without a place or a time of day.
package struct CivilDate: Sendable, Hashable, Comparable {
    /// Years that can be written with four digits; everything that is parsed or searched stays inside.
    package static let years = 1...9999

    package let year: Int
    package let month: Int
    package let day: Int

    /// Nothing for a day that no calendar has, such as 30 February.
    package init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month), day >= 1,
            day <= Self.daysIn(month: month, year: year)
        else { return nil }
        self.init(uncheckedYear: year, month: month, day: day)
    }

    init(uncheckedYear year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that lies `days` after 1970-01-01, kept within the years 1 to 9999.
    ///
    /// Counts in eras of 400 years, which all have 146,097 days, with the year beginning on 1 March so that the leap
    /// day is its last.
    package init(daysSinceEpoch days: Int64) {
        let shifted = min(max(days, Self.firstDay), Self.lastDay) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.init(
            uncheckedYear: Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), month: Int(month),
            day: Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1))
    }

    private static let firstDay: Int64 = -719_162  // 0001-01-01
    private static let lastDay: Int64 = 2_932_896  // 9999-12-31

    package var daysSinceEpoch: Int64 { Self.daysSinceEpoch(year: year, month: month, day: day) }

    /// Works for a year somewhat outside of `years` too, which time zone rules near the ends need.
    static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int64 {
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * Int64(month > 2 ? month - 3 : month + 9) + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    package static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    package static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// 0 is Sunday, as in cron.
    package var weekday: Int { Self.weekday(daysSinceEpoch: daysSinceEpoch) }

    static func weekday(daysSinceEpoch days: Int64) -> Int {
        let weekday = Int((days + 4) % 7)
        return weekday < 0 ? weekday + 7 : weekday
    }

    /// Stops at the first and last day of `years`.
    package func advanced(byDays days: Int64) -> CivilDate {
        let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
        return CivilDate(daysSinceEpoch: overflow ? (days < 0 ? .min : .max) : sum)
    }

    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension CivilDate: CustomStringConvertible {
    /// `2026-12-01`
    package var description: String { "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))" }
}

func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
