/// A length of real time in whole seconds, written like `90s`, `5m`, `12h`, `7d`, `2w` or `1h30m`.
///
/// A day is 24 hours and a week is 168 of them, whatever the clocks do.
package struct TimeSpan: Sendable, Hashable {
    package let seconds: Int64

    /// The longest span that can be written: 100 years of 366 days.
    package static let longest = TimeSpan(seconds: 100 * 366 * 86_400)

    package init(seconds: Int64) { self.seconds = seconds }

    package init(parsing text: String) throws(TextError) {
        var scanner = TextScanner(text)
        var total: Int64 = 0
        var lastUnit = Int64.max
        repeat {
            let start = scanner.position
            let number = try Self.scanNumber(&scanner)
            let unit = try Self.scanUnit(&scanner)
            guard unit < lastUnit else {
                throw scanner.error(
                    "larger units come first, and each once", from: start, remedy: "write it like 1h30m")
            }
            lastUnit = unit
            let (part, tooLarge) = number.multipliedReportingOverflow(by: unit)
            guard !tooLarge, part <= Self.longest.seconds, total + part <= Self.longest.seconds else {
                throw scanner.error("this is longer than 100 years", from: start, remedy: "write a shorter time")
            }
            total += part
        } while !scanner.isAtEnd
        self.init(seconds: total)
    }

    private static func scanNumber(_ scanner: inout TextScanner) throws(TextError) -> Int64 {
        let start = scanner.position
        guard scanner.skipDigits() > 0 else {
            throw scanner.error("a length of time begins with a number", remedy: "write it like 90s, 5m, 12h or 7d")
        }
        let digits = String(decoding: scanner.bytes[start..<scanner.position], as: UTF8.self)
        guard let number = Int64(digits) else {
            throw scanner.error("this number is too large", from: start, remedy: "write a shorter time")
        }
        return number
    }

    private static func scanUnit(_ scanner: inout TextScanner) throws(TextError) -> Int64 {
        let units: [(UInt8, Int64)] = [
            (UInt8(ascii: "s"), 1), (UInt8(ascii: "m"), 60), (UInt8(ascii: "h"), 3_600), (UInt8(ascii: "d"), 86_400),
            (UInt8(ascii: "w"), 604_800),
        ]
        guard let letter = scanner.next, let unit = units.first(where: { $0.0 == letter }) else {
            throw scanner.error("the number needs a unit", remedy: "put s, m, h, d or w after it, as in 5m")
        }
        scanner.advance()
        return unit.1
    }
}

extension TimeSpan: CustomStringConvertible {
    /// `1h30m`
    package var description: String {
        guard seconds > 0 else { return "0s" }
        var rest = seconds
        var text = ""
        for (letter, unit) in [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)] as [(String, Int64)]
        where rest >= unit {
            text += "\(rest / unit)\(letter)"
            rest %= unit
        }
        return text
    }
}
