/// How the two day fields of a cron expression work together when both are restricted.
package enum CronDayRule: String, Sendable, Hashable, CaseIterable {
    /// A day counts when either field names it, as cron does.
    case either
    /// A day counts when both fields name it.
    case both
}

/// When a cron expression fires, by a clock on the wall. docs/schedules.md has the dialect.
package struct CronExpression: Sendable, Hashable {
    /// The expression as it was written.
    package let text: String
    /// One bit a value, here and in `minutes`, `hours` and `months`.
    let seconds: UInt64
    let minutes: UInt64
    let hours: UInt64
    let months: UInt64
    let days: CronDays
    /// Whether the hour field names an interval (`*`, `*/2`) and not times of day: such a schedule follows real time
    /// where the clocks change.
    package let followsTheHour: Bool

    /// Reads five fields, six with the seconds in front, or a macro such as `@daily`.
    ///
    /// `seed` is what `H` is hashed from: the campaign's id.
    package init(parsing text: String, seed: String = "", dayRule: CronDayRule = .either) throws(TextError) {
        let fields = try CronFields(splitting: text)
        let parser = CronFieldParser(bytes: fields.bytes, seed: seed)
        if let range = fields.seconds {
            seconds = try parser.parse(range, as: .second).values
        } else {
            seconds = 1
        }
        minutes = try parser.parse(fields.minutes, as: .minute).values
        let hourField = try parser.parse(fields.hours, as: .hour)
        hours = hourField.values
        followsTheHour =
            hourField.values.nonzeroBitCount == 24
            || hourField.hasInterval && hourField.values.nonzeroBitCount > 1
        let dayOfMonth = try parser.parse(fields.daysOfMonth, as: .dayOfMonth)
        months = try parser.parse(fields.months, as: .month).values
        days = CronDays(
            dayOfMonth: dayOfMonth, dayOfWeek: try parser.parse(fields.daysOfWeek, as: .dayOfWeek), rule: dayRule)
        self.text = text
        guard canFire else {
            throw TextError(
                offset: fields.daysOfMonth.lowerBound,
                length: fields.daysOfWeek.upperBound - fields.daysOfMonth.lowerBound,
                problem: "this never fires: no month it names has such a day",
                remedy: "name a day that comes, or use L for the last day of the month")
        }
    }

    /// The calendar repeats after 400 years; a year or two settles it for nearly every expression.
    private var canFire: Bool {
        (2000..<2400).contains { year in
            (1...12).contains { month in months & 1 << UInt64(month) != 0 && days.days(ofMonth: month, year: year) != 0
            }
        }
    }

    /// Whether the two day fields are both restricted, so that what they mean together is worth a remark.
    package var restrictsBothDayFields: Bool { days.dayOfMonth.isRestricted && days.dayOfWeek.isRestricted }

    /// The months of all those named that have none of the days named; `0 9 31 * *` names five of them.
    package var monthsWithoutADay: [Int] {
        (1...12).filter { month in
            months & 1 << UInt64(month) != 0
                && !(2000..<2400).contains { days.days(ofMonth: month, year: $0) != 0 }
        }
    }
}
