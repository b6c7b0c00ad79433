/// An object that keeps its pairs in order.
package final class LiquidMap: LiquidObject {
    private let pairs: [(key: String, value: LiquidValue)]
    /// Where each key stands; absent while the pairs are so few that looking at each is faster.
    private let positions: [ByteKey: Int]?

    private static let linearLimit = 8

    /// The last of two equal keys wins, at the place of the first.
    package init(_ pairs: [(String, LiquidValue)]) {
        var unique: [(key: String, value: LiquidValue)] = []
        unique.reserveCapacity(pairs.count)
        var seen: [ByteKey: Int] = [:]
        for (key, value) in pairs {
            if let position = seen[ByteKey(key)] {
                unique[position].value = value
            } else {
                seen[ByteKey(key)] = unique.count
                unique.append((key, value))
            }
        }
        self.pairs = unique
        self.positions = unique.count > LiquidMap.linearLimit ? seen : nil
    }

    package var keys: [String] { pairs.map(\.key) }

    package func value(forKey key: String) -> LiquidValue? {
        if let positions {
            return positions[ByteKey(key)].map { pairs[$0].value }
        }
        for pair in pairs where pair.key.hasSameBytes(as: key) { return pair.value }
        return nil
    }
}
