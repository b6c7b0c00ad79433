/// Hours of the week in which a schedule may fire; it fires at no other time.
package struct OpenWindows: Sendable, Hashable {
    /// One window, on some days of the week.
    package struct Window: Sendable, Hashable {
        /// One bit a day on which the window opens; 0 is Sunday.
        package var weekdays: UInt64
        /// Minutes of the day: the first is included, the last is not. An end that is not after the beginning lies on
        /// the next day.
        package var from: Int
        package var to: Int

        package init(weekdays: UInt64, from: Int, to: Int) {
            self.weekdays = weekdays
            self.from = from
            self.to = to
        }
    }

    package let windows: [Window]
    /// In seconds from Sunday 00:00, sorted, apart from one another, within the week.
    let ranges: [Range<Int64>]

    private static let day: Int64 = 86_400
    private static let week: Int64 = 7 * 86_400

    package init(_ windows: [Window]) {
        self.windows = windows
        var pieces: [Range<Int64>] = []
        for window in windows {
            for weekday in window.weekdays.bits {
                let begin = Int64(weekday) * Self.day
                let from = begin + Int64(window.from) * 60
                let to = begin + Int64(window.to) * 60 + (window.to <= window.from ? Self.day : 0)
                pieces.append(from..<min(to, Self.week))
                if to > Self.week { pieces.append(0..<to - Self.week) }
            }
        }
        var merged: [Range<Int64>] = []
        for piece in pieces.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, piece.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, piece.upperBound)
            } else {
                merged.append(piece)
            }
        }
        ranges = merged
    }

    package func contains(_ local: LocalDateTime) -> Bool {
        nextOpen(from: local.secondsSinceEpoch) == local.secondsSinceEpoch
    }

    /// The first open local second from `local` on.
    func nextOpen(from local: Int64) -> Int64 {
        // 1970-01-01 was a Thursday.
        let second = ((local + 4 * Self.day) % Self.week + Self.week) % Self.week
        for range in ranges where range.upperBound > second {
            return local + max(0, range.lowerBound - second)
        }
        return local + Self.week - second + (ranges.first?.lowerBound ?? 0)
    }
}

extension OpenWindows.Window {
    /// `Mon..Fri 09:00-18:00` as the two texts of a campaign file: days of the week and hours, either of which may be
    /// missing.
    package init(days: String?, hours: String?) throws(Failure) {
        var weekdays: UInt64 = 0x7F
        if let days {
            do {
                weekdays = try Self.weekdays(days)
            } catch {
                throw Failure(part: "days", text: error)
            }
        }
        do {
            let (from, to) = try Self.hours(hours ?? "00:00-24:00")
            self.init(weekdays: weekdays, from: from, to: to)
        } catch {
            throw Failure(part: "hours", text: error)
        }
    }

    /// What is wrong, and in which of the two texts.
    package struct Failure: Error, Sendable, Hashable {
        package var part: String
        package var text: TextError
    }

    /// `MON-FRI`, `SAT,SUN`, as in the last field of cron.
    private static func weekdays(_ text: String) throws(TextError) -> UInt64 {
        let bytes = Array(text.utf8)
        let field = try CronFieldParser(bytes: bytes, seed: "").parse(0..<bytes.count, as: .dayOfWeek)
        guard field.values != 0, field.numberedWeekdays == 0, field.lastWeekdays == 0 else {
            throw TextError(
                offset: 0, length: bytes.count, problem: "a window opens on the same days of every week",
                remedy: "write them like MON-FRI or SAT,SUN")
        }
        return field.values
    }

    /// `09:00-18:00`, `22:00-06:00`, `00:00-24:00`
    private static func hours(_ text: String) throws(TextError) -> (from: Int, to: Int) {
        var scanner = TextScanner(text)
        let from = try scanner.scanMinuteOfDay(upTo: 24 * 60 - 1)
        try scanner.expect("-", remedy: hoursRemedy)
        let to = try scanner.scanMinuteOfDay(upTo: 24 * 60)
        try scanner.expectEnd()
        guard from != to else {
            throw TextError(
                offset: 0, length: text.utf8.count, problem: "the window ends when it begins",
                remedy: "write 00:00-24:00 for the whole day, or leave hours out")
        }
        return (from, to)
    }
}

private let hoursRemedy = "write the hours like 09:00-18:00"

extension TextScanner {
    fileprivate mutating func scanMinuteOfDay(upTo last: Int) throws(TextError) -> Int {
        let start = position
        let hour = try scanNumber(digits: 2, named: "hour", remedy: hoursRemedy)
        try expect(":", remedy: hoursRemedy)
        let minute = try scanNumber(digits: 2, named: "minute", remedy: hoursRemedy)
        guard minute < 60, hour * 60 + minute <= last else {
            throw error("no clock shows this time", from: start, remedy: hoursRemedy)
        }
        return hour * 60 + minute
    }
}
