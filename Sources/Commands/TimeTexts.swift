import FoundationEssentials
import Schedules

extension Instant {
    /// The second in which the date lies.
    init(_ date: Date) { self.init(secondsSinceEpoch: Int64(date.timeIntervalSince1970.rounded(.down))) }
}

extension Date {
    /// The beginning of the second.
    init(_ instant: Instant) { self.init(timeIntervalSince1970: Double(instant.secondsSinceEpoch)) }
}

/// `now`, `in 45s`, `in 12m`, `in 3h 20m`, `in 5d 3h`; two units at the most.
func relative(_ seconds: Int64) -> String {
    if seconds <= 0 { return "now" }
    let units: [(Int64, String)] = [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")]
    guard let first = units.firstIndex(where: { seconds >= $0.0 }) else { return "now" }
    let big = "in \(seconds / units[first].0)\(units[first].1)"
    guard first + 1 < units.count else { return big }
    let rest = seconds % units[first].0 / units[first + 1].0
    return rest == 0 ? big : "\(big) \(rest)\(units[first + 1].1)"
}

/// How instants are shown to people.
enum LocalTimeText {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// `Mon 2026-12-07 09:00 +01:00`; seconds only where there are any.
    static func text(_ occurrence: Occurrence) -> String {
        let local = occurrence.local
        // 1970-01-01 was a Thursday.
        let weekday = weekdays[Int((local.date.daysSinceEpoch % 7 + 7) % 7)]
        let time = "\(local)".split(separator: "T").last.map(String.init) ?? ""
        let shown = local.second == 0 ? String(time.prefix(5)) : time
        let offset = occurrence.offset == 0 ? "UTC" : String("\(occurrence)".dropFirst("\(local)".count))
        return "\(weekday) \(local.date) \(shown) \(offset)"
    }
}

/// `0.4s`, `12s`, `3m 05s`, `2h 10m`.
func elapsed(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "-" }
    if seconds < 10 { return "\(Int(seconds)).\(Int(seconds * 10) % 10)s" }
    let whole = Int(seconds)
    if whole < 60 { return "\(whole)s" }
    let minutes = whole / 60
    if minutes < 60 { return "\(minutes)m \(whole % 60 < 10 ? "0" : "")\(whole % 60)s" }
    return "\(minutes / 60)h \(minutes % 60 < 10 ? "0" : "")\(minutes % 60)m"
}
