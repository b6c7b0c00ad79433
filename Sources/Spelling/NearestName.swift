/// Longer words are no typing errors, and comparing them costs time.
private let longestName = 60

/// The known name that somebody may have meant, or `nil` when none is near.
///
/// One that differs only in case and separators comes first, then the one with the fewest letters to change: at most a
/// third of them, and never more than three.
package func nearestName(to written: String, among known: some Sequence<String>) -> String? {
    guard written.utf8.count <= longestName else { return nil }
    let plain = folded(written)
    let limit = min(3, max(1, plain.count / 3))
    var best: (name: String, distance: Int)?
    for name in known where name != written {
        let candidate = folded(name)
        if candidate == plain { return name }
        // A name is not near to one of which hardly a letter stays.
        let distance = editDistance(plain, candidate, limit: min(limit, max(candidate.count - 1, 0)))
        if let distance, distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
}

private func folded(_ name: String) -> [UInt8] {
    name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
}

/// How many letters are put in, taken out, replaced or swapped with their neighbour (the optimal string alignment
/// distance, over bytes); `nil` above `limit`.
package func editDistance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
    guard abs(left.count - right.count) <= limit else { return nil }
    var beforePrevious = [Int]()
    var previous = Array(0...right.count)
    for (row, leftByte) in left.enumerated() {
        var current = [row + 1]
        current.reserveCapacity(right.count + 1)
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
