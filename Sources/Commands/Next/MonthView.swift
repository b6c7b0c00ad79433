import Schedules

/// A month on the terminal, with how often something fires on each day.
struct MonthView {
    /// The first of the month.
    let first: CivilDate
    /// By day of the month.
    private var counts: [Int: Int] = [:]

    private static let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Nothing for what is no month, as `2026-12` is one.
    init?(_ text: String) {
        guard let first = try? CivilDate(parsing: text + "-01") else { return nil }
        self.first = first
    }

    private var length: Int { CivilDate.daysIn(month: first.month, year: first.year) }

    /// The first day of the month after.
    var end: CivilDate { first.advanced(byDays: Int64(length)) }

    mutating func count(_ date: CivilDate) {
        if (date.year, date.month) == (first.year, first.month) { counts[date.day, default: 0] += 1 }
    }

    /// Weeks begin on Monday. `3×2` means that it fires twice on the third.
    var lines: [String] {
        var lines = ["\(Self.names[first.month - 1]) \(first.year)"]
        lines.append(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map(Self.cell).joined())
        var week = String(repeating: Self.cell(""), count: (first.weekday + 6) % 7)
        for day in 1...length {
            let number = (day < 10 ? " " : "") + "\(day)"
            week += Self.cell(counts[day].map { "\(number)×\($0)" } ?? number)
            if (first.weekday + 6 + day) % 7 == 0 || day == length {
                lines.append(Self.trimmed(week))
                week = ""
            }
        }
        return lines.map(Self.trimmed)
    }

    private static func cell(_ text: String) -> String {
        text + String(repeating: " ", count: max(1, 8 - text.count))
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
