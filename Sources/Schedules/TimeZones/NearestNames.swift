import Spelling

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
        let candidates = plain.contains("/") ? [lowercased] : [lowercased, city]
        let distances = candidates.compactMap { editDistance(Array(plain.utf8), Array($0.utf8), limit: limit) }
        return distances.min().map { (name, $0) }
    }
    let best = scored.map(\.distance).min()
    return scored.filter { $0.distance == best }.map(\.name).prefix(3).map { $0 }
}
