package import JSON

extension Diagnostic {
    /// The JSON form: `file`, `line`, `column`, `length`, `severity`, `code`, `message`, and where there are such
    /// `suggestion`, `source` (the line) and `note`.
    package var json: JSON {
        var object = JSONObject([
            ("file", .string(place.file)), ("line", .int(Int64(place.line))), ("column", .int(Int64(place.column))),
            ("length", .int(Int64(place.length))), ("severity", .string(severity.rawValue)),
            ("code", .string(code.rawValue)), ("message", .string(message)),
        ])
        if let suggestion { object["suggestion"] = .string(suggestion) }
        if !place.excerpt.isEmpty { object["source"] = .string(place.excerpt) }
        if let note {
            object["note"] = .object(
                JSONObject([
                    ("file", .string(note.place.file)), ("line", .int(Int64(note.place.line))),
                    ("column", .int(Int64(note.place.column))), ("message", .string(note.message)),
                ]))
        }
        return .object(object)
    }
}
