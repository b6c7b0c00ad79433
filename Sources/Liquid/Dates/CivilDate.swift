/// A day of the proleptic Gregorian calendar.
struct CivilDate {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that lies so many days after 1970-01-01 (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    init(daysSinceEpoch days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSinceEpoch: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// From 0 for Sunday.
    var weekday: Int {
        let remainder = (daysSinceEpoch + 4) % 7
        return remainder < 0 ? remainder + 7 : remainder
    }

    /// From 1.
    var dayOfYear: Int { daysSinceEpoch - CivilDate(year: year, month: 1, day: 1).daysSinceEpoch + 1 }

    /// The ISO 8601 week and the year that it belongs to.
    var isoWeek: (year: Int, week: Int) {
        let mondayBased = (weekday + 6) % 7
        let thursday = CivilDate(daysSinceEpoch: daysSinceEpoch - mondayBased + 3)
        return (thursday.year, (thursday.dayOfYear - 1) / 7 + 1)
    }
}

/// An instant and the offset it is shown in.
struct DateTime {
    var instant: LiquidInstant
    /// Seconds east of UTC.
    var offset: Int
    var abbreviation: String

    private var localSeconds: Int64 { instant.seconds + Int64(offset) }

    var date: CivilDate { CivilDate(daysSinceEpoch: Int(localSeconds.flooredQuotient(86_400))) }
    var secondOfDay: Int { Int(localSeconds - localSeconds.flooredQuotient(86_400) * 86_400) }
    var hour: Int { secondOfDay / 3600 }
    var minute: Int { secondOfDay / 60 % 60 }
    var second: Int { secondOfDay % 60 }
}

extension Int64 {
    func flooredQuotient(_ divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
