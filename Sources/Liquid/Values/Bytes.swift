// Liquid compares and cuts text by bytes and Unicode scalars. Swift's own `==` on strings is canonical equivalence and its
// `count` is in grapheme clusters, so neither is used on template text.

extension String {
    /// Equality of the UTF-8 bytes.
    func hasSameBytes(as other: String) -> Bool {
        let mine = utf8.span
        let theirs = other.utf8.span
        guard mine.count == theirs.count else { return false }
        for index in mine.indices where mine[index] != theirs[index] { return false }
        return true
    }

    /// Order of the UTF-8 bytes, which is the order of the Unicode scalars: negative, zero or positive.
    func compareBytes(to other: String) -> Int {
        let mine = utf8.span
        let theirs = other.utf8.span
        for index in 0..<min(mine.count, theirs.count) where mine[index] != theirs[index] {
            return mine[index] < theirs[index] ? -1 : 1
        }
        return mine.count - theirs.count
    }

    init(bytes: some Collection<UInt8>) { self.init(decoding: bytes, as: UTF8.self) }

    var isASCII: Bool {
        let bytes = utf8.span
        for index in bytes.indices where bytes[index] >= 0x80 { return false }
        return true
    }

    /// The number of Unicode scalars.
    var scalarCount: Int {
        var count = 0
        let bytes = utf8.span
        for index in bytes.indices where bytes[index] & 0xC0 != 0x80 { count &+= 1 }
        return count
    }

    /// The UTF-8 offset at which the scalar with this number begins; the end when there are not so many.
    func utf8Offset(ofScalar number: Int) -> Int {
        var remaining = number
        let bytes = utf8.span
        for index in bytes.indices where bytes[index] & 0xC0 != 0x80 {
            if remaining == 0 { return index }
            remaining &-= 1
        }
        return bytes.count
    }

    /// The part between two UTF-8 offsets, which must lie between scalars.
    func slice(utf8 range: Range<Int>) -> String {
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        let end = utf8.index(start, offsetBy: range.count)
        return String(unicodeScalars[start..<end])
    }
}

extension UInt8 {
    /// Space, tab, line feed, vertical tab, form feed, carriage return.
    var isASCIISpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
    var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }
    var isASCIILetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }
    /// A letter, digit or underscore.
    var isWord: Bool { isASCIILetter || isASCIIDigit || self == 0x5F }
}

/// A dictionary key that is equal when the bytes are.
struct ByteKey: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ByteKey, right: ByteKey) -> Bool { left.text.hasSameBytes(as: right.text) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
