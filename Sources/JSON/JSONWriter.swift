/// Writes JSON into a buffer that may be used again and again, without building values first.
///
/// Commas, colons and (when pretty) line breaks are set by the writer; what is open and closed is the caller's business.
package struct JSONWriter: Sendable {
    /// What has been written so far.
    package private(set) var bytes: [UInt8] = []
    private let isPretty: Bool
    private var needsComma = false
    private var followsKey = false
    private var depth = 0

    /// - Parameter pretty: One member or element a line, indented by two spaces.
    package init(pretty: Bool = false) { isPretty = pretty }

    /// Empties the buffer and keeps its memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
        followsKey = false
        depth = 0
    }

    /// Ends a line of a JSON-lines file; the next value stands alone again.
    package mutating func newline() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    package mutating func key(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        if isPretty { bytes.append(UInt8(ascii: " ")) }
        followsKey = true
    }

    package mutating func string(_ text: String) {
        separate()
        quote(text)
        needsComma = true
    }

    package mutating func int(_ number: some BinaryInteger) { scalar(String(number)) }

    /// The shortest digits that read back as the same number. What is no number (not finite) is `null`, as in JavaScript.
    package mutating func double(_ number: Double) { scalar(number.isFinite ? number.description : "null") }

    package mutating func bool(_ value: Bool) { scalar(value ? "true" : "false") }
    package mutating func null() { scalar("null") }

    package mutating func value(_ value: JSON) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .int(let number): int(number)
        case .double(let number): double(number)
        case .string(let text): string(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object {
                key(member.key)
                self.value(member.value)
            }
            endObject()
        }
    }

    /// Bytes that are one whole JSON value already.
    package mutating func raw(_ json: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    private mutating func scalar(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
        depth += 1
    }

    private mutating func close(_ bracket: UInt8) {
        depth -= 1
        if needsComma { breakLine() }
        bytes.append(bracket)
        needsComma = true
    }

    /// What must stand before the next key or value.
    private mutating func separate() {
        if followsKey {
            followsKey = false
            needsComma = false
            return
        }
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        if depth > 0 { breakLine() }
        needsComma = false
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }
}

// MARK: - Strings

extension JSONWriter {
    /// A string in quotes. A Swift string is always valid UTF-8, so only what RFC 8259 section 7 asks for is escaped.
    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if Self.needsEscapes(text) {
            for byte in text.utf8 { append(escaping: byte) }
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscapes(_ text: String) -> Bool {
        let utf8 = text.utf8.span
        for index in utf8.indices {
            let byte = utf8[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return true }
        }
        return false
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
        case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
        case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
        case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 0xF)])
        default: bytes.append(byte)
        }
    }
}

extension JSON {
    /// The value as JSON text in UTF-8.
    package func serializedBytes(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        writer.value(self)
        return writer.bytes
    }

    /// The value as JSON text.
    package func serialized(pretty: Bool = false) -> String {
        String(decoding: serializedBytes(pretty: pretty), as: UTF8.self)
    }
}
