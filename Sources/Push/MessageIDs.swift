/// Message ids of one batch: a UUID that depends on the batch and the registration alone, so that a message that is sent
/// again carries the id it had.
///
/// The 128 bits come from MurmurHash3 (x64, 128 bits: https://github.com/aappleby/smhasher), not from a cryptographic
/// hash, which this module has none of: the ids tell messages apart and prove nothing. Within a batch they differ for
/// different registrations by construction up to the six bits that RFC 9562, section 5.8 (version 8) fixes.
struct MessageIDs {
    private let seed: (high: UInt64, low: UInt64)
    private var text = [UInt8](repeating: UInt8(ascii: "-"), count: 36)

    init(batchID: String) {
        var state = Murmur128()
        state.absorb(batchID.utf8)
        seed = state.finished()
    }

    mutating func id(for registration: Registration) -> String {
        var state = Murmur128(high: seed.high, low: seed.low)
        state.absorb(UInt64(bitPattern: registration.id.rawValue), 0)
        // Registrations that no repository has saved all have the same id; their token tells them apart.
        if registration.id == .unsaved { state.absorb(registration.token.utf8) }
        let hash = state.finished()
        let high = hash.high & ~0xF000 | 0x8000
        let low = hash.low & ~(0b11 << 62) | (0b10 << 62)
        write(high, low)
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func write(_ high: UInt64, _ low: UInt64) {
        var position = 0
        for digit in 0..<32 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 { position += 1 }
            let word = digit < 16 ? high : low
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (digit % 16)) & 0xF)
            text[position] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
            position += 1
        }
    }
}

/// The state of MurmurHash3's 128-bit form for 64-bit machines.
private struct Murmur128 {
    private var high: UInt64
    private var low: UInt64
    private var length: UInt64 = 0

    init(high: UInt64 = 0, low: UInt64 = 0) {
        self.high = high
        self.low = low
    }

    /// Takes the bytes in blocks of sixteen, the last one filled up with zeros; the length is part of the hash.
    mutating func absorb(_ bytes: some Sequence<UInt8>) {
        var block: (UInt64, UInt64) = (0, 0)
        var filled: UInt64 = 0
        for byte in bytes {
            if filled < 8 {
                block.0 |= UInt64(byte) << (8 * filled)
            } else {
                block.1 |= UInt64(byte) << (8 * (filled - 8))
            }
            filled += 1
            if filled == 16 {
                absorb(block.0, block.1)
                (block, filled) = ((0, 0), 0)
            }
        }
        if filled > 0 {
            absorb(block.0, block.1)
            length = length &- 16 &+ filled
        }
    }

    mutating func absorb(_ first: UInt64, _ second: UInt64) {
        high ^= Self.rotated(first &* 0x87c3_7b91_1142_53d5, 31) &* 0x4cf5_ad43_2745_937f
        high = (Self.rotated(high, 27) &+ low) &* 5 &+ 0x52dc_e729
        low ^= Self.rotated(second &* 0x4cf5_ad43_2745_937f, 33) &* 0x87c3_7b91_1142_53d5
        low = (Self.rotated(low, 31) &+ high) &* 5 &+ 0x3849_5ab5
        length &+= 16
    }

    func finished() -> (high: UInt64, low: UInt64) {
        var first = high ^ length
        var second = low ^ length
        first &+= second
        second &+= first
        first = Self.mixed(first)
        second = Self.mixed(second)
        first &+= second
        second &+= first
        return (first, second)
    }

    private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = (word ^ word >> 33) &* 0xff51_afd7_ed55_8ccd
        word = (word ^ word >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return word ^ word >> 33
    }
}
