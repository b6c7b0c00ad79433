extension Diagnostic {
    /// `file:line:column: error: message`, the source line, and a caret line under what is meant; then the note.
    package var text: String {
        var text = "\(self)\n" + place.snippet
        if let note {
            text += "\(note.place.file):\(note.place.line):\(note.place.column): note: \(note.message)\n"
            text += note.place.snippet
        }
        return text
    }
}

extension Diagnostic.Place {
    /// The source line and the line with carets, each indented by two columns; nothing where the file has no such line.
    var snippet: String {
        guard !excerpt.isEmpty else { return "" }
        let cutBefore = excerptColumn > 1 ? "…" : ""
        var shown = "  " + cutBefore
        var carets = "  " + (cutBefore.isEmpty ? "" : " ")
        var scalarColumn = excerptColumn
        for scalar in excerpt.unicodeScalars {
            let printable = DisplayWidth.printable(scalar)
            shown.unicodeScalars.append(printable)
            if scalarColumn < column {
                // A tab is repeated, so that both lines reach the same tab stop.
                carets += printable == "\t" ? "\t" : String(repeating: " ", count: DisplayWidth.columns(of: printable))
            } else if scalarColumn < column + length {
                let width = printable == "\t" ? 1 : DisplayWidth.columns(of: printable)
                carets += String(repeating: "^", count: scalarColumn == column ? max(1, width) : width)
            }
            scalarColumn += 1
        }
        if scalarColumn <= column { carets += "^" }
        return shown + "\n" + carets + "\n"
    }
}
