/// A time zone as the POSIX `TZ` variable writes it, such as `CET-1CEST,M3.5.0,M10.5.0/3`, with what RFC 9636,
/// section 3.3.1 adds: names in angle brackets and times of day from -167 to 167 hours.
struct PosixTimeZone: Sendable, Hashable {
    /// The day of a year on which the clocks change.
    enum ChangeDay: Sendable, Hashable {
        /// `Jn`: 1 to 365, 29 February never counted.
        case julian(Int)
        /// `n`: 0 to 365, 29 February counted.
        case ordinal(Int)
        /// `Mm.w.d`: the w-th weekday d of month m, where the fifth means the last.
        case weekday(month: Int, week: Int, weekday: Int)
    }

    struct Change: Sendable, Hashable {
        var day: ChangeDay
        /// Seconds after that day's midnight, by the clock as it was before the change.
        var time: Int
    }

    struct DaylightSaving: Sendable, Hashable {
        var name: String
        /// Seconds ahead of UTC. Behind the standard offset where a country calls its winter time the special one.
        var offset: Int
        var start: Change
        var end: Change
    }

    var name: String
    /// Seconds ahead of UTC.
    var offset: Int
    var daylightSaving: DaylightSaving?

    init?(_ text: String) {
        var scanner = TextScanner(text)
        guard let name = scanner.scanZoneName(), let west = scanner.scanHours(limit: 24) else { return nil }
        self.name = name
        offset = -west
        guard !scanner.isAtEnd else { return }
        guard let daylightName = scanner.scanZoneName() else { return nil }
        var daylightOffset = offset + 3_600
        if let next = scanner.next, next != UInt8(ascii: ",") {
            guard let west = scanner.scanHours(limit: 24) else { return nil }
            daylightOffset = -west
        }
        // POSIX leaves the rule open when it is not written; the reference code takes that of the United States.
        var start = Change(day: .weekday(month: 3, week: 2, weekday: 0), time: 7_200)
        var end = Change(day: .weekday(month: 11, week: 1, weekday: 0), time: 7_200)
        if !scanner.isAtEnd {
            guard let first = scanner.scanChange(), let second = scanner.scanChange(), scanner.isAtEnd else {
                return nil
            }
            (start, end) = (first, second)
        }
        daylightSaving = DaylightSaving(name: daylightName, offset: daylightOffset, start: start, end: end)
    }

    /// The instants of a year at which the clocks change, in rising order, in seconds since the epoch.
    func changes(inYear year: Int) -> [(instant: Int64, isDaylightSaving: Bool)] {
        guard let daylightSaving else { return [] }
        let start = daylightSaving.start.localSeconds(inYear: year) - Int64(offset)
        let end = daylightSaving.end.localSeconds(inYear: year) - Int64(daylightSaving.offset)
        return start < end ? [(start, true), (end, false)] : [(end, false), (start, true)]
    }
}

extension PosixTimeZone.Change {
    fileprivate func localSeconds(inYear year: Int) -> Int64 {
        let newYear = CivilDate.daysSinceEpoch(year: year, month: 1, day: 1)
        let days: Int64
        switch day {
        case .julian(let number):
            days = newYear + Int64(number - 1) + (number >= 60 && CivilDate.isLeap(year) ? 1 : 0)
        case .ordinal(let number):
            days = newYear + Int64(number)
        case .weekday(let month, let week, let weekday):
            let first = CivilDate.daysSinceEpoch(year: year, month: month, day: 1)
            let ahead = (weekday - CivilDate.weekday(daysSinceEpoch: first) + 7) % 7
            let dayOfMonth = ahead + 7 * (week - 1)
            days = first + Int64(dayOfMonth < CivilDate.daysIn(month: month, year: year) ? dayOfMonth : dayOfMonth - 7)
        }
        return days * 86_400 + Int64(time)
    }
}

extension TextScanner {
    fileprivate mutating func scanZoneName() -> String? {
        let start = position
        if skip(oneOf: "<") {
            while let next, next != UInt8(ascii: ">") { advance() }
            guard skip(oneOf: ">") else { return nil }
            return String(decoding: bytes[(start + 1)..<(position - 1)], as: UTF8.self)
        }
        while let next, next.isLetter { advance() }
        return position - start >= 3 ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    fileprivate mutating func scanHours(limit: Int) -> Int? {
        let isNegative = next == UInt8(ascii: "-")
        _ = skip(oneOf: "+-")
        guard let hours = scanSmallNumber(), hours <= limit else { return nil }
        var seconds = hours * 3_600
        for unit in [60, 1] where skip(oneOf: ":") {
            guard let part = scanSmallNumber(), part <= 59 else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    fileprivate mutating func scanChange() -> PosixTimeZone.Change? {
        guard skip(oneOf: ","), let day = scanChangeDay() else { return nil }
        guard skip(oneOf: "/") else { return PosixTimeZone.Change(day: day, time: 7_200) }
        return scanHours(limit: 167).map { PosixTimeZone.Change(day: day, time: $0) }
    }

    private mutating func scanChangeDay() -> PosixTimeZone.ChangeDay? {
        if skip(oneOf: "J") {
            return scanSmallNumber().flatMap { (1...365).contains($0) ? .julian($0) : nil }
        }
        if skip(oneOf: "M") {
            guard let month = scanSmallNumber(), skip(oneOf: "."), let week = scanSmallNumber(), skip(oneOf: "."),
                let weekday = scanSmallNumber(), (1...12).contains(month), (1...5).contains(week), weekday <= 6
            else { return nil }
            return .weekday(month: month, week: week, weekday: weekday)
        }
        return scanSmallNumber().flatMap { $0 <= 365 ? .ordinal($0) : nil }
    }

    /// One to three digits.
    private mutating func scanSmallNumber() -> Int? {
        let start = position
        let count = skipDigits()
        return (1...3).contains(count) ? Int(String(decoding: bytes[start..<position], as: UTF8.self)) : nil
    }
}

extension UInt8 {
    var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }
}
