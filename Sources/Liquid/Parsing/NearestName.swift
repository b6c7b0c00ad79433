/// The name that differs least from what was written, if it differs by little.
func nearestName(to written: String, among names: some Sequence<String>) -> String? {
    let target = Array(written.utf8.prefix(64))
    let allowed = max(1, target.count / 3)
    var best: (name: String, distance: Int)?
    for name in names {
        let distance = editDistance(target, Array(name.utf8))
        if distance <= allowed, distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
}

private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var previous = Array(0...right.count)
    for (row, a) in left.enumerated() {
        var current = [row + 1]
        for (column, b) in right.enumerated() {
            current.append(min(previous[column] + (a == b ? 0 : 1), previous[column + 1] + 1, current[column] + 1))
        }
        previous = current
    }
    return previous[right.count]
}
