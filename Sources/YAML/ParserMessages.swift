/// Says in plain words what libyaml found, and where a person should look.
enum ParserMessages {
    static func error(for problem: ParserProblem, in source: SourceText) -> YAMLError {
        let offset = min(problem.offset, source.bytes.count)
        let place = SourceRange(start: offset, end: min(offset + 1, source.bytes.count))
        let escape = SourceRange(start: backslash(before: offset, in: source), end: place.end)
        func syntax(_ message: String, note: YAMLError.Note? = nil) -> YAMLError {
            YAMLError(.syntax, message, source: source, range: place, note: note)
        }
        if let tab = indentingTab(at: offset, in: source) {
            return YAMLError(.tab, "a tab cannot indent; YAML takes spaces only", source: source, range: tab)
        }
        switch problem.problem {
        case "found character that cannot start any token":
            let character = Character(Unicode.Scalar(offset < source.bytes.count ? source.bytes[offset] : 0x3F))
            return syntax("a value cannot begin with \(character); put the whole value in quotes")
        case "mapping values are not allowed in this context":
            return syntax(
                "a colon too many: put the value in quotes if the colon is part of it, or check the indentation")
        case "could not find expected ':'":
            return missingColon(problem, source)
        case "found unexpected end of stream":
            return openQuote(problem, source) ?? syntax("the file ends in the middle of a value")
        case "found unexpected document indicator":
            return openQuote(problem, source) ?? syntax("a document marker stands in the middle of a value")
        case "did not find expected ',' or ']'":
            return syntax("expected ',' or ']' here", note: opening("the list", problem))
        case "did not find expected ',' or '}'":
            return syntax("expected ',' or '}' here", note: opening("the mapping", problem))
        case "did not find expected key":
            if offset < source.bytes.count, source.bytes[offset] == UInt8(ascii: ":") {
                return YAMLError(.badKey, "the key before this colon is missing", source: source, range: place)
            }
            return syntax(
                "expected a key here: check the indentation, and the quotes above",
                note: opening("the mapping", problem))
        case "did not find expected '-' indicator":
            return syntax(
                "expected an item that begins with '-', in one column with the others",
                note: opening("the list", problem))
        case "block sequence entries are not allowed in this context":
            return syntax("a list item cannot stand here; begin the list on a line of its own")
        case "mapping keys are not allowed in this context":
            return syntax("a key cannot stand here; check the indentation")
        case "found unknown escape character":
            return syntax("no such escape in a double-quoted string; write \\\\ for a backslash, or use single quotes")
        case "did not find expected hexdecimal number":
            return YAMLError(
                .syntax, "\\x takes 2, \\u 4 and \\U 8 hexadecimal digits", source: source, range: escape)
        case "found invalid Unicode character escape code":
            return YAMLError(
                .syntax, "this escape is no Unicode character; write the character itself", source: source,
                range: escape)
        case "did not find expected alphabetic or numeric character":
            let sign = Character(
                Unicode.Scalar(problem.contextOffset < source.bytes.count ? source.bytes[problem.contextOffset] : 0x2A))
            return YAMLError(
                .syntax, "\(sign) at the beginning of a value has a meaning in YAML; put the whole value in quotes",
                source: source, range: SourceRange(start: problem.contextOffset, end: problem.contextOffset + 1))
        case "did not find expected <document start>":
            return syntax("the value of the whole file ended above; nothing may follow it")
        case "did not find expected node content":
            return syntax("expected a value here")
        case "found incompatible YAML document":
            return syntax("only YAML 1.1 and 1.2 can be named in a %YAML line")
        case "found undefined tag handle":
            return syntax("a tag with a handle that is not defined; leave the tag out")
        case let other:
            let context = problem.context.map { $0 + " " } ?? ""
            return syntax("not valid YAML: \(context)\(other)")
        }
    }

    /// libyaml stops at an escape's digits; a person looks for the backslash.
    private static func backslash(before offset: Int, in source: SourceText) -> Int {
        let nearby = source.bytes[max(0, offset - 2)..<offset]
        return nearby.lastIndex(of: UInt8(ascii: "\\")) ?? offset
    }

    private static func opening(_ what: String, _ problem: ParserProblem) -> YAMLError.Note? {
        guard problem.context != nil, problem.contextOffset < problem.offset else { return nil }
        return .init(
            message: "\(what) begins here",
            range: SourceRange(start: problem.contextOffset, end: problem.contextOffset + 1))
    }

    /// The line that should have been a key: libyaml stops after it, a person looks for it.
    private static func missingColon(_ problem: ParserProblem, _ source: SourceText) -> YAMLError {
        let line = source.position(at: problem.contextOffset).line
        let content = source.lineRange(line)
        return YAMLError(
            .syntax,
            "this is neither a key with a colon nor part of the value above; check colon, quotes and indentation",
            source: source, range: SourceRange(start: problem.contextOffset, end: content.upperBound))
    }

    private static func openQuote(_ problem: ParserProblem, _ source: SourceText) -> YAMLError? {
        guard problem.context == "while scanning a quoted scalar" else { return nil }
        return YAMLError(
            .syntax, "the quote that opens here is never closed", source: source,
            range: SourceRange(start: problem.contextOffset, end: problem.contextOffset + 1))
    }

    /// The first tab of the blanks that stand before `offset`, or at it, at the beginning of a line.
    private static func indentingTab(at offset: Int, in source: SourceText) -> SourceRange? {
        let line = source.lineRange(source.position(at: offset).line)
        let blanks = source.bytes[line].prefix { $0.isBlank }
        guard offset <= blanks.endIndex, let tab = blanks.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
        return SourceRange(start: tab, end: tab + 1)
    }
}
