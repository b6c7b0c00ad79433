/// Breaks a text at spaces so that no line is longer than `width` characters, unless one word is.
func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        if line.isEmpty {
            line = String(word)
        } else if line.count + 1 + word.count <= width {
            line += " " + word
        } else {
            lines.append(line)
            line = String(word)
        }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
}

/// Wraps paragraphs; lines that begin with spaces, and empty ones, stay as they are.
func wrappedParagraphs(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var paragraph: [Substring] = []
    func flush() {
        lines += wrapped(paragraph.joined(separator: " "), width: width)
        paragraph = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.isEmpty || line.hasPrefix(" ") {
            flush()
            lines.append(String(line))
        } else {
            paragraph.append(line)
        }
    }
    flush()
    return lines
}

/// Lines of `term   explanation` with the explanations in one column.
func definitionList(_ rows: [(term: String, explanation: String)], width: Int) -> [String] {
    let longest = rows.map(\.term.count).max() ?? 0
    let column = min(longest, width / 3) + 4
    return rows.flatMap { row in
        let explanation = wrapped(row.explanation, width: max(width - column, 20))
        let term = "  " + row.term
        let indent = String(repeating: " ", count: column)
        guard term.count + 2 <= column else { return [term] + explanation.map { indent + $0 } }
        guard let first = explanation.first else { return [term] }
        let start = term + String(repeating: " ", count: column - term.count) + first
        return [start] + explanation.dropFirst().map { indent + $0 }
    }
}
