/// `strftime` as in Ruby: `%`, flags (`-` no padding, `0`, `_` and a space pad, `^` capitals, `#` the other case, `:` colons
/// in `%z`), a width, and a letter.
struct DateFormatter {
    private let time: DateTime
    private let date: CivilDate
    private var output: [UInt8] = []

    /// The widest field a format may ask for.
    private static let maximumWidth = 1024

    static func format(_ time: DateTime, _ format: String) -> String {
        var formatter = DateFormatter(time)
        formatter.append(Array(format.utf8)[...])
        return String(decoding: formatter.output, as: UTF8.self)
    }

    private init(_ time: DateTime) {
        self.time = time
        self.date = time.date
    }

    private struct Flags {
        var padding: UInt8?
        var isUnpadded = false
        var isUppercase = false
        var swapsCase = false
        var colons = 0
        var width: Int?
    }

    private mutating func append(_ format: ArraySlice<UInt8>) {
        var rest = format
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                output.append(byte)
                continue
            }
            let directive = rest
            var flags = Flags()
            DateFormatter.readFlags(&flags, &rest)
            guard let letter = rest.popFirst(), append(letter, flags) else {
                // What is no directive stays as it is.
                output.append(byte)
                output.append(contentsOf: directive[directive.startIndex..<rest.startIndex])
                continue
            }
        }
    }

    private static func readFlags(_ flags: inout Flags, _ rest: inout ArraySlice<UInt8>) {
        loop: while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "-"): flags.isUnpadded = true
            case UInt8(ascii: "0"): flags.padding = byte
            case UInt8(ascii: "_"): flags.padding = 0x20
            case UInt8(ascii: "^"): flags.isUppercase = true
            case UInt8(ascii: "#"): flags.swapsCase = true
            case UInt8(ascii: ":"): flags.colons += 1
            default: break loop
            }
            rest = rest.dropFirst()
        }
        while let byte = rest.first, byte.isASCIIDigit {
            flags.width = min((flags.width ?? 0) * 10 + Int(byte & 0x0F), maximumWidth)
            rest = rest.dropFirst()
        }
        // The locale modifiers change nothing here.
        if let byte = rest.first, byte == UInt8(ascii: "E") || byte == UInt8(ascii: "O") { rest = rest.dropFirst() }
    }

    /// - Returns: whether there is such a directive.
    private mutating func append(_ letter: UInt8, _ flags: Flags) -> Bool {
        if flags.colons > 0, letter != UInt8(ascii: "z") { return false }
        if let (value, width, padding) = number(letter) {
            append(number: value, width: width, padding: padding, flags)
        } else if let composite = DateFormatter.composites[letter] {
            var inner = DateFormatter(time)
            inner.append(Array(composite.utf8)[...])
            append(text: inner.output, flags)
        } else if let text = text(letter, flags) {
            append(text: Array(text.utf8), flags)
        } else {
            return appendSpecial(letter, flags)
        }
        return true
    }

    private static let composites: [UInt8: String] = [
        UInt8(ascii: "c"): "%a %b %e %H:%M:%S %Y", UInt8(ascii: "D"): "%m/%d/%y", UInt8(ascii: "x"): "%m/%d/%y",
        UInt8(ascii: "F"): "%Y-%m-%d", UInt8(ascii: "R"): "%H:%M", UInt8(ascii: "r"): "%I:%M:%S %p",
        UInt8(ascii: "T"): "%H:%M:%S", UInt8(ascii: "X"): "%H:%M:%S", UInt8(ascii: "v"): "%e-%^b-%Y",
        UInt8(ascii: "+"): "%a %b %e %H:%M:%S %Z %Y",
    ]

    private func number(_ letter: UInt8) -> (value: Int, width: Int, padding: UInt8)? {
        let zero = UInt8(ascii: "0")
        let space: UInt8 = 0x20
        switch letter {
        case UInt8(ascii: "Y"): return (date.year, date.year < 0 ? 5 : 4, zero)
        case UInt8(ascii: "C"): return (Int(Int64(date.year).flooredQuotient(100)), 2, zero)
        case UInt8(ascii: "y"): return (((date.year % 100) + 100) % 100, 2, zero)
        case UInt8(ascii: "m"): return (date.month, 2, zero)
        case UInt8(ascii: "d"): return (date.day, 2, zero)
        case UInt8(ascii: "e"): return (date.day, 2, space)
        case UInt8(ascii: "j"): return (date.dayOfYear, 3, zero)
        case UInt8(ascii: "H"): return (time.hour, 2, zero)
        case UInt8(ascii: "k"): return (time.hour, 2, space)
        case UInt8(ascii: "I"): return ((time.hour + 11) % 12 + 1, 2, zero)
        case UInt8(ascii: "l"): return ((time.hour + 11) % 12 + 1, 2, space)
        case UInt8(ascii: "M"): return (time.minute, 2, zero)
        case UInt8(ascii: "S"): return (time.second, 2, zero)
        case UInt8(ascii: "u"): return ((date.weekday + 6) % 7 + 1, 1, zero)
        case UInt8(ascii: "w"): return (date.weekday, 1, zero)
        case UInt8(ascii: "U"): return ((date.dayOfYear + 6 - date.weekday) / 7, 2, zero)
        case UInt8(ascii: "W"): return ((date.dayOfYear + 6 - (date.weekday + 6) % 7) / 7, 2, zero)
        case UInt8(ascii: "V"): return (date.isoWeek.week, 2, zero)
        case UInt8(ascii: "G"): return (date.isoWeek.year, 4, zero)
        case UInt8(ascii: "g"): return (((date.isoWeek.year % 100) + 100) % 100, 2, zero)
        case UInt8(ascii: "s"): return (Int(time.instant.seconds), 1, zero)
        default: return nil
        }
    }

    private var meridiem: String { time.hour < 12 ? "am" : "pm" }

    private func text(_ letter: UInt8, _ flags: Flags) -> String? {
        /// Names have no other case than capitals to change to.
        func name(_ name: some StringProtocol) -> String { flags.swapsCase ? name.uppercased() : String(name) }
        switch letter {
        case UInt8(ascii: "A"): return name(DateNames.weekdays[date.weekday])
        case UInt8(ascii: "a"): return name(DateNames.weekdays[date.weekday].prefix(3))
        case UInt8(ascii: "B"): return name(DateNames.months[date.month - 1])
        case UInt8(ascii: "b"), UInt8(ascii: "h"): return name(DateNames.months[date.month - 1].prefix(3))
        case UInt8(ascii: "p"): return flags.swapsCase ? meridiem : meridiem.uppercased()
        case UInt8(ascii: "P"): return flags.swapsCase ? meridiem.uppercased() : meridiem
        case UInt8(ascii: "Z"): return flags.swapsCase ? time.abbreviation.lowercased() : time.abbreviation
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "%"): return "%"
        default: return nil
        }
    }

    private mutating func appendSpecial(_ letter: UInt8, _ flags: Flags) -> Bool {
        switch letter {
        case UInt8(ascii: "z"): appendOffset(flags)
        case UInt8(ascii: "L"): appendFraction(digits: flags.width ?? 3)
        case UInt8(ascii: "N"): appendFraction(digits: flags.width ?? 9)
        default: return false
        }
        return true
    }

    private mutating func append(number: Int, width: Int, padding: UInt8, _ flags: Flags) {
        let digits = Array(String(number.magnitude).utf8)
        let sign: [UInt8] = number < 0 ? [UInt8(ascii: "-")] : []
        let wanted = flags.isUnpadded ? 0 : flags.width ?? width
        let padding = flags.padding ?? padding
        let fill = [UInt8](repeating: padding, count: max(0, wanted - digits.count - sign.count))
        output += padding == 0x20 ? fill + sign + digits : sign + fill + digits
    }

    private mutating func append(text: [UInt8], _ flags: Flags) {
        let text = flags.isUppercase ? text.map(\.uppercasedASCII) : text
        let fill = max(0, (flags.isUnpadded ? 0 : flags.width ?? 0) - text.count)
        output += [UInt8](repeating: flags.padding ?? 0x20, count: fill) + text
    }

    private mutating func appendFraction(digits: Int) {
        let nanoseconds = Array(String(Int(time.instant.nanoseconds) + 1_000_000_000).utf8.dropFirst())
        output += nanoseconds.prefix(digits)
        if digits > 9 { output += [UInt8](repeating: UInt8(ascii: "0"), count: digits - 9) }
    }

    private mutating func appendOffset(_ flags: Flags) {
        let minutes = abs(time.offset) / 60
        let parts = [minutes / 60, minutes % 60, abs(time.offset) % 60].map { value in
            Array(String(value + 100).utf8.dropFirst())
        }
        let colon: [UInt8] = [UInt8(ascii: ":")]
        var body: [UInt8]
        switch flags.colons {
        case 0: body = parts[0] + parts[1]
        case 1: body = parts[0] + colon + parts[1]
        case 2: body = parts[0] + colon + parts[1] + colon + parts[2]
        default:
            body = parts[0]
            if abs(time.offset) % 3600 != 0 { body += colon + parts[1] }
            if abs(time.offset) % 60 != 0 { body += colon + parts[2] }
        }
        let sign = UInt8(ascii: time.offset < 0 ? "-" : "+")
        if flags.isUnpadded, body.first == UInt8(ascii: "0") { body.removeFirst() }
        let fill = max(0, (flags.width ?? 0) - body.count - 1)
        if flags.padding == 0x20 {
            output += [UInt8](repeating: 0x20, count: fill) + [sign] + body
        } else {
            output += [sign] + [UInt8](repeating: UInt8(ascii: "0"), count: fill) + body
        }
    }
}

enum DateNames {
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
