/// The number by which the store finds a token, device id or user id.
///
/// Tokens are long and random: an index of their texts is larger than the table, and every new registration changes a
/// page of it in another place. An index of 64-bit numbers is a fraction of that, which is what makes imports fast. Two
/// texts may share a number, so whoever looks up compares the text as well.
///
/// SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012) under a key of the store: clients
/// choose their tokens, and without the key nobody can choose many that share a number.
struct LookupHash: Sendable, Hashable {
    var key0: UInt64
    var key1: UInt64

    func callAsFunction(_ text: String) -> Int64 {
        let utf8 = text.utf8.span
        var state = State(key0, key1)
        var position = 0
        while position + 8 <= utf8.count {
            state.absorb(Self.word(utf8, from: position, count: 8))
            position += 8
        }
        let last = Self.word(utf8, from: position, count: utf8.count - position)
        state.absorb(last | UInt64(utf8.count & 0xFF) << 56)
        return Int64(bitPattern: state.finish())
    }

    /// Up to eight bytes in little-endian order.
    private static func word(_ bytes: Span<UInt8>, from start: Int, count: Int) -> UInt64 {
        var word: UInt64 = 0
        for offset in 0..<count { word |= UInt64(bytes[start + offset]) << UInt64(offset * 8) }
        return word
    }

    private struct State {
        private var v0, v1, v2, v3: UInt64

        init(_ key0: UInt64, _ key1: UInt64) {
            v0 = key0 ^ 0x736F_6D65_7073_6575
            v1 = key1 ^ 0x646F_7261_6E64_6F6D
            v2 = key0 ^ 0x6C79_6765_6E65_7261
            v3 = key1 ^ 0x7465_6462_7974_6573
        }

        mutating func absorb(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        mutating func finish() -> UInt64 {
            v2 ^= 0xFF
            for _ in 0..<4 { round() }
            return v0 ^ v1 ^ v2 ^ v3
        }

        private mutating func round() {
            v0 &+= v1
            v1 = rotated(v1, 13) ^ v0
            v0 = rotated(v0, 32)
            v2 &+= v3
            v3 = rotated(v3, 16) ^ v2
            v0 &+= v3
            v3 = rotated(v3, 21) ^ v0
            v2 &+= v1
            v1 = rotated(v1, 17) ^ v2
            v2 = rotated(v2, 32)
        }

        private func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 - bits) }
    }
}

extension LookupHash {
    /// Reads the key that the store was made with.
    init(of connection: Connection) throws(StorageError) {
        let statement = try connection.prepare("SELECT key0, key1 FROM lookup_key")
        guard try statement.step() else {
            throw StorageError(
                .corrupt, action: "open the store", location: connection.path, detail: "the lookup key is missing")
        }
        self.init(key0: UInt64(bitPattern: statement.int(0)), key1: UInt64(bitPattern: statement.int(1)))
        statement.reset()
    }
}
