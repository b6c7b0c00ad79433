package import YAML

/// A text in a file: what it says, and where each of its characters stands.
package struct TextPlace: Sendable {
    package let source: SourceText
    package let scalar: YAMLScalar
    package let range: SourceRange

    package init(source: SourceText, scalar: YAMLScalar, range: SourceRange) {
        self.source = source
        self.scalar = scalar
        self.range = range
    }

    package var text: String { scalar.text }

    /// The place in the file of a stretch of the text, given in UTF-8 bytes.
    package func place(ofTextOffset offset: Int, length: Int) -> Diagnostic.Place {
        let start = source.offset(ofTextOffset: offset, in: scalar, at: range)
        let end = source.offset(ofTextOffset: offset + length, in: scalar, at: range)
        return Diagnostic.Place(SourceRange(start: start, end: end), in: source)
    }

    /// The place of the whole text.
    package var place: Diagnostic.Place { Diagnostic.Place(range, in: source) }
}
