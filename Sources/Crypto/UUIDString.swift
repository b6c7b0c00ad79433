/// UUIDs as the lower-case text of RFC 9562 section 4, which is the form `apns-id` takes.
package enum UUIDString {
    private static let digits = Array("0123456789abcdef".utf8)

    /// A random UUID (version 4).
    package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return text(high: generator.next(), low: generator.next(), version: 4)
    }

    /// The UUID that belongs to a name: the same name always gives the same one (version 8, from the first 16 bytes of
    /// the name's SHA-256).
    package static func derived(from name: [UInt8]) -> String {
        let digest = SHA256.digest(of: name)
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return text(high: word(digest[0..<8]), low: word(digest[8..<16]), version: 8)
    }

    package static func derived(from name: String) -> String { derived(from: Array(name.utf8)) }

    private static func text(high: UInt64, low: UInt64, version: UInt64) -> String {
        let high = high & ~0xF000 | version << 12
        let low = low & ~(0b11 << 62) | 0b10 << 62
        return unsafe String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    unsafe buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let word = index < 16 ? high : low
                let shift = UInt64(60 - 4 * (index & 15))
                unsafe buffer[position] = digits[Int(word >> shift & 0xF)]
                position += 1
            }
            return position
        }
    }
}
