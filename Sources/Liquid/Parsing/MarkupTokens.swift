/// A word or sign inside a tag or output.
struct MarkupToken {
    enum Kind {
        case identifier, string, number, comparison
        case pipe, dot, dotDot, colon, comma, equals
        case openSquare, closeSquare, openRound, closeRound
        case end
    }

    var kind: Kind
    var range: Range<Int>
}

/// Reads the tokens of one tag or output, one after the other.
struct MarkupCursor {
    let source: SourceText
    private let tokens: [MarkupToken]
    private var index = 0
    /// Brackets and parentheses around the current token.
    var depth = 0
    let nestingLimit: Int

    init(_ source: SourceText, _ range: Range<Int>, nestingLimit: Int) throws(LiquidError) {
        self.source = source
        self.nestingLimit = nestingLimit
        tokens = try MarkupCursor.tokenize(source, range)
    }

    var token: MarkupToken { tokens[index] }
    var offset: Int { token.range.lowerBound }
    var isAtEnd: Bool { token.kind == .end }

    func text(_ token: MarkupToken) -> String { source.text(token.range) }

    /// The kind of the token after the current one.
    var followingKind: MarkupToken.Kind { index + 1 < tokens.count ? tokens[index + 1].kind : .end }

    @discardableResult
    mutating func advance() -> MarkupToken {
        let token = tokens[index]
        if index + 1 < tokens.count { index += 1 }
        return token
    }

    mutating func take(_ kind: MarkupToken.Kind) -> Bool {
        guard token.kind == kind else { return false }
        advance()
        return true
    }

    func isAtWord(_ word: String) -> Bool {
        token.kind == .identifier && source.bytes[token.range].elementsEqual(word.utf8)
    }

    mutating func takeWord(_ word: String) -> Bool {
        guard isAtWord(word) else { return false }
        advance()
        return true
    }

    mutating func expect(_ kind: MarkupToken.Kind, _ name: String) throws(LiquidError) -> MarkupToken {
        guard token.kind == kind else { throw unexpected(wanted: name) }
        return advance()
    }

    mutating func expectEnd() throws(LiquidError) {
        if !isAtEnd { throw unexpected(wanted: nil) }
    }

    func unexpected(wanted: String?) -> LiquidError {
        let found = isAtEnd ? "the end of the tag" : "\"\(text(token))\""
        let message = wanted.map { "expected \($0) but found \(found)" } ?? "unexpected \(found)"
        return LiquidError(.syntax, message, at: offset, in: source)
    }

    /// A place to which `text(since:)` can look back.
    var mark: Int { index }

    /// The tokens since a mark, without the white space between them.
    func text(since mark: Int) -> String {
        String(bytes: tokens[mark..<index].flatMap { source.bytes[$0.range] })
    }
}

extension MarkupCursor {
    private static func tokenize(_ source: SourceText, _ range: Range<Int>) throws(LiquidError) -> [MarkupToken] {
        var tokens: [MarkupToken] = []
        tokens.reserveCapacity(8)
        var position = range.lowerBound
        let end = range.upperBound
        while position < end {
            let byte = source.bytes[position]
            if byte.isASCIISpace {
                position += 1
                continue
            }
            guard let (kind, stop) = try token(source, position, end) else {
                throw LiquidError(
                    .syntax, "unexpected character \"\(scalar(source, position, end))\"", at: position, in: source)
            }
            tokens.append(MarkupToken(kind: kind, range: position..<stop))
            position = stop
        }
        tokens.append(MarkupToken(kind: .end, range: end..<end))
        return tokens
    }

    private static func scalar(_ source: SourceText, _ position: Int, _ end: Int) -> String {
        var stop = position + 1
        while stop < end, source.bytes[stop] & 0xC0 == 0x80 { stop += 1 }
        return source.text(position..<stop)
    }

    private static func token(
        _ source: SourceText, _ start: Int, _ end: Int
    ) throws(LiquidError) -> (MarkupToken.Kind, Int)? {
        let bytes = source.bytes
        let byte = bytes[start]
        let next = start + 1 < end ? bytes[start + 1] : 0
        if byte.isASCIILetter || byte == UInt8(ascii: "_") {
            let stop = wordEnd(bytes, start, end)
            let isContains = bytes[start..<stop].elementsEqual("contains".utf8)
            return (isContains ? .comparison : .identifier, stop)
        }
        if byte.isASCIIDigit || byte == UInt8(ascii: "-") && next.isASCIIDigit {
            let stop = numberEnd(bytes, start, end)
            guard stop < end, bytes[stop].isWord else { return (.number, stop) }
            // `1e3` is no number but the name of a variable, which no one provides.
            return (.identifier, wordEnd(bytes, stop, end))
        }
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            guard let close = bytes[(start + 1)..<end].firstIndex(of: byte) else {
                throw LiquidError(.syntax, "this string is never closed", at: start, in: source)
            }
            return (.string, close + 1)
        case UInt8(ascii: "."): return next == byte ? (.dotDot, start + 2) : (.dot, start + 1)
        case UInt8(ascii: "|"): return (.pipe, start + 1)
        case UInt8(ascii: ":"): return (.colon, start + 1)
        case UInt8(ascii: ","): return (.comma, start + 1)
        case UInt8(ascii: "["): return (.openSquare, start + 1)
        case UInt8(ascii: "]"): return (.closeSquare, start + 1)
        case UInt8(ascii: "("): return (.openRound, start + 1)
        case UInt8(ascii: ")"): return (.closeRound, start + 1)
        case UInt8(ascii: "="): return next == byte ? (.comparison, start + 2) : (.equals, start + 1)
        case UInt8(ascii: "!"): return next == UInt8(ascii: "=") ? (.comparison, start + 2) : nil
        case UInt8(ascii: "<"):
            let isLong = next == UInt8(ascii: "=") || next == UInt8(ascii: ">")
            return (.comparison, start + (isLong ? 2 : 1))
        case UInt8(ascii: ">"): return (.comparison, start + (next == UInt8(ascii: "=") ? 2 : 1))
        default: return nil
        }
    }

    private static func wordEnd(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
        var stop = start
        while stop < end, bytes[stop].isWord || bytes[stop] == UInt8(ascii: "-") { stop += 1 }
        return stop < end && bytes[stop] == UInt8(ascii: "?") ? stop + 1 : stop
    }

    private static func numberEnd(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
        var stop = start + 1
        while stop < end, bytes[stop].isASCIIDigit { stop += 1 }
        guard stop + 1 < end, bytes[stop] == UInt8(ascii: "."), bytes[stop + 1].isASCIIDigit else { return stop }
        stop += 1
        while stop < end, bytes[stop].isASCIIDigit { stop += 1 }
        return stop
    }
}
