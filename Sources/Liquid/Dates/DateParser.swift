/// Reads the ways in which people and machines write a date: ISO 8601, RFC 2822, month names, `2016/03/14`, `14.3.2016`,
/// a time of day with or without am and pm, and an offset or the name of a zone.
struct DateParser {
    private struct Found {
        var year: Int?
        var month: Int?
        var day: Int?
        var hour: Int?
        var minute = 0
        var second = 0
        var nanoseconds: Int32 = 0
        var offset: Int?
        var abbreviation = ""
    }

    private var rest: ArraySlice<UInt8>
    private var found = Found()

    /// The instant that a text means, or `nil` when it means none.
    ///
    /// What is missing comes from the context: the year of now, its day when only a time is given, and its zone.
    static func parse(_ text: String, now: LiquidInstant, zone: LiquidTimeZone) -> DateTime? {
        guard text.utf8.count <= 128 else { return nil }
        var parser = DateParser(rest: Array(text.utf8).map(\.lowercasedASCII)[...])
        guard parser.read() else { return nil }
        return parser.dateTime(now: now, zone: zone)
    }

    private init(rest: ArraySlice<UInt8>) { self.rest = rest }

    // MARK: Reading

    private mutating func read() -> Bool {
        while let byte = rest.first {
            if byte.isASCIIDigit {
                guard readNumber() else { return false }
            } else if byte.isASCIILetter {
                readWord()
            } else if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"), found.hour != nil, found.offset == nil {
                if !readOffset() { rest = rest.dropFirst() }
            } else {
                rest = rest.dropFirst()
            }
        }
        return found.year != nil || found.month != nil || found.day != nil || found.hour != nil
    }

    private mutating func digits() -> (value: Int, count: Int) {
        var value = 0
        var count = 0
        while let byte = rest.first, byte.isASCIIDigit {
            if count < 15 { value = value * 10 + Int(byte & 0x0F) }
            count += 1
            rest = rest.dropFirst()
        }
        return (value, count)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private func isDigit(at distance: Int) -> Bool {
        let index = rest.startIndex + distance
        return index < rest.endIndex && rest[index].isASCIIDigit
    }

    private mutating func readNumber() -> Bool {
        let (value, count) = digits()
        if rest.first == UInt8(ascii: ":"), isDigit(at: 1) { return readTime(hour: value) }
        for separator in ["-", "/", "."] as [Unicode.Scalar]
        where rest.first == UInt8(ascii: separator) && isDigit(at: 1) {
            return readNumericDate(value, count, separator)
        }
        if count == 8 { return set(year: value / 10_000, month: value / 100 % 100, day: value % 100) }
        if count == 14 {
            let time = value % 1_000_000
            return set(year: value / 10_000_000_000, month: value / 100_000_000 % 100, day: value / 1_000_000 % 100)
                && set(hour: time / 10_000, minute: time / 100 % 100, second: time % 100)
        }
        if count == 6, found.day != nil, found.hour == nil {
            return set(hour: value / 10_000, minute: value / 100 % 100, second: value % 100)
        }
        if count == 4, found.day != nil, found.year != nil, found.hour == nil {
            return set(hour: value / 100, minute: value % 100, second: 0)
        }
        if readMeridiem(hour: value) { return true }
        skipOrdinal()
        guard count <= 4 else { return false }
        if count >= 3 || rest.first == UInt8(ascii: "'") {
            found.year = value
        } else if found.day == nil {
            guard value >= 1, value <= 31 else { return false }
            found.day = value
        } else if found.year == nil {
            found.year = value < 69 ? value + 2000 : value + 1900
        }
        return true
    }

    private mutating func skipOrdinal() {
        for suffix in ["st", "nd", "rd", "th"] where rest.starts(with: suffix.utf8) {
            let after = rest.dropFirst(2)
            if after.first.map({ !$0.isWord }) ?? true { rest = after }
        }
    }

    private mutating func readNumericDate(_ first: Int, _ firstCount: Int, _ separator: Unicode.Scalar) -> Bool {
        _ = take(separator)
        let (second, secondCount) = digits()
        var third: (value: Int, count: Int)?
        if rest.first == UInt8(ascii: separator), isDigit(at: 1) {
            _ = take(separator)
            third = digits()
        }
        guard let third else {
            if separator == "." { return true }
            if firstCount >= 3 {
                if secondCount == 3 {
                    found.year = first
                    return setDayOfYear(second, year: first)
                }
                return set(year: first, month: second, day: 1)
            }
            return separator == "/" ? set(year: found.year, month: first, day: second) : true
        }
        if firstCount >= 3 { return set(year: first, month: second, day: third.value) }
        if third.count >= 3 { return set(year: third.value, month: second, day: first) }
        return set(year: first < 69 ? first + 2000 : first + 1900, month: second, day: third.value)
    }

    private mutating func setDayOfYear(_ day: Int, year: Int) -> Bool {
        guard day >= 1, day <= 366 else { return false }
        let date = CivilDate(daysSinceEpoch: CivilDate(year: year, month: 1, day: 1).daysSinceEpoch + day - 1)
        return set(year: date.year, month: date.month, day: date.day)
    }

    private mutating func readTime(hour: Int) -> Bool {
        _ = take(":")
        let minute = digits().value
        var second = 0
        if rest.first == UInt8(ascii: ":"), isDigit(at: 1) {
            _ = take(":")
            second = digits().value
            if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ","), isDigit(at: 1) {
                rest = rest.dropFirst()
                readFraction()
            }
        }
        if readMeridiem(hour: hour) {
            found.minute = minute
            found.second = second
            return minute < 60 && second <= 60
        }
        return set(hour: hour, minute: minute, second: second)
    }

    private mutating func readFraction() {
        var scale: Int32 = 100_000_000
        while let byte = rest.first, byte.isASCIIDigit {
            found.nanoseconds += Int32(byte & 0x0F) * scale
            scale /= 10
            rest = rest.dropFirst()
        }
    }

    /// `am` or `pm` after an hour.
    private mutating func readMeridiem(hour: Int) -> Bool {
        var after = rest
        while after.first == 0x20 { after = after.dropFirst() }
        guard hour >= 0, hour <= 12, let letter = after.popFirst(),
            letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p")
        else { return false }
        if after.first == UInt8(ascii: ".") { after = after.dropFirst() }
        guard after.popFirst() == UInt8(ascii: "m") else { return false }
        if let next = after.first, next.isWord { return false }
        rest = after
        found.hour = hour % 12 + (letter == UInt8(ascii: "p") ? 12 : 0)
        return true
    }

    private mutating func readWord() {
        let word = rest.prefix { $0.isASCIILetter }
        rest = rest.dropFirst(word.count)
        let name = String(decoding: word, as: UTF8.self)
        if let month = DateNames.months.firstIndex(where: {
            $0.lowercased().hasPrefix(name) && name.count >= 3 || name == "sept" && $0 == "September"
        }) {
            found.month = month + 1
        } else if let hours = DateParser.zones[name], found.hour != nil {
            found.offset = hours * 3600
            found.abbreviation = name == "z" ? "UTC" : name.uppercased()
            if name == "utc" || name == "gmt", rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                found.offset = nil
            }
        }
    }

    private static let zones = [
        "z": 0, "utc": 0, "gmt": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8,
        "pdt": -7, "cet": 1, "cest": 2, "bst": 1, "jst": 9, "ist": 5,
    ]

    private mutating func readOffset() -> Bool {
        let isNegative = rest.first == UInt8(ascii: "-")
        guard isDigit(at: 1) else { return false }
        rest = rest.dropFirst()
        let (value, count) = digits()
        var seconds: Int
        if take(":") {
            seconds = value * 3600 + digits().value * 60
        } else {
            seconds = count > 2 ? value / 100 * 3600 + value % 100 * 60 : value * 3600
        }
        guard seconds <= 86_400 else { return false }
        if isNegative { seconds = -seconds }
        found.offset = seconds
        found.abbreviation = ""
        return true
    }

    private mutating func set(year: Int?, month: Int, day: Int) -> Bool {
        guard (1...12).contains(month), (1...31).contains(day), (year ?? 0) <= 9999 else { return false }
        found.year = year
        found.month = month
        found.day = day
        // `T` separates an ISO date from its time.
        if rest.first == UInt8(ascii: "t"), isDigit(at: 1) { rest = rest.dropFirst() }
        return true
    }

    private mutating func set(hour: Int, minute: Int, second: Int) -> Bool {
        guard hour <= 24, minute < 60, second <= 60, hour < 24 || minute == 0 && second == 0 else { return false }
        found.hour = hour
        found.minute = minute
        found.second = second
        return true
    }

    // MARK: Putting together

    private func dateTime(now: LiquidInstant, zone: LiquidTimeZone) -> DateTime? {
        let current = DateTime(
            instant: now, offset: found.offset ?? zone.offset(now.seconds).seconds, abbreviation: "")
        let today = current.date
        var date = today
        if found.year != nil || found.month != nil || found.day != nil {
            date.year = found.year ?? today.year
            date.month = found.month ?? (found.year == nil ? today.month : 1)
            date.day = found.day ?? 1
        }
        let secondOfDay = (found.hour ?? 0) * 3600 + found.minute * 60 + found.second
        let local = Int64(date.daysSinceEpoch) * 86_400 + Int64(secondOfDay)
        if let offset = found.offset {
            return DateTime(
                instant: LiquidInstant(seconds: local - Int64(offset), nanoseconds: found.nanoseconds), offset: offset,
                abbreviation: found.abbreviation)
        }
        // The offset of the first guess is wrong only within a day of a change; the second is then right.
        var inForce = zone.offset(local)
        inForce = zone.offset(local - Int64(inForce.seconds))
        return DateTime(
            instant: LiquidInstant(seconds: local - Int64(inForce.seconds), nanoseconds: found.nanoseconds),
            offset: inForce.seconds, abbreviation: inForce.abbreviation)
    }
}
