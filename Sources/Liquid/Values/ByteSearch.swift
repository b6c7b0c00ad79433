/// Looks for some bytes in others, in a time that grows with their lengths and never with the product of both
/// (Knuth, Morris and Pratt).
struct ByteSearch {
    private let part: [UInt8]
    /// For each length of a partial match, the length of the longest one that is still possible after a mismatch.
    private let fallbacks: [Int]

    init(for part: [UInt8]) {
        self.part = part
        var fallbacks = [Int](repeating: 0, count: part.count + 1)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[index] != part[length] { length = fallbacks[length] }
            if part[index] == part[length] { length += 1 }
            fallbacks[index + 1] = length
        }
        self.fallbacks = fallbacks
    }

    /// The first place at or after `start` where the bytes stand. Nothing at all stands at `start`.
    func firstRange(in bytes: [UInt8], from start: Int = 0) -> Range<Int>? {
        guard let first = part.first else { return start..<start }
        var position = start
        var length = 0
        while position < bytes.count {
            if length == 0, bytes[position] != first {
                position += 1
                continue
            }
            while length > 0, bytes[position] != part[length] { length = fallbacks[length] }
            if bytes[position] == part[length] { length += 1 }
            position += 1
            if length == part.count { return position - length..<position }
        }
        return nil
    }

    /// The last place where the bytes stand. Nothing at all stands at the end.
    static func lastRange(of part: [UInt8], in bytes: [UInt8]) -> Range<Int>? {
        guard let found = ByteSearch(for: part.reversed()).firstRange(in: bytes.reversed()) else { return nil }
        return bytes.count - found.upperBound..<bytes.count - found.lowerBound
    }
}

extension String {
    func containsBytes(of part: String) -> Bool {
        part.utf8.count <= utf8.count && ByteSearch(for: Array(part.utf8)).firstRange(in: Array(utf8)) != nil
    }
}
