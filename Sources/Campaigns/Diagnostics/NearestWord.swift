/// The known word that someone may have meant.
enum NearestWord {
    /// Longer inputs are no typing errors, and comparing them costs time.
    private static let longestWord = 60

    /// The one known word that differs only in case and separators, or else the one with the fewest letters to change.
    static func find(_ wanted: String, in known: some Sequence<String>) -> String? {
        guard wanted.utf8.count <= longestWord else { return nil }
        let plain = folded(wanted)
        let limit = min(3, max(1, plain.count / 3))
        var best: (word: String, distance: Int)?
        for word in known where word != wanted {
            let candidate = folded(word)
            if candidate == plain { return word }
            // A word is not near to one of which hardly a letter stays.
            let distance = editDistance(plain, candidate, limit: min(limit, max(candidate.count - 1, 0)))
            if let distance, distance < best?.distance ?? .max { best = (word, distance) }
        }
        return best?.word
    }

    private static func folded(_ word: String) -> [UInt8] {
        word.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
    }

    /// How many letters are put in, taken out, replaced or swapped with their neighbour; nil above `limit`.
    private static func editDistance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        var beforePrevious = [Int]()
        var previous = Array(0...right.count)
        for (row, leftByte) in left.enumerated() {
            var current = [row + 1]
            for (column, rightByte) in right.enumerated() {
                var best = min(
                    previous[column + 1] + 1, current[column] + 1, previous[column] + (leftByte == rightByte ? 0 : 1))
                if row > 0, column > 0, leftByte == right[column - 1], left[row - 1] == rightByte {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count] <= limit ? previous[right.count] : nil
    }
}
