/// The known name that was probably meant, or `nil` when none is near.
///
/// Near is an edit distance of at most a third of the name's length, two letters at the most for short names.
/// Swapped neighbours count as one edit.
package func nearestName(to name: String, among known: [String]) -> String? {
    let word = Array(name.lowercased().unicodeScalars.prefix(64))
    var best: (name: String, distance: Int)?
    for candidate in known {
        let distance = editDistance(word, Array(candidate.lowercased().unicodeScalars.prefix(64)))
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(word.count > 2 ? 2 : 1, word.count / 3), best.distance < word.count else {
        return nil
    }
    return best.name
}

/// The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for i in left.indices {
        var current = [i + 1]
        current.reserveCapacity(right.count + 1)
        for j in right.indices {
            let substitution = previous[j] + (left[i] == right[j] ? 0 : 1)
            var cost = min(substitution, previous[j + 1] + 1, current[j] + 1)
            if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                cost = min(cost, beforePrevious[j - 1] + 1)
            }
            current.append(cost)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
}
