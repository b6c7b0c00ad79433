/// Why a text is not JSON, and where.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Bytes from the start of the text.
    package var offset: Int
    /// Counted from 1.
    package var line: Int
    /// Counted from 1, in Unicode scalars.
    package var column: Int
    /// What is wrong, without the place: `a comma or } is missing after this member`.
    package var message: String

    init(_ message: String, at offset: Int, in bytes: Span<UInt8>) {
        self.offset = offset
        self.message = message
        line = 1
        column = 1
        for index in 0..<min(offset, bytes.count) {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0b1100_0000 != 0b1000_0000 {
                column += 1
            }
        }
    }

    package var description: String { "not JSON at line \(line), column \(column): \(message)" }
}
