/// A recurrence rule as it was written, before it is known from when it counts.
struct RecurrenceText {
    var parts = RecurrenceParts()
    /// DTSTART, where the text has that line, with the name of its TZID.
    var start: DateTimeText?
    var startZone: (name: String, range: Range<Int>)?
    /// Where the value of each part stands.
    private(set) var places: [String: Range<Int>] = [:]
    private let bytes: [UInt8]

    /// Reads `FREQ=WEEKLY;BYDAY=MO`, with `RRULE:` in front or without, and a line `DTSTART…:` before it if there is one.
    init(parsing text: String) throws(TextError) {
        bytes = Array(text.utf8)
        var rule: Range<Int>?
        for line in Self.pieces(bytes, 0..<bytes.count, separators: "\n\r") where !line.isEmpty {
            let line = Self.trimmed(bytes, line)
            if Self.starts(bytes, line, with: "DTSTART") {
                try readStart(line)
            } else if line.isEmpty {
                continue
            } else if rule != nil {
                throw error(line, "a schedule has one recurrence rule", "make schedule a list to unite several")
            } else {
                let hasName = Self.starts(bytes, line, with: "RRULE:")
                rule = line.lowerBound + (hasName ? 6 : 0)..<line.upperBound
            }
        }
        guard let rule, !rule.isEmpty else {
            throw error(0..<bytes.count, "the recurrence rule is empty", "write it like FREQ=WEEKLY;BYDAY=MO;BYHOUR=9")
        }
        var pieces = Self.pieces(bytes, rule, separators: ";")
        if let last = pieces.last, last.isEmpty, pieces.count > 1 { pieces.removeLast() }
        for piece in pieces { try readPart(piece) }
        try checkParts(rule)
    }

    func place(of part: String) -> Range<Int> { places[part] ?? 0..<bytes.count }

    func error(_ range: Range<Int>, _ problem: String, _ remedy: String) -> TextError {
        TextError(offset: range.lowerBound, length: range.count, problem: problem, remedy: remedy)
    }

    // MARK: Cutting

    private static func pieces(_ bytes: [UInt8], _ range: Range<Int>, separators: String) -> [Range<Int>] {
        bytes[range].split(omittingEmptySubsequences: false) { separators.utf8.contains($0) }
            .map { $0.startIndex..<$0.endIndex }
    }

    private static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let rest = bytes[range].drop(while: isBlank)
        var end = rest.endIndex
        while end > rest.startIndex, isBlank(bytes[end - 1]) { end -= 1 }
        return rest.startIndex..<end
    }

    private static func starts(_ bytes: [UInt8], _ range: Range<Int>, with word: String) -> Bool {
        let first = String(decoding: bytes[range].prefix(word.utf8.count), as: UTF8.self)
        return first.uppercased() == word
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    // MARK: The parts

    private static let names = [
        "FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY",
        "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS",
    ]
    private static let weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

    private mutating func readPart(_ untrimmed: Range<Int>) throws(TextError) {
        let range = Self.trimmed(bytes, untrimmed)
        guard let equals = bytes[range].firstIndex(of: UInt8(ascii: "=")) else {
            throw error(range, "a part of the rule needs a name and a value", "write it like FREQ=WEEKLY")
        }
        let written = text(range.lowerBound..<equals)
        let name = written.uppercased()
        let nameRange = range.lowerBound..<equals
        guard Self.names.contains(name) else {
            let near = nearestNames(to: name, in: Self.names).first
            throw error(
                nameRange, "there is no part '\(written)' in a recurrence rule",
                near.map { "did you mean \($0)?" } ?? "leave it out")
        }
        guard places[name] == nil else {
            throw error(nameRange, "\(name) stands here for the second time", "leave one out")
        }
        let value = Self.trimmed(bytes, equals + 1..<range.upperBound)
        places[name] = value
        switch name {
        case "FREQ": parts.frequency = try frequency(value)
        case "INTERVAL": parts.interval = Int64(try number(value, name, in: 1...1_000_000))
        case "COUNT": parts.count = try number(value, name, in: 1...RecurrenceRule.largestCount)
        case "UNTIL": parts.until = try until(value)
        case "WKST": parts.weekStart = try weekday(value, example: "MO")
        case "BYSECOND": parts.seconds = try mask(value, name, in: 0...59)
        case "BYMINUTE": parts.minutes = try mask(value, name, in: 0...59)
        case "BYHOUR": parts.hours = try mask(value, name, in: 0...23)
        case "BYMONTH": parts.months = try mask(value, name, in: 1...12)
        case "BYDAY": parts.weekdays = try ordinalWeekdays(value)
        case "BYMONTHDAY": parts.monthDays = try numbers(value, name, upTo: 31)
        case "BYYEARDAY": parts.yearDays = try numbers(value, name, upTo: 366)
        case "BYWEEKNO": parts.weekNumbers = try numbers(value, name, upTo: 53)
        default: parts.positions = try numbers(value, name, upTo: 86_400)
        }
    }

    private func frequency(_ range: Range<Int>) throws(TextError) -> RecurrenceParts.Frequency {
        let word = text(range)
        if let frequency = RecurrenceParts.Frequency(rawValue: word.uppercased()) { return frequency }
        let words = RecurrenceParts.Frequency.allCases.map(\.rawValue)
        throw error(
            range, "there is no frequency '\(word)'",
            nearestNames(to: word.uppercased(), in: words).first.map { "did you mean \($0)?" }
                ?? "write DAILY, WEEKLY, MONTHLY or YEARLY")
    }

    private func number(_ range: Range<Int>, _ name: String, in allowed: ClosedRange<Int>) throws(TextError) -> Int {
        let digits =
            bytes[range].first == UInt8(ascii: "+") || bytes[range].first == UInt8(ascii: "-")
            ? range.dropFirst() : range
        guard !digits.isEmpty, bytes[digits].allSatisfy(\.isDigit), let number = Int(text(range)),
            allowed.contains(number)
        else {
            throw error(
                range, "\(name) takes whole numbers from \(allowed.lowerBound) to \(allowed.upperBound)",
                "write one of them")
        }
        return number
    }

    private func mask(_ range: Range<Int>, _ name: String, in allowed: ClosedRange<Int>) throws(TextError) -> UInt64 {
        var mask: UInt64 = 0
        for item in Self.pieces(bytes, range, separators: ",") {
            mask |= 1 << UInt64(try number(Self.trimmed(bytes, item), name, in: allowed))
        }
        return mask
    }

    /// Numbers from 1, or negative ones that count from the end.
    private func numbers(_ range: Range<Int>, _ name: String, upTo largest: Int) throws(TextError) -> [Int] {
        var numbers: Set<Int> = []
        for item in Self.pieces(bytes, range, separators: ",") {
            let item = Self.trimmed(bytes, item)
            let found = try number(item, name, in: -largest...largest)
            guard found != 0 else {
                throw error(item, "\(name) counts from 1, or from -1 backwards; there is no 0", "write 1 or -1")
            }
            numbers.insert(found)
        }
        return numbers.sorted()
    }

    private func weekday(_ range: Range<Int>, example: String) throws(TextError) -> Int {
        guard let index = Self.weekdays.firstIndex(of: text(range).uppercased()) else {
            throw error(
                range, "'\(text(range))' is no day of the week here",
                "write MO, TU, WE, TH, FR, SA or SU, as in \(example)")
        }
        return index
    }

    private func ordinalWeekdays(_ range: Range<Int>) throws(TextError) -> [RecurrenceParts.OrdinalWeekday] {
        var found: Set<RecurrenceParts.OrdinalWeekday> = []
        for piece in Self.pieces(bytes, range, separators: ",") {
            let item = Self.trimmed(bytes, piece)
            let split = bytes[item].firstIndex { !$0.isDigit && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }
            let letters = (split ?? item.upperBound)..<item.upperBound
            let weekday = try weekday(letters.isEmpty ? item : letters, example: "BYDAY=MO,-1FR")
            var ordinal = 0
            let digits = item.lowerBound..<letters.lowerBound
            if !digits.isEmpty {
                ordinal = try number(digits, "the number before a day", in: -53...53)
                guard ordinal != 0 else {
                    throw error(digits, "days are counted from 1, or from -1 backwards; there is no 0", "write 1 or -1")
                }
            }
            found.insert(RecurrenceParts.OrdinalWeekday(ordinal: ordinal, weekday: weekday))
        }
        return found.sorted { ($0.ordinal, $0.weekday) < ($1.ordinal, $1.weekday) }
    }

    // MARK: Dates and times

    private func until(_ range: Range<Int>) throws(TextError) -> RecurrenceParts.Until {
        switch try dateTime(range) {
        case .date(let date): .date(date)
        case .local(let local): .local(local)
        case .instant(let instant): .instant(instant)
        }
    }

    /// `20261224`, `20261224T090000`, `20261224T080000Z`
    private func dateTime(_ range: Range<Int>) throws(TextError) -> DateTimeText {
        let value = bytes[range].map { $0 | 0x20 }
        func field(_ from: Int, _ count: Int) -> Int? {
            guard value.count >= from + count, value[from..<from + count].allSatisfy(\.isDigit) else { return nil }
            return Int(String(decoding: value[from..<from + count], as: UTF8.self))
        }
        let wrong = error(
            range, "this is no date and no time as iCalendar writes them",
            "write it like 20261224, 20261224T090000 or 20261224T080000Z")
        guard let year = field(0, 4), let month = field(4, 2), let day = field(6, 2),
            let date = CivilDate(year: year, month: month, day: day)
        else { throw wrong }
        if value.count == 8 { return .date(date) }
        guard value.count == 15 || value.count == 16 && value[15] == UInt8(ascii: "z"), value[8] == UInt8(ascii: "t"),
            let hour = field(9, 2), let minute = field(11, 2), let second = field(13, 2),
            let local = LocalDateTime(date: date, hour: hour, minute: minute, second: second)
        else { throw wrong }
        return value.count == 15 ? .local(local) : .instant(Instant(secondsSinceEpoch: local.secondsSinceEpoch))
    }

    /// `DTSTART:20261201T090000`, `DTSTART;TZID=Europe/Berlin:20261201T090000`
    private mutating func readStart(_ line: Range<Int>) throws(TextError) {
        guard start == nil else { throw error(line, "DTSTART stands here for the second time", "leave one out") }
        guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")) else {
            throw error(line, "DTSTART has no value", "write it like DTSTART:20261201T090000")
        }
        for parameter in Self.pieces(bytes, line.lowerBound..<colon, separators: ";").dropFirst() {
            if Self.starts(bytes, parameter, with: "TZID=") {
                let name = parameter.lowerBound + 5..<parameter.upperBound
                startZone = (text(name), name)
            } else if text(parameter).uppercased() != "VALUE=DATE", text(parameter).uppercased() != "VALUE=DATE-TIME" {
                throw error(parameter, "DTSTART has no such parameter here", "leave it out")
            }
        }
        start = try dateTime(colon + 1..<line.upperBound)
        places["DTSTART"] = colon + 1..<line.upperBound
    }

    // MARK: What goes together

    /// The table of RFC 5545, section 3.3.10, and its MUST NOTs.
    private func checkParts(_ rule: Range<Int>) throws(TextError) {
        let frequency = parts.frequency
        guard places["FREQ"] != nil else {
            throw error(rule, "the rule has no FREQ", "write one, as in FREQ=WEEKLY;BYDAY=MO")
        }
        if places["COUNT"] != nil, let until = places["UNTIL"] {
            throw error(until, "COUNT and UNTIL exclude each other", "leave one of them out")
        }
        let days: Set<RecurrenceParts.Frequency> = [.daily, .weekly, .monthly]
        if let place = places["BYYEARDAY"], days.contains(frequency) {
            throw error(place, "BYYEARDAY does not go with FREQ=\(frequency.rawValue)", "write FREQ=YEARLY")
        }
        if let place = places["BYWEEKNO"], frequency != .yearly {
            throw error(place, "BYWEEKNO does not go with FREQ=\(frequency.rawValue)", "write FREQ=YEARLY")
        }
        if let place = places["BYMONTHDAY"], frequency == .weekly {
            throw error(place, "BYMONTHDAY does not go with FREQ=WEEKLY", "write FREQ=MONTHLY")
        }
        if let place = places["BYDAY"], parts.weekdays.contains(where: { $0.ordinal != 0 }) {
            guard frequency == .monthly || frequency == .yearly else {
                throw error(
                    place, "a number before a day does not go with FREQ=\(frequency.rawValue)",
                    "write FREQ=MONTHLY or FREQ=YEARLY, or the day alone")
            }
            if places["BYWEEKNO"] != nil {
                throw error(place, "a number before a day does not go with BYWEEKNO", "write the day alone")
            }
        }
        if let place = places["BYSETPOS"], !places.keys.contains(where: { $0.hasPrefix("BY") && $0 != "BYSETPOS" }) {
            throw error(
                place, "BYSETPOS chooses among what another BY part names, and there is none",
                "add one, as in BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1")
        }
    }
}
