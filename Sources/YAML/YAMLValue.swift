/// What a scalar means under YAML 1.2's core schema (section 10.3.2).
///
/// Quoted and block scalars are always strings. `no`, `on`, `08:30` and dates are strings; `012` is the number 12,
/// and its text stays at hand for where a string is wanted.
package enum YAMLValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string

    package init(plain text: String) {
        var text = text
        self = text.withUTF8 { unsafe Self.resolve($0.span) }
    }

    private static func resolve(_ bytes: Span<UInt8>) -> YAMLValue {
        guard !bytes.isEmpty else { return .null }
        switch bytes[0] {
        case UInt8(ascii: "~"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "t"), UInt8(ascii: "T"),
            UInt8(ascii: "f"), UInt8(ascii: "F"):
            return word(bytes)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            return number(bytes)
        default:
            return .string
        }
    }

    private static func word(_ bytes: Span<UInt8>) -> YAMLValue {
        guard bytes.count <= 5 else { return .string }
        switch text(of: bytes, from: 0) {
        case "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: return .string
        }
    }

    private static func number(_ bytes: Span<UInt8>) -> YAMLValue {
        if bytes.count > 2, bytes[0] == UInt8(ascii: "0") {
            if bytes[1] == UInt8(ascii: "x") { return based(bytes, radix: 16) }
            if bytes[1] == UInt8(ascii: "o") { return based(bytes, radix: 8) }
        }
        let signed = bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-")
        let start = signed ? 1 : 0
        let whole = digits(bytes, from: start)
        if whole == bytes.count, whole > start {
            let written = text(of: bytes, from: 0)
            return Int64(written).map(YAMLValue.int) ?? Double(written).map(YAMLValue.double) ?? .string
        }
        switch text(of: bytes, from: start) {
        case ".inf", ".Inf", ".INF": return .double(bytes[0] == UInt8(ascii: "-") ? -.infinity : .infinity)
        case ".nan", ".NaN", ".NAN": return signed ? .string : .double(.nan)
        default: break
        }
        guard isFraction(bytes, from: start) else { return .string }
        return Double(text(of: bytes, from: 0)).map(YAMLValue.double) ?? .string
    }

    /// `0x1F` and `0o17`, which take no sign; one too large for 64 bits stays text.
    private static func based(_ bytes: Span<UInt8>, radix: Int) -> YAMLValue {
        guard bytes[2] != UInt8(ascii: "+"), bytes[2] != UInt8(ascii: "-") else { return .string }
        return Int64(text(of: bytes, from: 2), radix: radix).map(YAMLValue.int) ?? .string
    }

    private static func digits(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] >= UInt8(ascii: "0"), bytes[index] <= UInt8(ascii: "9") { index += 1 }
        return index
    }

    /// `(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
    private static func isFraction(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        var index = digits(bytes, from: start)
        var count = index - start
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            let end = digits(bytes, from: index + 1)
            count += end - index - 1
            index = end
        }
        guard count > 0 else { return false }
        guard index < bytes.count else { return true }
        guard bytes[index] == UInt8(ascii: "e") || bytes[index] == UInt8(ascii: "E") else { return false }
        index += 1
        if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
        return index < bytes.count && digits(bytes, from: index) == bytes.count
    }

    private static func text(of bytes: Span<UInt8>, from start: Int) -> String {
        var text = ""
        text.reserveCapacity(bytes.count - start)
        for index in start..<bytes.count { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
        return text
    }

    /// What a person calls this kind of value.
    package var kindName: String {
        switch self {
        case .null: "nothing"
        case .bool: "true or false"
        case .int: "a number"
        case .double: "a number"
        case .string: "text"
        }
    }
}
