/// Cuts a template, or the lines of a `liquid` tag, into text, outputs and tags.
struct TemplateScanner {
    enum Mode { case template, lines }

    struct Tag {
        var name: String
        /// What follows the name, without the dash of white space control.
        var markup: Range<Int>
        /// Of the `{%`, or of the name in a line.
        var offset: Int
    }

    enum Piece {
        case text(Range<Int>)
        case output(Range<Int>, offset: Int)
        case tag(Tag)
    }

    let source: SourceText
    let mode: Mode
    private(set) var position: Int
    let end: Int
    /// The last tag or output ended with a dash, which removes white space after it.
    private var trimsText = false

    init(_ source: SourceText) {
        self.init(source, range: 0..<source.bytes.count, mode: .template)
    }

    init(_ source: SourceText, range: Range<Int>, mode: Mode) {
        self.source = source
        self.mode = mode
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next piece, or `nil` at the end.
    mutating func next() throws(LiquidError) -> Piece? {
        if mode == .lines { return try nextLine().map(Piece.tag) }
        while position < end {
            if let opener = opener(at: position) { return try markup(opener) }
            let text = nextText()
            if !text.isEmpty { return .text(text) }
        }
        return nil
    }

    private func byte(_ index: Int) -> UInt8? { index < end ? source.bytes[index] : nil }

    private enum Opener { case output, tag }

    private func opener(at index: Int) -> Opener? {
        guard byte(index) == UInt8(ascii: "{") else { return nil }
        return switch byte(index + 1) {
        case UInt8(ascii: "{"): .output
        case UInt8(ascii: "%"): .tag
        default: nil
        }
    }

    private mutating func nextText() -> Range<Int> {
        var start = position
        var stop = position
        while stop < end, opener(at: stop) == nil { stop += 1 }
        position = stop
        if trimsText {
            while start < stop, source.bytes[start].isTrimmed { start += 1 }
            trimsText = false
        }
        if stop < end, byte(stop + 2) == UInt8(ascii: "-") {
            while stop > start, source.bytes[stop - 1].isTrimmed { stop -= 1 }
        }
        return start..<stop
    }

    private mutating func markup(_ opener: Opener) throws(LiquidError) -> Piece {
        let offset = position
        let close = try closingOffset(opener)
        position = close + 2
        var inside = offset + 2..<close
        trimsText = inside.upperBound > offset + 2 && source.bytes[inside.upperBound - 1] == UInt8(ascii: "-")
        if inside.first.map({ source.bytes[$0] }) == UInt8(ascii: "-") { inside = inside.dropFirst() }
        if trimsText, !inside.isEmpty { inside = inside.dropLast() }
        if opener == .output { return .output(inside, offset: offset) }
        guard let tag = tag(inside, offset: offset) else {
            throw LiquidError(.syntax, "a tag needs a name after {%", at: offset, in: source)
        }
        return .tag(tag)
    }

    private func closingOffset(_ opener: Opener) throws(LiquidError) -> Int {
        let first = UInt8(ascii: opener == .output ? "}" : "%")
        var index = position + 2
        while index + 1 < end {
            if source.bytes[index] == first, source.bytes[index + 1] == UInt8(ascii: "}") { return index }
            index += 1
        }
        let message = opener == .output ? "this {{ is never closed by }}" : "this {% is never closed by %}"
        throw LiquidError(.syntax, message, at: position, in: source)
    }

    private func tag(_ range: Range<Int>, offset: Int) -> Tag? {
        let inside = trimmed(range)
        guard let first = inside.first else { return nil }
        var nameEnd = first
        if source.bytes[first] == UInt8(ascii: "#") {
            nameEnd += 1
        } else {
            while nameEnd < inside.upperBound, source.bytes[nameEnd].isWord { nameEnd += 1 }
        }
        guard nameEnd > first else { return nil }
        return Tag(
            name: source.text(first..<nameEnd), markup: trimmed(nameEnd..<inside.upperBound), offset: offset)
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, stop) = (range.lowerBound, range.upperBound)
        while start < stop, source.bytes[start].isASCIISpace { start += 1 }
        while stop > start, source.bytes[stop - 1].isASCIISpace { stop -= 1 }
        return start..<stop
    }

    private mutating func nextLine() throws(LiquidError) -> Tag? {
        while position < end {
            let start = position
            while position < end, source.bytes[position] != 0x0A { position += 1 }
            let line = trimmed(start..<position)
            position += 1
            guard let first = line.first else { continue }
            guard let tag = tag(line, offset: first) else {
                throw LiquidError(.syntax, "a line of a liquid tag begins with a tag name", at: first, in: source)
            }
            return tag
        }
        return nil
    }
}

extension TemplateScanner {
    /// Moves past the `endcomment` of the comment that has just been opened. Its inside need not be valid, but comments
    /// in it must be closed, and so must `raw`.
    mutating func skipComment(opened offset: Int) throws(LiquidError) {
        var depth = 1
        while depth > 0 {
            guard let tag = try nextTagInComment() else {
                throw LiquidError(.syntax, "this comment is never closed by endcomment", at: offset, in: source)
            }
            switch tag {
            case "comment": depth += 1
            case "endcomment": depth -= 1
            case "raw" where mode == .template: _ = try verbatim(tag: "raw", opened: position)
            default: break
            }
        }
    }

    private mutating func nextTagInComment() throws(LiquidError) -> String? {
        if mode == .lines {
            while position < end {
                let start = position
                while position < end, source.bytes[position] != 0x0A { position += 1 }
                let line = trimmed(start..<position)
                position += 1
                if let tag = tag(line, offset: start) { return tag.name }
            }
            return nil
        }
        while position + 1 < end {
            guard opener(at: position) == .tag else {
                position += 1
                continue
            }
            var close = position + 2
            while close + 1 < end,
                source.bytes[close] != UInt8(ascii: "%") || source.bytes[close + 1] != UInt8(ascii: "}")
            {
                close += 1
            }
            guard close + 1 < end else { return nil }
            var inside = position + 2..<close
            if inside.first.map({ source.bytes[$0] }) == UInt8(ascii: "-") { inside = inside.dropFirst() }
            trimsText = inside.last.map { source.bytes[$0] } == UInt8(ascii: "-")
            let offset = position
            position = close + 2
            if let tag = tag(inside, offset: offset) { return tag.name }
        }
        return nil
    }

    /// Moves past the end tag of a `raw` or `doc` and gives what stands before it, as it is.
    mutating func verbatim(tag name: String, opened offset: Int) throws(LiquidError) -> Range<Int> {
        if mode == .lines, name == "doc" {
            let start = position
            while let tag = try nextTagInComment() {
                if tag == "enddoc" { return start..<position }
            }
        }
        let endName = Array("end\(name)".utf8)
        let start = position
        var index = start
        while index + 1 < end, mode == .template {
            if opener(at: index) == .tag, let (close, trims) = endTag(at: index, named: endName) {
                position = close
                trimsText = trims
                return start..<index
            }
            index += 1
        }
        throw LiquidError(.syntax, "this \(name) is never closed by end\(name)", at: offset, in: source)
    }

    /// Where the end tag that begins here ends, and whether a dash stands there.
    private func endTag(at index: Int, named name: [UInt8]) -> (end: Int, trims: Bool)? {
        var cursor = index + 2
        if byte(cursor) == UInt8(ascii: "-") { cursor += 1 }
        while let next = byte(cursor), next.isASCIISpace { cursor += 1 }
        guard cursor + name.count <= end, source.bytes[cursor..<cursor + name.count].elementsEqual(name) else {
            return nil
        }
        cursor += name.count
        if let next = byte(cursor), next.isWord { return nil }
        while cursor + 1 < end {
            if source.bytes[cursor] == UInt8(ascii: "%"), source.bytes[cursor + 1] == UInt8(ascii: "}") {
                return (cursor + 2, source.bytes[cursor - 1] == UInt8(ascii: "-"))
            }
            cursor += 1
        }
        return nil
    }
}

extension UInt8 {
    /// What white space control and the strip filters remove: white space and NUL.
    var isTrimmed: Bool { isASCIISpace || self == 0 }
}
