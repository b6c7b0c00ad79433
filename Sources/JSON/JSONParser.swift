extension JSON {
    /// How deeply arrays and objects may stand in each other. It bounds the parser's recursion.
    package static let maximumDepth = 512

    /// Reads exactly one JSON value (RFC 8259) with white space around it and nothing else.
    ///
    /// - The last of two equal keys of an object wins.
    /// - A whole number that does not fit into `Int64` becomes a `double`; one too large for a `double` is an error.
    /// - Half of a surrogate pair, bytes that are not UTF-8 and a byte order mark are errors.
    package init(parsing bytes: Span<UInt8>, maximumDepth: Int = Self.maximumDepth) throws(JSONSyntaxError) {
        var parser = JSONParser(maximumDepth: maximumDepth)
        self = try parser.document(bytes)
    }

    package init(parsing bytes: [UInt8], maximumDepth: Int = Self.maximumDepth) throws(JSONSyntaxError) {
        try self.init(parsing: bytes.span, maximumDepth: maximumDepth)
    }

    package init(parsing text: String, maximumDepth: Int = Self.maximumDepth) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8.span, maximumDepth: maximumDepth)
    }
}

/// Recursive descent over bytes. The text is passed along instead of stored, since a span must not outlive its owner.
struct JSONParser {
    private let maximumDepth: Int
    private var position = 0
    /// The bytes of a string that has escapes.
    private var unescaped: [UInt8] = []

    init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

    mutating func document(_ bytes: Span<UInt8>) throws(JSONSyntaxError) -> JSON {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw failure("it starts with a byte order mark; save it as UTF-8 without one", bytes)
        }
        skipWhitespace(bytes)
        let value = try value(bytes, depth: 0)
        skipWhitespace(bytes)
        guard position == bytes.count else { throw failure("something follows after the end of the value", bytes) }
        return value
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONSyntaxError) -> JSON {
        guard position < bytes.count else { throw failure("it ends where a value is expected", bytes) }
        switch bytes[position] {
        case UInt8(ascii: "\""): return .string(try string(bytes))
        case UInt8(ascii: "{"): return .object(try object(bytes, depth: depth))
        case UInt8(ascii: "["): return .array(try array(bytes, depth: depth))
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return try number(bytes)
        case UInt8(ascii: "t"): return try word("true", .bool(true), bytes)
        case UInt8(ascii: "f"): return try word("false", .bool(false), bytes)
        case UInt8(ascii: "n"): return try word("null", .null, bytes)
        default: throw failure("a value is expected here", bytes)
        }
    }

    private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(JSONSyntaxError) -> JSONObject {
        try enter(depth, bytes)
        var object = JSONObject()
        if takeThenSkip(UInt8(ascii: "}"), bytes) { return object }
        while true {
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw failure("a member's name in double quotes is expected here", bytes)
            }
            let key = try string(bytes)
            skipWhitespace(bytes)
            guard takeThenSkip(UInt8(ascii: ":"), bytes) else {
                throw failure("a colon is expected after the name", bytes)
            }
            object[key] = try value(bytes, depth: depth + 1)
            skipWhitespace(bytes)
            if takeThenSkip(UInt8(ascii: ","), bytes) { continue }
            if take(UInt8(ascii: "}"), bytes) { return object }
            throw failure("a comma or } is expected after a member", bytes)
        }
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONSyntaxError) -> [JSON] {
        try enter(depth, bytes)
        var elements: [JSON] = []
        if takeThenSkip(UInt8(ascii: "]"), bytes) { return elements }
        while true {
            elements.append(try value(bytes, depth: depth + 1))
            skipWhitespace(bytes)
            if takeThenSkip(UInt8(ascii: ","), bytes) { continue }
            if take(UInt8(ascii: "]"), bytes) { return elements }
            throw failure("a comma or ] is expected after an element", bytes)
        }
    }

    /// Steps over the opening bracket.
    private mutating func enter(_ depth: Int, _ bytes: Span<UInt8>) throws(JSONSyntaxError) {
        guard depth < maximumDepth else {
            throw failure("arrays and objects are nested more than \(maximumDepth) deep", bytes)
        }
        position += 1
        skipWhitespace(bytes)
    }

    private func failure(_ message: String, _ bytes: Span<UInt8>) -> JSONSyntaxError {
        JSONSyntaxError(message, at: position, in: bytes)
    }
}

// MARK: - Words and white space

extension JSONParser {
    private mutating func skipWhitespace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
            default: return
            }
        }
    }

    /// Steps over this byte and the white space after it, if it stands here.
    private mutating func takeThenSkip(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard take(byte, bytes) else { return false }
        skipWhitespace(bytes)
        return true
    }

    /// Steps over this byte alone, if it stands here.
    private mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func word(
        _ text: StaticString, _ value: JSON, _ bytes: Span<UInt8>
    ) throws(JSONSyntaxError) -> JSON {
        let text = String(describing: text)
        for (index, byte) in text.utf8.enumerated() {
            guard position + index < bytes.count, bytes[position + index] == byte else {
                throw failure("a value is expected here; did you mean \(text)?", bytes)
            }
        }
        position += text.utf8.count
        return value
    }
}

// MARK: - Strings

extension JSONParser {
    private mutating func string(_ bytes: Span<UInt8>) throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                let text = try text(bytes.extracting(start..<position), from: start, bytes)
                position += 1
                return text
            case UInt8(ascii: "\\"): return try escapedString(bytes, from: start)
            case 0..<0x20: throw failure("a control character inside a string must be written as an escape", bytes)
            default: position += 1
            }
        }
        throw failure("it ends inside a string", bytes)
    }

    /// The rest of a string whose first escape stands at `position`.
    private mutating func escapedString(_ bytes: Span<UInt8>, from start: Int) throws(JSONSyntaxError) -> String {
        unescaped.removeAll(keepingCapacity: true)
        for index in start..<position { unescaped.append(bytes[index]) }
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                let text = try text(unescaped.span, from: start, bytes)
                position += 1
                return text
            case UInt8(ascii: "\\"): try appendEscape(bytes)
            case 0..<0x20: throw failure("a control character inside a string must be written as an escape", bytes)
            default:
                unescaped.append(byte)
                position += 1
            }
        }
        throw failure("it ends inside a string", bytes)
    }

    private func text(
        _ content: Span<UInt8>, from start: Int, _ bytes: Span<UInt8>
    ) throws(JSONSyntaxError) -> String {
        do {
            return String(copying: try UTF8Span(validating: content))
        } catch {
            throw JSONSyntaxError("this string is not valid UTF-8", at: start, in: bytes)
        }
    }

    private mutating func appendEscape(_ bytes: Span<UInt8>) throws(JSONSyntaxError) {
        guard position + 1 < bytes.count else { throw failure("it ends inside a string", bytes) }
        let simple: UInt8
        switch bytes[position + 1] {
        case UInt8(ascii: "\""): simple = UInt8(ascii: "\"")
        case UInt8(ascii: "\\"): simple = UInt8(ascii: "\\")
        case UInt8(ascii: "/"): simple = UInt8(ascii: "/")
        case UInt8(ascii: "b"): simple = 0x08
        case UInt8(ascii: "f"): simple = 0x0C
        case UInt8(ascii: "n"): simple = UInt8(ascii: "\n")
        case UInt8(ascii: "r"): simple = UInt8(ascii: "\r")
        case UInt8(ascii: "t"): simple = UInt8(ascii: "\t")
        case UInt8(ascii: "u"):
            let scalar = try unicodeEscape(bytes)
            unescaped.append(contentsOf: Character(scalar).utf8)
            return
        default: throw failure("there is no such escape; a backslash itself is written \\\\", bytes)
        }
        unescaped.append(simple)
        position += 2
    }

    /// `\uXXXX`, or two of them that make a surrogate pair.
    private mutating func unicodeEscape(_ bytes: Span<UInt8>) throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = position
        let first = try hexadecimal(at: start, bytes)
        if let scalar = Unicode.Scalar(first) {
            position = start + 6
            return scalar
        }
        if first < 0xDC00, start + 7 < bytes.count, bytes[start + 6] == UInt8(ascii: "\\"),
            bytes[start + 7] == UInt8(ascii: "u")
        {
            let second = try hexadecimal(at: start + 6, bytes)
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            {
                position = start + 12
                return scalar
            }
        }
        throw failure("this escape is half of a surrogate pair, which is no character", bytes)
    }

    /// The four digits of the `\u` at this place.
    private func hexadecimal(at start: Int, _ bytes: Span<UInt8>) throws(JSONSyntaxError) -> UInt32 {
        guard start + 6 <= bytes.count else { throw failure("\\u needs four hexadecimal digits", bytes) }
        var value: UInt32 = 0
        for index in start + 2..<start + 6 {
            let digit: UInt8
            switch bytes[index] {
            case let byte where byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case let byte where byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "f"): digit = byte - 87
            case let byte where byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "F"): digit = byte - 55
            default: throw failure("\\u needs four hexadecimal digits", bytes)
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}

// MARK: - Numbers

extension JSONParser {
    private mutating func number(_ bytes: Span<UInt8>) throws(JSONSyntaxError) -> JSON {
        let start = position
        let isNegative = take(UInt8(ascii: "-"), bytes)
        let firstDigit = position
        var magnitude: UInt64 = 0
        var overflows = false
        while let digit = digit(bytes) {
            let (product, tooLarge) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, tooLargeSum) = product.addingReportingOverflow(UInt64(digit))
            overflows = overflows || tooLarge || tooLargeSum
            magnitude = sum
            position += 1
        }
        guard position > firstDigit else { throw failure("a digit is expected here", bytes) }
        if bytes[firstDigit] == UInt8(ascii: "0"), position - firstDigit > 1 {
            position = firstDigit
            throw failure("a number must not start with a zero", bytes)
        }
        var isWhole = true
        if take(UInt8(ascii: "."), bytes) {
            isWhole = false
            try digits(bytes)
        }
        if take(UInt8(ascii: "e"), bytes) || take(UInt8(ascii: "E"), bytes) {
            isWhole = false
            if !take(UInt8(ascii: "-"), bytes) { _ = take(UInt8(ascii: "+"), bytes) }
            try digits(bytes)
        }
        if isWhole, !overflows, let number = Self.signed(magnitude, isNegative: isNegative) { return .int(number) }
        return .double(try double(bytes.extracting(start..<position), at: start, bytes))
    }

    private func digit(_ bytes: Span<UInt8>) -> UInt8? {
        guard position < bytes.count else { return nil }
        let digit = bytes[position] &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }

    private mutating func digits(_ bytes: Span<UInt8>) throws(JSONSyntaxError) {
        guard digit(bytes) != nil else { throw failure("a digit is expected here", bytes) }
        while digit(bytes) != nil { position += 1 }
    }

    private static func signed(_ magnitude: UInt64, isNegative: Bool) -> Int64? {
        guard isNegative else { return Int64(exactly: magnitude) }
        if magnitude == UInt64(Int64.max) + 1 { return .min }
        return Int64(exactly: magnitude).map { -$0 }
    }

    private func double(
        _ text: Span<UInt8>, at start: Int, _ bytes: Span<UInt8>
    ) throws(JSONSyntaxError) -> Double {
        let characters = try self.text(text, from: start, bytes)
        guard let number = Double(characters), number.isFinite else {
            throw JSONSyntaxError("this number is too large for a 64-bit float", at: start, in: bytes)
        }
        return number
    }
}
