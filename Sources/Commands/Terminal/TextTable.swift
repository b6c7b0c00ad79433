/// Rows of text in aligned columns.
struct TextTable {
    enum Alignment { case left, right }

    private let alignments: [Alignment]
    private var rows: [[String]]
    private var widths: [Int]

    init(_ columns: [(heading: String, alignment: Alignment)]) {
        alignments = columns.map(\.alignment)
        rows = [columns.map { $0.heading.uppercased() }]
        widths = rows[0].map(\.count)
    }

    mutating func append(_ row: [String]) {
        // A line break in a value must not break the table.
        let row = row.map {
            $0.contains(where: \.isNewline) ? $0.split(whereSeparator: \.isNewline).joined(separator: " ") : $0
        }
        rows.append(row)
        for (column, text) in row.enumerated() where column < widths.count {
            widths[column] = max(widths[column], text.count)
        }
    }

    var isEmpty: Bool { rows.count == 1 }

    /// Lines without spaces at their ends, the heading first.
    func lines(style: TextStyle) -> [String] {
        rows.enumerated().map { index, row in
            let cells = zip(row, zip(widths, alignments)).map { text, column in
                let padding = String(repeating: " ", count: max(column.0 - text.count, 0))
                return column.1 == .left ? text + padding : padding + text
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return index == 0 ? style.dim(line) : line
        }
    }
}

/// `12,345`: groups of three digits.
func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    let text = digits.enumerated().reduce(into: "") { result, next in
        if next.offset > 0, (digits.count - next.offset) % 3 == 0 { result.append(",") }
        result.append(next.element)
    }
    return number < 0 ? "-" + text : text
}

/// `1 device`, `2 devices`.
func counted(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? singular : plural ?? singular + "s")"
}
