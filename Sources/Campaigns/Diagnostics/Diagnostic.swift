package import YAML

/// One thing that is wrong, or looks wrong, in a file that a person wrote.
package struct Diagnostic: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Severity: String, Sendable, Hashable, CaseIterable {
        case error
        case warning
    }

    /// A stretch of one line, with enough of the line to show it.
    package struct Place: Sendable, Hashable {
        package var file: String
        /// Counted from 1.
        package var line: Int
        /// Counted from 1, in Unicode scalars.
        package var column: Int
        /// How many scalars are meant, on this line; at least 1.
        package var length: Int
        /// The line, or a part of a very long one.
        package var excerpt: String
        /// The column at which the excerpt begins.
        package var excerptColumn: Int
    }

    /// A second place that explains the first.
    package struct Note: Sendable, Hashable {
        package var message: String
        package var place: Place
    }

    package var severity: Severity
    package var code: DiagnosticCode
    /// What is wrong and how to put it right.
    package var message: String
    /// What the author probably meant.
    package var suggestion: String?
    package var place: Place
    package var note: Note?

    package init(
        _ severity: Severity, _ code: DiagnosticCode, _ message: String, at place: Place, suggestion: String? = nil,
        note: Note? = nil
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.suggestion = suggestion
        self.place = place
        self.note = note
    }

    /// The message with its suggestion.
    package var fullMessage: String {
        guard let suggestion else { return message }
        return "\(message); did you mean \"\(suggestion)\"?"
    }

    package var description: String {
        "\(place.file):\(place.line):\(place.column): \(severity.rawValue): \(fullMessage)"
    }
}

extension Diagnostic.Place {
    /// Lines longer than this are shown in part.
    private static let longestExcerpt = 160

    /// The part of `range` that lies on its first line.
    package init(_ range: SourceRange, in source: SourceText) {
        let position = source.position(at: range.start)
        let lineRange = source.lineRange(position.line)
        let start = min(max(range.start, lineRange.lowerBound), lineRange.upperBound)
        let end = min(max(range.end, start), lineRange.upperBound)
        let length = source.bytes[start..<end].count { $0 & 0b1100_0000 != 0b1000_0000 }
        let scalars = Array(source.line(position.line).unicodeScalars)
        let begin =
            scalars.count <= Self.longestExcerpt
            ? 0 : max(0, min(position.column - 1 - Self.longestExcerpt / 2, scalars.count - Self.longestExcerpt))
        var excerpt = String.UnicodeScalarView()
        excerpt.append(contentsOf: scalars[begin...].prefix(Self.longestExcerpt))
        if begin + Self.longestExcerpt < scalars.count { excerpt.append("…") }
        self.init(
            file: source.file, line: position.line, column: position.column, length: max(1, length),
            excerpt: String(excerpt), excerptColumn: begin + 1)
    }

    /// A file of which no line can be shown.
    package init(file: String) {
        self.init(file: file, line: 1, column: 1, length: 1, excerpt: "", excerptColumn: 1)
    }
}

extension Diagnostic {
    package init(_ error: YAMLError) {
        self.init(
            .error, DiagnosticCode(error.code), error.message, at: Place(error.range, in: error.source),
            note: error.note.map { Note(message: $0.message, place: Place($0.range, in: error.source)) })
    }
}

extension Sequence<Diagnostic> {
    /// Whether any of them is an error.
    package var containsErrors: Bool { contains { $0.severity == .error } }
}
