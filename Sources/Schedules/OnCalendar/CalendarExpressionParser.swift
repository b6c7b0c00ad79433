extension CalendarExpression {
    package init(parsing text: String) throws(TextError) {
        var parser = CalendarExpressionParser(text)
        try parser.parse()
        self.text = text
        seconds = parser.seconds.mask
        minutes = parser.minutes.mask
        hours = parser.hours.mask
        weekdays = parser.weekdays
        years = parser.years.items.map { CalendarYears(first: $0.first, last: $0.last, step: $0.step) }
        months = parser.months.mask
        days = parser.calendarDays
        let count = hours.nonzeroBitCount
        followsTheHour = count == 24 || count > 1 && parser.hours.items.contains { $0.isOpen }
        guard canFire else {
            throw TextError(
                offset: 0, length: text.utf8.count, problem: "this never fires: no day matches all its parts",
                remedy: "name a day that comes, or leave the day of the week or the year out")
        }
    }

    private var canFire: Bool {
        let end = Schedule.horizon.secondsSinceEpoch
        return nextLocal(from: 0, before: end, isExcluded: { _ in false }) != nil
    }
}

/// One field: what stands between two of the characters `-`, `~`, `:`.
private struct CalendarField {
    struct Item {
        var first: Int
        var last: Int
        var step: Int
        /// Written as `first/step`, without an end, or as `*`.
        var isOpen: Bool
    }

    var items: [Item]

    static func all(_ range: ClosedRange<Int>) -> CalendarField {
        CalendarField(items: [Item(first: range.lowerBound, last: range.upperBound, step: 1, isOpen: true)])
    }

    static func only(_ value: Int) -> CalendarField {
        CalendarField(items: [Item(first: value, last: value, step: 1, isOpen: false)])
    }

    var mask: UInt64 {
        items.reduce(into: 0) { mask, item in
            for value in stride(from: item.first, through: item.last, by: item.step) { mask |= 1 << UInt64(value) }
        }
    }
}

private struct CalendarExpressionParser {
    var seconds = CalendarField.only(0)
    var minutes = CalendarField.only(0)
    var hours = CalendarField.only(0)
    var weekdays: UInt64 = 0x7F
    var years = CalendarField.all(1970...2199)
    var months = CalendarField.all(1...12)
    var days = CalendarField.all(1...31)
    var countsFromEnd = false
    private let text: String
    private let bytes: [UInt8]

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    private static let shorthands: [String: String] = [
        "minutely": "*:*", "hourly": "*:00", "daily": "*-*-*", "weekly": "Mon *-*-*", "monthly": "*-*-01",
        "quarterly": "*-01,04,07,10-01", "semiannually": "*-01,07-01", "semi-annually": "*-01,07-01",
        "biannually": "*-01,07-01", "bi-annually": "*-01,07-01", "yearly": "*-01-01", "annually": "*-01-01",
    ]
    private static let weekdayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    /// Counted from the end, a range is turned round, and an open one runs to the last day of the month.
    var calendarDays: CalendarDays {
        let items = days.items.map { item in
            guard countsFromEnd else { return CalendarDays.Item(first: item.first, last: item.last, step: item.step) }
            return item.isOpen
                ? CalendarDays.Item(first: item.first, last: 1, step: item.step)
                : CalendarDays.Item(
                    first: item.last - (item.last - item.first) % item.step, last: item.first, step: item.step)
        }
        return CalendarDays(items: items, countsFromEnd: countsFromEnd)
    }

    mutating func parse() throws(TextError) {
        var words = pieces(0..<bytes.count, separators: " \t").filter { !$0.isEmpty }
        guard let first = words.first, let last = words.last else {
            throw error(0..<bytes.count, "the calendar expression is empty", "write it like Mon *-*-* 09:00")
        }
        if words.count == 1, let meaning = Self.shorthands[text(first).lowercased()] {
            var inner = CalendarExpressionParser(meaning)
            try inner.parse()
            self = inner
            return
        }
        if bytes[first.lowerBound].isLetter {
            try parseWeekdays(first)
            words.removeFirst()
        }
        if words.count > 0, bytes[last.lowerBound].isLetter {
            throw error(
                last, "a time zone cannot stand in the calendar expression",
                "write it beside the expression, as timezone:")
        }
        var hasDate = false
        var hasTime = false
        for word in words {
            if bytes[word].contains(UInt8(ascii: ":")), !hasTime {
                hasTime = true
                try parseTime(word)
            } else if bytes[word].contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "~") }), !hasDate,
                !hasTime
            {
                hasDate = true
                try parseDate(word)
            } else {
                throw error(
                    word, "'\(text(word))' is no day of the week, no date and no time here",
                    "write days of the week, a date and a time in this order, as in Mon..Fri *-*-* 09:00")
            }
        }
    }

    // MARK: Days of the week

    private mutating func parseWeekdays(_ range: Range<Int>) throws(TextError) {
        weekdays = 0
        for item in pieces(range, separators: ",") {
            let word = text(item)
            guard let dots = word.firstRange(of: "..") ?? word.firstRange(of: "-") else {
                weekdays |= 1 << UInt64(try weekday(item))
                continue
            }
            let length = word[..<dots.lowerBound].utf8.count
            let separator = word[dots].utf8.count
            var day = try weekday(item.lowerBound..<item.lowerBound + length)
            let last = try weekday(item.lowerBound + length + separator..<item.upperBound)
            weekdays |= 1 << UInt64(day)
            while day != last {
                day = (day + 1) % 7
                weekdays |= 1 << UInt64(day)
            }
        }
    }

    private func weekday(_ range: Range<Int>) throws(TextError) -> Int {
        let word = text(range).lowercased()
        if let index = Self.weekdayNames.firstIndex(where: { $0 == word || $0.prefix(3) == word }) { return index }
        let words = Self.weekdayNames + Self.shorthands.keys.sorted()
        throw error(
            range, word.isEmpty ? "a day of the week is missing here" : "there is no day of the week '\(text(range))'",
            nearestNames(to: word, in: words).first.map { "did you mean \($0)?" }
                ?? "write Mon, Tue, Wed, Thu, Fri, Sat or Sun")
    }

    // MARK: Date and time

    private mutating func parseDate(_ range: Range<Int>) throws(TextError) {
        var fields = pieces(range, separators: "-~")
        if let tilde = bytes[range].firstIndex(of: UInt8(ascii: "~")) {
            guard fields.last?.lowerBound == tilde + 1 else {
                throw error(
                    tilde..<tilde + 1, "~ stands between the month and the day", "write it like *-02~03")
            }
            countsFromEnd = true
        }
        guard (2...3).contains(fields.count) else {
            throw error(
                range, "a date has a month and a day, and a year in front or none", "write it like 2026-12-24 or *-*-01"
            )
        }
        if fields.count == 3 { years = try field(fields.removeFirst(), "year", 1970...2199) }
        months = try field(fields[0], "month", 1...12)
        days = try field(fields[1], "day", 1...31)
        if countsFromEnd, bytes[fields[1]].elementsEqual("*".utf8) { countsFromEnd = false }
    }

    private mutating func parseTime(_ range: Range<Int>) throws(TextError) {
        let fields = pieces(range, separators: ":")
        guard (2...3).contains(fields.count) else {
            throw error(range, "a time has hours and minutes, and seconds or none", "write it like 09:00 or 09:00:30")
        }
        hours = try field(fields[0], "hour", 0...23)
        minutes = try field(fields[1], "minute", 0...59)
        if fields.count == 3 { seconds = try field(fields[2], "second", 0...59) }
    }

    private func field(
        _ range: Range<Int>, _ name: String, _ allowed: ClosedRange<Int>
    ) throws(TextError) -> CalendarField {
        if bytes[range].elementsEqual("*".utf8) { return .all(allowed) }
        var items: [CalendarField.Item] = []
        for item in pieces(range, separators: ",") { items.append(try self.item(item, name, allowed)) }
        return CalendarField(items: items)
    }

    /// `5`, `5/15`, `9..17`, `9..17/2`, and `*/15` where the field begins with 0.
    private func item(
        _ range: Range<Int>, _ name: String, _ allowed: ClosedRange<Int>
    ) throws(TextError) -> CalendarField.Item {
        let slash = bytes[range].firstIndex(of: UInt8(ascii: "/"))
        let values = range.lowerBound..<(slash ?? range.upperBound)
        var step = 1
        if let slash { step = try number(slash + 1..<range.upperBound, "step", 1...max(1, allowed.count - 1)) }
        if bytes[values].elementsEqual("*".utf8), slash != nil {
            guard allowed.lowerBound == 0 else {
                throw error(range, "a step needs a \(name) to start from", "write \(allowed.lowerBound)/\(step)")
            }
            return CalendarField.Item(first: 0, last: allowed.upperBound, step: step, isOpen: true)
        }
        guard let dot = bytes[values].firstIndex(of: UInt8(ascii: ".")) else {
            let first = try number(values, name, allowed)
            guard slash != nil else { return CalendarField.Item(first: first, last: first, step: 1, isOpen: false) }
            return CalendarField.Item(first: first, last: allowed.upperBound, step: step, isOpen: true)
        }
        guard dot + 1 < values.upperBound, bytes[dot + 1] == UInt8(ascii: ".") else {
            throw error(
                values, "schedules count whole seconds, and a range has two dots",
                "write it like 9..17, or leave the fraction out")
        }
        let first = try number(values.lowerBound..<dot, name, allowed)
        let last = try number(dot + 2..<values.upperBound, name, allowed)
        guard first <= last else {
            throw error(values, "the range of the \(name) runs backwards", "write \(last)..\(first), or two ranges")
        }
        return CalendarField.Item(first: first, last: last, step: step, isOpen: false)
    }

    private func number(_ range: Range<Int>, _ name: String, _ allowed: ClosedRange<Int>) throws(TextError) -> Int {
        guard !range.isEmpty, range.count <= 4, bytes[range].allSatisfy(\.isDigit), let number = Int(text(range)),
            allowed.contains(number)
        else {
            throw error(
                range, range.isEmpty ? "the \(name) is missing here" : "'\(text(range))' is no \(name)",
                "write a number from \(allowed.lowerBound) to \(allowed.upperBound)")
        }
        return number
    }

    // MARK: Cutting

    private func pieces(_ range: Range<Int>, separators: String) -> [Range<Int>] {
        bytes[range].split(omittingEmptySubsequences: false) { separators.utf8.contains($0) }
            .map { $0.startIndex..<$0.endIndex }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func error(_ range: Range<Int>, _ problem: String, _ remedy: String) -> TextError {
        TextError(offset: range.lowerBound, length: range.count, problem: problem, remedy: remedy)
    }
}
