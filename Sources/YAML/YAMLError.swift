/// Why a file is not one YAML document. Every error has one place, and some a second place that explains it.
package struct YAMLError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable, CaseIterable {
        case empty = "yaml-empty"
        case tooLarge = "yaml-too-large"
        case binary = "yaml-binary"
        case encoding = "yaml-encoding"
        case conflictMarker = "yaml-conflict-marker"
        case tab = "yaml-tab"
        case syntax = "yaml-syntax"
        case duplicateKey = "yaml-duplicate-key"
        case badKey = "yaml-key"
        case tag = "yaml-tag"
        case alias = "yaml-alias"
        case expansion = "yaml-expansion"
        case nesting = "yaml-nesting"
        case merge = "yaml-merge"
        case multipleDocuments = "yaml-multiple-documents"
    }

    /// A second place that explains the error.
    package struct Note: Sendable, Hashable {
        package var message: String
        package var range: SourceRange
    }

    package var code: Code
    /// What is wrong and what to do about it, without the place.
    package var message: String
    package var source: SourceText
    package var range: SourceRange
    package var note: Note?

    init(_ code: Code, _ message: String, source: SourceText, range: SourceRange, note: Note? = nil) {
        self.code = code
        self.message = message
        self.source = source
        self.range = range
        self.note = note
    }

    package var position: SourcePosition { source.position(at: range.start) }

    package var description: String {
        let place = position
        return "\(source.file):\(place.line):\(place.column): \(message)"
    }
}
