/// base64url without padding (RFC 4648 section 5, RFC 7515 section 2).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each byte as a digit; 0xFF where it is none. Plain base64's `+` and `/` count too.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        values[Int(UInt8(ascii: "+"))] = 62
        values[Int(UInt8(ascii: "/"))] = 63
        return values
    }()

    package static func encode(_ bytes: [UInt8]) -> String {
        var text = [UInt8]()
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    static func append(_ bytes: some Collection<UInt8>, to text: inout [UInt8]) {
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(alphabet[Int(bits >> bitCount & 0x3F)])
            }
        }
        if bitCount > 0 { text.append(alphabet[Int(bits << (6 - bitCount) & 0x3F)]) }
    }

    /// Reads base64url or plain base64, padded or not.
    ///
    /// - Returns: `nil` where a character is neither a digit nor padding at the end, where the length is impossible, or
    ///   where the last digit has bits that no encoder sets (RFC 4648 section 3.5), so that two texts never mean the
    ///   same bytes.
    package static func decode(_ text: String) -> [UInt8]? {
        var digits = Array(text.utf8)
        var padding = 0
        while digits.last == UInt8(ascii: "=") {
            digits.removeLast()
            padding += 1
        }
        guard digits.count % 4 != 1, padding == 0 || (digits.count + padding).isMultiple(of: 4), padding < 3 else {
            return nil
        }
        var bytes = [UInt8]()
        bytes.reserveCapacity(digits.count * 3 / 4)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for digit in digits {
            let value = values[Int(digit)]
            guard value != 0xFF else { return nil }
            bits = (bits << 6 | UInt32(value)) & 0xFFFF
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        return bits & (1 << bitCount - 1) == 0 ? bytes : nil
    }
}
