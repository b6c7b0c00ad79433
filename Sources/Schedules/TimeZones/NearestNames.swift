/// Up to three names that someone may have meant: the same but for case or the region before the slash, or else those
/// with the fewest letters to change.
func nearestNames(to wanted: String, in names: [String]) -> [String] {
    let wanted = wanted.lowercased()
    let plain = wanted.replacing(" ", with: "_")
    let sameCity = names.filter { name in
        let name = name.lowercased()
        return name == plain || name.hasSuffix("/" + plain)
    }
    if !sameCity.isEmpty { return Array(sameCity.prefix(3)) }
    let limit = max(1, min(3, plain.utf8.count / 4))
    let scored = names.compactMap { name -> (name: String, distance: Int)? in
        let lowercased = name.lowercased()
        let city = lowercased.split(separator: "/").last.map(String.init) ?? lowercased
        let whole = editDistance(plain, lowercased, limit: limit)
        let distance = plain.contains("/") ? whole : min(whole, editDistance(plain, city, limit: limit))
        return distance <= limit ? (name, distance) : nil
    }
    let best = scored.map(\.distance).min()
    return scored.filter { $0.distance == best }.map(\.name).prefix(3).map { $0 }
}

/// How many letters are to be put in, taken out, replaced or swapped with their neighbour; more than `limit` is told
/// as `limit + 1`.
private func editDistance(_ left: String, _ right: String, limit: Int) -> Int {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard abs(left.count - right.count) <= limit else { return limit + 1 }
    var beforePrevious: [Int] = []
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
    return min(previous[right.count], limit + 1)
}
