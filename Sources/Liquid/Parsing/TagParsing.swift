import Spelling

extension TemplateParser {
    /// The tags a template may open, for messages about unknown ones.
    static let tagNames = [
        "assign", "break", "capture", "case", "comment", "continue", "cycle", "decrement", "doc", "echo", "for", "if",
        "ifchanged", "include", "increment", "liquid", "raw", "render", "tablerow", "unless",
    ]

    /// The node of a tag, its blocks included, and whether it prints nothing.
    mutating func node(_ tag: TemplateScanner.Tag) throws(LiquidError) -> (NodeSyntax.Kind, isBlank: Bool) {
        switch tag.name {
        case "echo": return (.output(try filtered(tag)), false)
        case "assign": return (try assign(tag), true)
        case "capture": return (try capture(tag), true)
        case "if", "unless": return try conditional(tag)
        case "case": return try choice(tag)
        case "for": return try loop(tag)
        case "tablerow": return try tableRow(tag)
        case "cycle": return (try cycle(tag), false)
        case "increment": return (.increment(try counterName(tag)), false)
        case "decrement": return (.decrement(try counterName(tag)), false)
        case "ifchanged":
            let (block, _) = try block(of: tag, until: ["endifchanged"])
            return (.changed(block), block.isBlank)
        case "include": return (.include(try include(tag)), false)
        case "render": return (.render(try render(tag)), false)
        case "break": return (.breakLoop, false)
        case "continue": return (.continueLoop, false)
        default: throw unknown(tag)
        }
    }

    private func unknown(_ tag: TemplateScanner.Tag) -> LiquidError {
        let inner: [String: String] = [
            "else": "if, unless, case or for", "elsif": "if or unless", "when": "case", "endcomment": "comment",
        ]
        if let opener = inner[tag.name] {
            return LiquidError(
                .unknownTag(tag.name, nearest: nil), "\(tag.name) stands outside of \(opener)", at: tag.offset,
                in: source)
        }
        if tag.name.hasPrefix("end"), TemplateParser.tagNames.contains(String(tag.name.dropFirst(3))) {
            return LiquidError(
                .unknownTag(tag.name, nearest: nil), "\(tag.name) closes nothing that is open here", at: tag.offset,
                in: source)
        }
        let nearest = nearestName(to: tag.name, among: TemplateParser.tagNames)
        let hint = nearest.map { ", did you mean \"\($0)\"?" } ?? ""
        return LiquidError(
            .unknownTag(tag.name, nearest: nearest), "there is no tag \"\(tag.name)\"\(hint)", at: tag.offset,
            in: source)
    }

    private func filtered(_ tag: TemplateScanner.Tag) throws(LiquidError) -> FilteredSyntax {
        var cursor = try cursor(tag.markup)
        let value = try cursor.filtered()
        try cursor.expectEnd()
        return value
    }

    /// `name = value`. The name may be a number or hold dots and brackets, which are then part of the name.
    private func assign(_ tag: TemplateScanner.Tag) throws(LiquidError) -> NodeSyntax.Kind {
        let nameEnd = source.bytes[tag.markup].firstIndex { byte in
            !byte.isWord && !"-.[]()".utf8.contains(byte)
        }
        var equals = nameEnd ?? tag.markup.upperBound
        while equals < tag.markup.upperBound, source.bytes[equals].isASCIISpace { equals += 1 }
        guard let nameEnd, nameEnd > tag.markup.lowerBound, equals < tag.markup.upperBound,
            source.bytes[equals] == UInt8(ascii: "=")
        else {
            throw LiquidError(
                .syntax, "assign needs a name, = and a value", at: tag.markup.lowerBound, in: source)
        }
        var cursor = try cursor((equals + 1)..<tag.markup.upperBound)
        let value = try cursor.filtered()
        try cursor.expectEnd()
        return .assign(source.text(tag.markup.lowerBound..<nameEnd), value)
    }

    private mutating func capture(_ tag: TemplateScanner.Tag) throws(LiquidError) -> NodeSyntax.Kind {
        var markup = tag.markup
        let quotes = [UInt8(ascii: "'"), UInt8(ascii: "\"")]
        if let first = markup.first, let last = markup.last, first < last, quotes.contains(source.bytes[first]),
            source.bytes[first] == source.bytes[last]
        {
            markup = markup.dropFirst().dropLast()
        }
        guard !markup.isEmpty, source.bytes[markup].allSatisfy({ $0.isWord || "-.[]?".utf8.contains($0) }) else {
            throw LiquidError(.syntax, "capture needs the name of a variable", at: tag.markup.lowerBound, in: source)
        }
        return .capture(source.text(markup), try block(of: tag, until: ["endcapture"]).block)
    }

    private func counterName(_ tag: TemplateScanner.Tag) throws(LiquidError) -> String {
        var cursor = try cursor(tag.markup)
        let name = try cursor.expect(.identifier, "the name of a counter")
        try cursor.expectEnd()
        return source.text(name.range)
    }

    private func condition(_ tag: TemplateScanner.Tag) throws(LiquidError) -> ConditionSyntax {
        var cursor = try cursor(tag.markup)
        let condition = try cursor.condition()
        try cursor.expectEnd()
        return condition
    }

    private mutating func conditional(
        _ tag: TemplateScanner.Tag
    ) throws(LiquidError) -> (NodeSyntax.Kind, isBlank: Bool) {
        var branches: [BranchSyntax] = []
        var condition: ConditionSyntax? = try condition(tag)
        while true {
            let (block, terminator) = try block(of: tag, until: ["elsif", "else", "end\(tag.name)"])
            let isNegated = branches.isEmpty && tag.name == "unless"
            branches.append(BranchSyntax(condition: condition, isNegated: isNegated, block: block))
            if terminator.name == "elsif" {
                condition = try self.condition(terminator)
            } else if terminator.name == "else" {
                condition = nil
            } else {
                break
            }
        }
        let isBlank = branches.allSatisfy(\.block.isBlank)
        if isBlank {
            for index in branches.indices { branches[index].block = branches[index].block.withoutText() }
        }
        return (.conditional(branches), isBlank)
    }

    private mutating func choice(_ tag: TemplateScanner.Tag) throws(LiquidError) -> (NodeSyntax.Kind, isBlank: Bool) {
        var cursor = try cursor(tag.markup)
        let subject = try cursor.expression()
        if options.refusesExtraWords { try cursor.expectEnd() }
        let terminators = ["when", "else", "endcase"]
        var (before, terminator) = try block(of: tag, until: terminators)
        var isBlank = before.isBlank
        var branches: [WhenSyntax] = []
        while terminator.name != "endcase" {
            let values = terminator.name == "when" ? try whenValues(terminator) : nil
            let offset = terminator.offset
            (before, terminator) = try block(of: tag, until: terminators)
            if !before.isBlank { isBlank = false }
            branches.append(WhenSyntax(values: values, block: before, offset: offset))
        }
        if isBlank {
            for index in branches.indices { branches[index].block = branches[index].block.withoutText() }
        }
        return (.choice(subject, branches), isBlank)
    }

    private func whenValues(_ tag: TemplateScanner.Tag) throws(LiquidError) -> [ExpressionSyntax] {
        var cursor = try cursor(tag.markup)
        var values = [try cursor.expression()]
        while cursor.take(.comma) || cursor.takeWord("or") {
            if cursor.isAtEnd, !options.refusesExtraWords { break }
            values.append(try cursor.expression())
        }
        if options.refusesExtraWords { try cursor.expectEnd() }
        return values
    }
}
