/// What a clock on the wall shows: a date and a time of day, in whole seconds, without a place.
package struct LocalDateTime: Sendable, Hashable, Comparable {
    package let date: CivilDate
    /// 0 to 86,399
    package let secondOfDay: Int

    package init(date: CivilDate, secondOfDay: Int = 0) {
        self.date = date
        self.secondOfDay = min(max(secondOfDay, 0), 86_399)
    }

    /// Nothing for a time that no clock shows, such as 24:00.
    package init?(date: CivilDate, hour: Int, minute: Int, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
        self.init(date: date, secondOfDay: hour * 3_600 + minute * 60 + second)
    }

    /// Reads `seconds` as if the wall stood in UTC.
    init(secondsSinceEpoch seconds: Int64) {
        var days = seconds / 86_400
        var rest = seconds % 86_400
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        self.init(date: CivilDate(daysSinceEpoch: days), secondOfDay: Int(rest))
    }

    /// Counts as if the wall stood in UTC.
    var secondsSinceEpoch: Int64 { date.daysSinceEpoch * 86_400 + Int64(secondOfDay) }

    package var hour: Int { secondOfDay / 3_600 }
    package var minute: Int { secondOfDay / 60 % 60 }
    package var second: Int { secondOfDay % 60 }

    package static func < (left: LocalDateTime, right: LocalDateTime) -> Bool {
        (left.date, left.secondOfDay) < (right.date, right.secondOfDay)
    }
}

extension LocalDateTime: CustomStringConvertible {
    /// `2026-12-01T09:00:00`
    package var description: String {
        "\(date)T\(padded(hour, to: 2)):\(padded(minute, to: 2)):\(padded(second, to: 2))"
    }
}
