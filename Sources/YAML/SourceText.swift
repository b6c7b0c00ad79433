/// A stretch of a file, in bytes from its beginning; the end is exclusive.
package struct SourceRange: Sendable, Hashable {
    package var start: Int
    package var end: Int

    package init(start: Int, end: Int) {
        self.start = start
        self.end = max(start, end)
    }
}

/// A place as an editor shows it. Both numbers begin at 1; a column is one Unicode scalar.
package struct SourcePosition: Sendable, Hashable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A file's bytes and where its lines begin, so that a byte offset can be shown to a person.
///
/// A line ends with LF, CRLF or a lone CR. A byte order mark belongs to no column.
package struct SourceText: Sendable {
    /// The path as the user gave it, which is how messages name the file.
    package let file: String
    package let bytes: [UInt8]
    private let lineStarts: [Int]

    package init(file: String, bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes
        var starts = [bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0]
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "\n"):
                starts.append(index + 1)
            case UInt8(ascii: "\r") where index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n"):
                starts.append(index + 1)
            default:
                continue
            }
        }
        lineStarts = starts
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Where the text begins: behind the byte order mark, if there is one.
    var textStart: Int { lineStarts[0] }

    package var lineCount: Int { lineStarts.count }

    /// The whole file as a range.
    package var fullRange: SourceRange { SourceRange(start: textStart, end: bytes.count) }

    /// The line and column of a byte offset; offsets outside the file give its first or last place.
    package func position(at offset: Int) -> SourcePosition {
        let offset = min(max(offset, textStart), bytes.count)
        let line = lineIndex(containing: offset)
        var column = 1
        for byte in bytes[lineStarts[line]..<offset] where !byte.isUTF8Continuation { column += 1 }
        return SourcePosition(line: line + 1, column: column)
    }

    /// The bytes of a line (numbered from 1) without its line break.
    package func lineRange(_ line: Int) -> Range<Int> {
        let index = min(max(line - 1, 0), lineStarts.count - 1)
        let start = lineStarts[index]
        var end = index + 1 < lineStarts.count ? lineStarts[index + 1] : bytes.count
        while end > start, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return start..<end
    }

    /// The text of a line (numbered from 1) without its line break; invalid UTF-8 is shown as replacement characters.
    package func line(_ line: Int) -> String { String(decoding: bytes[lineRange(line)], as: UTF8.self) }

    private func lineIndex(containing offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }
}

extension UInt8 {
    var isUTF8Continuation: Bool { self & 0b1100_0000 == 0b1000_0000 }
}
