/// Reads one field of a cron expression: items between commas, each a value, a range, a star or a special day, with
/// an optional step.
struct CronFieldParser {
    let bytes: [UInt8]
    /// What `H` is hashed from.
    let seed: String

    func parse(_ range: Range<Int>, as kind: CronFieldKind) throws(TextError) -> CronField {
        var field = CronField()
        var start = range.lowerBound
        for end in range.lowerBound...range.upperBound
        where end == range.upperBound || bytes[end] == UInt8(ascii: ",") {
            var item = CronItemParser(
                bytes: bytes, range: start..<end, isAlone: start..<end == range, kind: kind, seed: seed)
            try item.parse(into: &field)
            start = end + 1
        }
        return field
    }
}

/// Reads one item.
private struct CronItemParser {
    let bytes: [UInt8]
    let range: Range<Int>
    /// Whether it is the field's only item.
    let isAlone: Bool
    let kind: CronFieldKind
    let seed: String
    private var position: Int

    init(bytes: [UInt8], range: Range<Int>, isAlone: Bool, kind: CronFieldKind, seed: String) {
        self.bytes = bytes
        self.range = range
        self.isAlone = isAlone
        self.kind = kind
        self.seed = seed
        position = range.lowerBound
    }

    private var next: UInt8? { position < range.upperBound ? bytes[position] : nil }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let next else { return false }
        let wanted = UInt8(ascii: character)
        guard next == wanted || wanted.isLetter && next == wanted | 0x20 else { return false }
        position += 1
        return true
    }

    mutating func parse(into field: inout CronField) throws(TextError) {
        guard !range.isEmpty else {
            throw error("there is nothing between the commas", from: position, remedy: "leave one comma out")
        }
        switch next {
        case UInt8(ascii: "*"), UInt8(ascii: "?"): try parseStar(into: &field)
        case UInt8(ascii: "H"), UInt8(ascii: "h"): try parseHash(into: &field)
        case UInt8(ascii: "L"), UInt8(ascii: "l"): try parseLast(into: &field)
        default: try parseValues(into: &field)
        }
        guard position == range.upperBound else {
            throw error("this does not belong here", from: position, remedy: "write \(examples)")
        }
    }

    private mutating func parseStar(into field: inout CronField) throws(TextError) {
        if skip("?") {
            guard kind.isDay else {
                throw error("? may stand only in the two day fields", remedy: "write * instead")
            }
            guard next == nil else {
                throw error(
                    "nothing can follow ?", from: position, remedy: "write * instead of ? to put a step after it")
            }
            guard isAlone else { throw error("? cannot stand in a list", remedy: "write the other items only") }
        } else {
            _ = skip("*")
        }
        let step = try parseStep()
        field.add(kind.cycle, step: step)
        field.hasInterval = true
        if step == 1 { field.isRestricted = false }
    }

    /// `H`, `H/15`, `H(0-29)`, `H(0-29)/10`
    private mutating func parseHash(into field: inout CronField) throws(TextError) {
        _ = skip("H")
        var choices = kind.hashRange
        var isWhole = true
        if skip("(") {
            let start = position
            let low = try parseValue()
            guard skip("-") else { throw error("the range after H needs a -", from: position, remedy: "write H(0-29)") }
            let high = try parseValue()
            guard low <= high else {
                throw error("the range after H runs backwards", from: start, remedy: "write the smaller value first")
            }
            guard skip(")") else { throw error("a ) is missing", from: position, remedy: "write H(0-29)") }
            choices = low...high
            isWhole = false
        }
        let hash = StableHash.mix(StableHash.fnv1a(seed) &+ StableHash.fnv1a(kind.name))
        guard next == UInt8(ascii: "/") else {
            field.add(value: choices.lowerBound + Int(hash % UInt64(choices.count)), of: kind)
            return
        }
        let step = try parseStep()
        field.add(choices.lowerBound + Int(hash % UInt64(min(step, choices.count)))...choices.upperBound, step: step)
        if isWhole { field.hasInterval = true }
    }

    /// `L`, `L-3` and `LW` in the day of the month; `L5`, the same as `5L`, in the day of the week.
    private mutating func parseLast(into field: inout CronField) throws(TextError) {
        guard kind.isDay else {
            throw error("L may stand only in the two day fields", from: position, remedy: "write \(examples)")
        }
        _ = skip("L")
        if kind == .dayOfWeek {
            guard next != nil else {
                throw error(
                    "L alone names no day of the week", remedy: "write FRIL for the last Friday of the month, or SAT")
            }
            field.lastWeekdays |= 1 << UInt64(try parseValue() % 7)
        } else if skip("W") {
            field.lastWorkingDay = true
        } else if skip("-") {
            let start = position
            let back = try parseNumber()
            guard back <= 30 else {
                throw error("no month has a day \(back) before its last", from: start, remedy: "write L-1 to L-30")
            }
            field.daysFromEnd |= 1 << UInt64(back)
        } else {
            field.daysFromEnd |= 1
        }
    }

    private mutating func parseValues(into field: inout CronField) throws(TextError) {
        let first = try parseValue()
        if kind == .dayOfMonth, skip("W") {
            field.nearWorkingDays |= 1 << UInt64(first)
        } else if kind == .dayOfWeek, skip("L") {
            field.lastWeekdays |= 1 << UInt64(first % 7)
        } else if kind == .dayOfWeek, skip("#") {
            let start = position
            let number = try parseNumber()
            guard (1...5).contains(number) else {
                throw error("a month has a day of the week up to five times", from: start, remedy: "write #1 to #5")
            }
            field.numberedWeekdays |= 1 << UInt64(first % 7 + 7 * (number - 1))
        } else if skip("-") {
            let last = try parseValue()
            field.add(from: first, to: last, step: try parseStep(), of: kind)
        } else if next == UInt8(ascii: "/") {
            let start = kind == .dayOfWeek ? first % 7 : first
            field.add(start...kind.cycle.upperBound, step: try parseStep())
        } else {
            field.add(value: first, of: kind)
        }
    }

    private mutating func parseStep() throws(TextError) -> Int {
        guard skip("/") else { return 1 }
        let start = position
        let step = try parseNumber()
        guard step > 0 else {
            throw error("a step of 0 goes nowhere", from: start, remedy: "write a step of 1 or more")
        }
        guard step <= kind.cycle.count else {
            let advice = kind == .second || kind == .minute || kind == .hour ? "; for a longer rhythm use every:" : ""
            throw error(
                "a step of \(step) is longer than the \(kind.cycle.count) values of the \(kind.name)", from: start,
                remedy: "write a step from 1 to \(kind.cycle.count)" + advice)
        }
        return step
    }

    /// A number or a name.
    private mutating func parseValue() throws(TextError) -> Int {
        let start = position
        if let next, next.isLetter { return try parseName() }
        let value = try parseNumber()
        guard kind.range.contains(value) else {
            throw error("\(value) is out of range", from: start, remedy: "write \(examples)")
        }
        return value
    }

    private mutating func parseName() throws(TextError) -> Int {
        let start = position
        // Names have three letters, so that `FRIL` is `FRI` and `L`.
        var end = start
        while end < range.upperBound, bytes[end].isLetter { end += 1 }
        let word = String(decoding: bytes[start..<end], as: UTF8.self).uppercased()
        if word.utf8.count == 3 || kind == .dayOfWeek && word.utf8.count == 4 && word.hasSuffix("L"),
            let index = kind.names.firstIndex(of: String(word.prefix(3)))
        {
            position = start + 3
            return index + kind.cycle.lowerBound
        }
        position = end
        let meant = kind.names.first { word.hasPrefix($0) } ?? nearestNames(to: word, in: kind.names).first
        throw error(
            "'\(word)' is not understood", from: start,
            remedy: meant.map { "did you mean \($0)?" } ?? "write \(examples)")
    }

    private mutating func parseNumber() throws(TextError) -> Int {
        let start = position
        var number = 0
        while let next, next.isDigit {
            number = min(number * 10 + Int(next - UInt8(ascii: "0")), 1_000_000)
            position += 1
        }
        guard position > start else {
            throw error(
                next == nil ? "a number is missing" : "a number was expected", from: start, remedy: "write \(examples)")
        }
        return number
    }

    private var examples: String {
        switch kind {
        case .second, .minute: "0 to 59, a range 0-30, a list 0,30 or a step */15"
        case .hour: "0 to 23, a range 9-17, a list 7,9 or a step */2"
        case .dayOfMonth: "1 to 31, a range 1-7, a list 1,15, a step */2, L for the last day or 15W"
        case .month: "1 to 12 or JAN to DEC, a range JUN-AUG, a list 1,7 or a step */3"
        case .dayOfWeek: "0 to 7 or SUN to SAT, a range MON-FRI, a list MON,WED, MON#2 or FRIL"
        }
    }

    /// An error about the part from `start` to where the parser is, or about the character that comes next.
    private func error(_ problem: String, from start: Int? = nil, remedy: String) -> TextError {
        let begin = start ?? range.lowerBound
        var end = position
        if end <= begin, begin < range.upperBound {
            end = begin + 1
            while end < range.upperBound, bytes[end] & 0xC0 == 0x80 { end += 1 }
        }
        return TextError(
            offset: begin, length: max(0, end - begin), problem: "in the \(kind.name) field, " + problem, remedy: remedy
        )
    }
}

extension CronField {
    fileprivate mutating func add(_ range: ClosedRange<Int>, step: Int) {
        for value in stride(from: range.lowerBound, through: range.upperBound, by: step) {
            values |= 1 << UInt64(value)
        }
    }

    fileprivate mutating func add(value: Int, of kind: CronFieldKind) {
        values |= 1 << UInt64(kind == .dayOfWeek ? value % 7 : value)
    }

    /// A range that runs backwards goes on past the end of the cycle: `FRI-MON`, `22-4`.
    fileprivate mutating func add(from first: Int, to last: Int, step: Int, of kind: CronFieldKind) {
        let cycle = kind.cycle
        let end = first <= last ? last : last + cycle.count
        for value in stride(from: first, through: end, by: step) {
            values |= 1 << UInt64((value - cycle.lowerBound) % cycle.count + cycle.lowerBound)
        }
    }
}
