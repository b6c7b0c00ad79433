extension Instant {
    /// Reads an RFC 3339 date-time, such as `2026-12-01T09:00:00+01:00` or `2026-12-01t08:00:00.25z`.
    ///
    /// Section 5.6 allows lower case and, in its note, a space instead of the `T`. Fractions of a second are dropped.
    /// A leap second (`:60`) is read as the second after `:59`, since instants do not count leap seconds.
    package init(rfc3339 text: String) throws(TextError) {
        var scanner = TextScanner(text)
        let local = try scanner.scanDate()
        guard scanner.skip(oneOf: "Tt ") else {
            throw scanner.error("an instant needs a time of day", remedy: "write it like 2026-12-01T09:00:00Z")
        }
        let time = try scanner.scanTime(needsSeconds: true)
        guard let offset = try scanner.scanOffset() else {
            throw scanner.error(
                "an instant needs an offset from UTC", remedy: "end it with Z or with an offset such as +01:00")
        }
        try scanner.expectEnd()
        self.init(secondsSinceEpoch: local.daysSinceEpoch * 86_400 + Int64(time) - Int64(offset))
    }

    /// `2026-12-01T09:00:00+01:00`, and `Z` for UTC.
    ///
    /// RFC 3339 has no seconds in an offset. Local mean times of old have: their seconds are appended as `+00:53:28`,
    /// so that the text stays exact and reads back as the same instant.
    package func rfc3339(offset: Int = 0) -> String {
        "\(local(offset: offset))" + Self.offsetText(offset)
    }

    private static func offsetText(_ offset: Int) -> String {
        guard offset != 0 else { return "Z" }
        let size = abs(offset)
        let seconds = size % 60
        return (offset < 0 ? "-" : "+") + padded(size / 3_600, to: 2) + ":" + padded(size / 60 % 60, to: 2)
            + (seconds == 0 ? "" : ":" + padded(seconds, to: 2))
    }
}

extension Instant: CustomStringConvertible {
    /// RFC 3339 in UTC.
    package var description: String { rfc3339() }
}

extension CivilDate {
    /// Reads `2026-12-01`.
    package init(parsing text: String) throws(TextError) {
        var scanner = TextScanner(text)
        self = try scanner.scanDate()
        try scanner.expectEnd()
    }
}

/// A date, or a date with a time of day, with or without an offset from UTC: what `starts`, `ends` and `at` take.
package enum DateTimeText: Sendable, Hashable {
    /// `2026-12-01`
    case date(CivilDate)
    /// `2026-12-01 09:00`, `2026-12-01T09:00:30`
    case local(LocalDateTime)
    /// `2026-12-01T09:00:00+01:00`, `2026-12-01 08:00Z`
    case instant(Instant)

    package init(parsing text: String) throws(TextError) {
        var scanner = TextScanner(text)
        let date = try scanner.scanDate()
        if scanner.isAtEnd {
            self = .date(date)
            return
        }
        guard scanner.skip(oneOf: "Tt ") else {
            throw scanner.error(
                "this does not belong to a date", remedy: "write it like 2026-12-01 or 2026-12-01 09:00")
        }
        let time = try scanner.scanTime(needsSeconds: false)
        let offset = try scanner.scanOffset()
        try scanner.expectEnd()
        // Goes through seconds so that a leap second becomes the first second of the next minute.
        let seconds = date.daysSinceEpoch * 86_400 + Int64(time)
        if let offset {
            self = .instant(Instant(secondsSinceEpoch: seconds - Int64(offset)))
        } else {
            self = .local(LocalDateTime(secondsSinceEpoch: seconds))
        }
    }
}

extension TextScanner {
    fileprivate mutating func scanDate() throws(TextError) -> CivilDate {
        let start = position
        let remedy = "write year, month and day like 2026-12-01"
        let year = try scanNumber(digits: 4, named: "year", remedy: remedy)
        try expect("-", remedy: remedy)
        let month = try scanNumber(digits: 2, named: "month", remedy: remedy)
        try expect("-", remedy: remedy)
        let day = try scanNumber(digits: 2, named: "day", remedy: remedy)
        guard let date = CivilDate(year: year, month: month, day: day) else {
            throw error("there is no such day in the calendar", from: start, remedy: remedy)
        }
        return date
    }

    /// The second of the day; 86,400 for a leap second at the end of it.
    fileprivate mutating func scanTime(needsSeconds: Bool) throws(TextError) -> Int {
        let start = position
        let remedy = needsSeconds ? "write the time like 09:00:00" : "write the time like 09:00 or 09:00:30"
        let hour = try scanNumber(digits: 2, named: "hour", remedy: remedy)
        try expect(":", remedy: remedy)
        let minute = try scanNumber(digits: 2, named: "minute", remedy: remedy)
        var second = 0
        if needsSeconds || next == UInt8(ascii: ":") {
            try expect(":", remedy: remedy)
            second = try scanNumber(digits: 2, named: "second", remedy: remedy)
            if skip(oneOf: ".,") {
                guard skipDigits() > 0 else { throw error("a fraction needs a digit", remedy: remedy) }
            }
        }
        guard hour <= 23, minute <= 59, second <= 60 else {
            throw error("no clock shows this time", from: start, remedy: "hours go to 23, minutes and seconds to 59")
        }
        return hour * 3_600 + minute * 60 + second
    }

    /// Seconds ahead of UTC; nothing where the text has no offset.
    fileprivate mutating func scanOffset() throws(TextError) -> Int? {
        let start = position
        let remedy = "write Z for UTC, or an offset such as +01:00"
        if skip(oneOf: "Zz") { return 0 }
        guard let sign = next, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        advance()
        let hours = try scanNumber(digits: 2, named: "hours of the offset", remedy: remedy)
        try expect(":", remedy: remedy)
        let minutes = try scanNumber(digits: 2, named: "minutes of the offset", remedy: remedy)
        var seconds = 0
        if skip(oneOf: ":") { seconds = try scanNumber(digits: 2, named: "seconds of the offset", remedy: remedy) }
        guard hours <= 23, minutes <= 59, seconds <= 59 else {
            throw error("no place is that far from UTC", from: start, remedy: remedy)
        }
        let offset = hours * 3_600 + minutes * 60 + seconds
        return sign == UInt8(ascii: "-") ? -offset : offset
    }
}
