/// What is looked at before the parser sees a byte, so that a file that is no YAML at all says so plainly.
enum SourceChecks {
    static func run(on source: SourceText, limits: YAMLLimits) throws(YAMLError) {
        let bytes = source.bytes
        guard bytes.count <= limits.bytes else {
            throw YAMLError(
                .tooLarge, "the file has \(bytes.count) bytes; at most \(limits.bytes) are read", source: source,
                range: SourceRange(start: 0, end: 0))
        }
        guard bytes.count > source.textStart else {
            throw YAMLError(.empty, "the file is empty", source: source, range: SourceRange(start: 0, end: 0))
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw YAMLError(
                .encoding, "the file is UTF-16; save it as UTF-8", source: source, range: SourceRange(start: 0, end: 0))
        }
        if let offset = bytes.firstIndex(of: 0) {
            throw YAMLError(
                .binary, "the file is not text: byte \(offset) is NUL", source: source,
                range: SourceRange(start: offset, end: offset + 1))
        }
        try checkCharacters(of: source)
        try checkConflictMarkers(in: source)
    }

    /// UTF-8 must be valid, and YAML allows no control character but tab and line breaks (section 5.1).
    private static func checkCharacters(of source: SourceText) throws(YAMLError) {
        let bytes = source.bytes
        var index = source.textStart
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x20, byte < 0x7F {
                index += 1
                continue
            }
            guard let (scalar, length) = decodeScalar(in: bytes, at: index) else {
                throw YAMLError(
                    .encoding,
                    "the byte 0x\(hexadecimal(UInt32(byte), digits: 2)) is not UTF-8; save the file as UTF-8",
                    source: source, range: SourceRange(start: index, end: index + 1))
            }
            guard isAllowed(scalar) else {
                throw YAMLError(
                    .encoding,
                    "the control character U+\(hexadecimal(scalar, digits: 4)) cannot stand in YAML; "
                        + "in a double-quoted string an escape such as \"\\a\" or \"\\u0007\" can",
                    source: source, range: SourceRange(start: index, end: index + length))
            }
            index += length
        }
    }

    private static func isAllowed(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// The scalar that begins at `index`, or nil where the bytes are not well-formed UTF-8 (Unicode, table 3-7).
    private static func decodeScalar(in bytes: [UInt8], at index: Int) -> (scalar: UInt32, length: Int)? {
        let first = bytes[index]
        let length: Int
        var scalar: UInt32
        let minimum: UInt32
        switch first {
        case 0x00...0x7F: return (UInt32(first), 1)
        case 0xC2...0xDF: (length, scalar, minimum) = (2, UInt32(first & 0x1F), 0x80)
        case 0xE0...0xEF: (length, scalar, minimum) = (3, UInt32(first & 0x0F), 0x800)
        case 0xF0...0xF4: (length, scalar, minimum) = (4, UInt32(first & 0x07), 0x10000)
        default: return nil
        }
        guard index + length <= bytes.count else { return nil }
        for next in bytes[(index + 1)..<(index + length)] {
            guard next.isUTF8Continuation else { return nil }
            scalar = scalar << 6 | UInt32(next & 0x3F)
        }
        guard scalar >= minimum, scalar <= 0x10FFFF, !(0xD800...0xDFFF).contains(scalar) else { return nil }
        return (scalar, length)
    }

    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func checkConflictMarkers(in source: SourceText) throws(YAMLError) {
        let marker = [UInt8](repeating: UInt8(ascii: "<"), count: 7)
        for line in 1...source.lineCount {
            let range = source.lineRange(line)
            guard range.count >= marker.count, source.bytes[range].starts(with: marker) else { continue }
            guard range.count == marker.count || source.bytes[range.lowerBound + marker.count] == UInt8(ascii: " ")
            else { continue }
            throw YAMLError(
                .conflictMarker, "a git conflict marker: the merge of this file was not finished", source: source,
                range: SourceRange(start: range.lowerBound, end: range.lowerBound + marker.count))
        }
    }
}
