extension SourceText {
    /// The byte offset in the file of a UTF-8 offset in a scalar's text, whatever its style: quotes, escapes, folded
    /// lines and the indentation of blocks are seen through. An offset at or behind the end gives the end.
    package func offset(ofTextOffset offset: Int, in scalar: YAMLScalar, at range: SourceRange) -> Int {
        var walk = ScalarWalk(bytes: bytes, text: Array(scalar.text.utf8), target: max(0, offset), range: range)
        return switch scalar.style {
        case .plain: walk.flow(from: range.start, quote: nil)
        case .singleQuoted: walk.flow(from: range.start + 1, quote: UInt8(ascii: "'"))
        case .doubleQuoted: walk.flow(from: range.start + 1, quote: UInt8(ascii: "\""))
        case .literal: walk.block(isFolded: false)
        case .folded: walk.block(isFolded: true)
        }
    }

    /// The line and column of a UTF-8 offset in a scalar's text.
    package func position(ofTextOffset offset: Int, in scalar: YAMLScalar, at range: SourceRange) -> SourcePosition {
        position(at: self.offset(ofTextOffset: offset, in: scalar, at: range))
    }
}

/// Walks through a scalar's source and its text side by side until the text has reached the target.
private struct ScalarWalk {
    let bytes: [UInt8]
    let text: [UInt8]
    let target: Int
    let range: SourceRange
    /// How far in the text the walk is.
    private var done = 0

    init(bytes: [UInt8], text: [UInt8], target: Int, range: SourceRange) {
        self.bytes = bytes
        self.text = text
        self.target = target
        self.range = SourceRange(start: range.start, end: min(range.end, bytes.count))
    }

    // MARK: Plain and quoted

    mutating func flow(from start: Int, quote: UInt8?) -> Int {
        let end = quote == nil ? range.end : max(start, range.end - 1)
        var index = start
        while index < end, done < target || isEscapedBreak(index, quote) {
            let byte = bytes[index]
            if byte.isBlankOrBreak {
                index = blanks(from: index, end: end)
            } else if quote == UInt8(ascii: "\""), byte == UInt8(ascii: "\\") {
                index = escape(at: index, end: end)
            } else if quote == UInt8(ascii: "'"), byte == UInt8(ascii: "'") {
                index += 2
                done += 1
            } else {
                index += 1
                done += 1
            }
        }
        return min(index, end)
    }

    private func isEscapedBreak(_ index: Int, _ quote: UInt8?) -> Bool {
        quote == UInt8(ascii: "\"") && bytes[index] == UInt8(ascii: "\\") && index + 1 < range.end
            && bytes[index + 1].isBreak
    }

    /// Blanks within a line stand for themselves; with line breaks among them they fold to a space or to line feeds.
    private mutating func blanks(from start: Int, end: Int) -> Int {
        var runEnd = start
        var breaks = 0
        while runEnd < end, bytes[runEnd].isBlankOrBreak {
            if isBreakEnd(runEnd) { breaks += 1 }
            runEnd += 1
        }
        guard breaks > 0 else {
            let length = min(runEnd - start, target - done)
            done += length
            return start + length
        }
        let folded = max(1, breaks - 1)
        guard done + folded <= target else {
            done = target
            return start
        }
        done += folded
        return runEnd
    }

    /// Counts CRLF once: a CR before an LF does not end the line yet.
    private func isBreakEnd(_ index: Int) -> Bool {
        bytes[index] == UInt8(ascii: "\n")
            || bytes[index] == UInt8(ascii: "\r")
                && (index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n"))
    }

    private mutating func escape(at start: Int, end: Int) -> Int {
        guard start + 1 < end else { return end }
        let kind = bytes[start + 1]
        if kind.isBreak {
            // An escaped line break joins two lines; the blanks that begin the next one do not count.
            var index = start + 1
            while index < end, bytes[index].isBlankOrBreak { index += 1 }
            return index
        }
        let digits =
            switch kind {
            case UInt8(ascii: "x"): 2
            case UInt8(ascii: "u"): 4
            case UInt8(ascii: "U"): 8
            default: 0
            }
        // The escape stands for one scalar, whose length in UTF-8 the text tells.
        var length = 1
        while done + length < text.count, text[done + length].isUTF8Continuation { length += 1 }
        guard done + length <= target else {
            done = target
            return start
        }
        done += length
        return min(start + 2 + digits, end)
    }

    // MARK: Blocks

    mutating func block(isFolded: Bool) -> Int {
        var lines = contentLines()
        // The blank lines at the beginning are line feeds in the text too.
        var indentation: Int?
        while let line = lines.first {
            let blanks = bytes[line].prefix { $0 == UInt8(ascii: " ") }.count
            let isEmpty = blanks == line.count
            if isEmpty, indentation == nil, done < text.count, text[done] == UInt8(ascii: "\n") {
                if done == target { return line.upperBound }
                done += 1
                lines.removeFirst()
                continue
            }
            let width = indentation ?? max(0, blanks - leadingSpaces())
            indentation = width
            let start = min(line.lowerBound + width, line.upperBound)
            let length = line.upperBound - start
            if isFolded, length > 0 { skipFold(before: line) }
            if done + length >= target || lines.count == 1 {
                return min(start + max(0, target - done), line.upperBound)
            }
            done += length
            lines.removeFirst()
            if !isFolded { done += 1 } else { foldAnchor = line.upperBound }
        }
        return range.end
    }

    /// Where the last line of text ended, which is the place of the space or line feed it was folded to.
    private var foldAnchor: Int?

    /// Steps over what the line breaks between two lines of a folded block became.
    private mutating func skipFold(before line: Range<Int>) {
        guard foldAnchor != nil else { return }
        let start = done
        while done < text.count, text[done] == UInt8(ascii: "\n") { done += 1 }
        if done == start, done < text.count, text[done] == UInt8(ascii: " ") { done += 1 }
        foldAnchor = nil
    }

    private func leadingSpaces() -> Int {
        var count = 0
        while done + count < text.count, text[done + count] == UInt8(ascii: " ") { count += 1 }
        return count
    }

    /// The lines behind the header of a block, without their line breaks.
    private func contentLines() -> ArraySlice<Range<Int>> {
        var lines = [Range<Int>]()
        var start = range.start
        var index = range.start
        while index < range.end {
            if bytes[index].isBreak {
                lines.append(start..<index)
                if bytes[index] == UInt8(ascii: "\r"), index + 1 < range.end, bytes[index + 1] == UInt8(ascii: "\n") {
                    index += 1
                }
                start = index + 1
            }
            index += 1
        }
        if start < range.end { lines.append(start..<range.end) }
        return lines.dropFirst()
    }
}
