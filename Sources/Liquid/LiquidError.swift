/// What is wrong with a template, or went wrong while it was rendered, and where.
package struct LiquidError: Error, Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case syntax
        case unknownTag(String, nearest: String?)
        case unknownFilter(String, nearest: String?)
        case unknownVariable(String)
        /// A filter was given too few, too many or unknown arguments.
        case filterArguments(String)
        /// A filter, tag or comparison cannot do what it is told with the values at hand.
        case value
        case limit(LiquidLimits.Name)
        /// A partial that does not exist or may not be used here.
        case partial(String)
    }

    package var kind: Kind
    /// A sentence without a place and without a full stop.
    package var message: String
    /// Offset in the UTF-8 bytes of the template.
    package var utf8Offset: Int
    /// From 1.
    package var line: Int
    /// From 1, in Unicode scalars.
    package var column: Int
    /// The partial that holds the place; `nil` for the template itself.
    package var partial: String?

    init(_ kind: Kind, _ message: String, at offset: Int, in source: SourceText) {
        self.kind = kind
        self.message = message
        self.utf8Offset = offset
        (self.line, self.column) = source.position(of: offset)
        self.partial = source.partialName
    }
}

extension LiquidError: CustomStringConvertible {
    package var description: String {
        "\(partial.map { "partial \"\($0)\", " } ?? "")line \(line), column \(column): \(message)"
    }
}

/// The bytes of a template or partial.
final class SourceText: Sendable {
    let bytes: [UInt8]
    let partialName: String?

    init(_ text: String, partialName: String? = nil) {
        self.bytes = Array(text.utf8)
        self.partialName = partialName
    }

    func text(_ range: Range<Int>) -> String { String(bytes: bytes[range]) }

    /// Line and column, both from 1, columns in Unicode scalars.
    func position(of offset: Int) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(max(0, offset)) {
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return (line, column)
    }
}
