extension TemplateParser {
    mutating func loop(_ tag: TemplateScanner.Tag) throws(LiquidError) -> (NodeSyntax.Kind, isBlank: Bool) {
        var loop = try header(tag, attributes: ["limit", "offset"])
        let (body, terminator) = try block(of: tag, until: ["else", "endfor"])
        loop.body = body
        if terminator.name == "else" { loop.otherwise = try block(of: tag, until: ["endfor"]).block }
        let isBlank = body.isBlank && loop.otherwise?.isBlank != false
        if isBlank {
            loop.body = loop.body.withoutText()
            loop.otherwise = loop.otherwise?.withoutText()
        }
        return (.loop(loop), isBlank)
    }

    mutating func tableRow(_ tag: TemplateScanner.Tag) throws(LiquidError) -> (NodeSyntax.Kind, isBlank: Bool) {
        var loop = try header(tag, attributes: ["limit", "offset", "cols", "range"])
        loop.body = try block(of: tag, until: ["endtablerow"]).block
        return (.loop(loop), loop.body.isBlank)
    }

    private func header(_ tag: TemplateScanner.Tag, attributes: [String]) throws(LiquidError) -> LoopSyntax {
        var cursor = try cursor(tag.markup)
        let variable = cursor.text(try cursor.expect(.identifier, "a variable name"))
        guard cursor.takeWord("in") else { throw cursor.unexpected(wanted: "\"in\"") }
        let mark = cursor.mark
        let collection = try cursor.expression()
        var loop = LoopSyntax(
            isTableRow: tag.name == "tablerow", variable: variable, name: "\(variable)-\(cursor.text(since: mark))",
            collection: collection)
        while !cursor.isAtEnd {
            if cursor.take(.comma) { continue }
            if tag.name == "for", cursor.takeWord("reversed") {
                loop.isReversed = true
                continue
            }
            guard let attribute = attributes.first(where: { cursor.isAtWord($0) }) else {
                throw cursor.unexpected(wanted: "one of \(attributes.joined(separator: ", "))")
            }
            cursor.advance()
            _ = try cursor.expect(.colon, "a colon")
            try set(attribute, of: &loop, &cursor)
        }
        return loop
    }

    private func set(
        _ attribute: String, of loop: inout LoopSyntax, _ cursor: inout MarkupCursor
    ) throws(LiquidError) {
        if attribute == "offset", cursor.takeWord("continue") {
            loop.start = .continued
            return
        }
        let value = try cursor.expression()
        switch attribute {
        case "limit": loop.limit = value
        case "offset": loop.start = .at(value)
        case "cols": loop.columns = value
        default: break
        }
    }

    func cycle(_ tag: TemplateScanner.Tag) throws(LiquidError) -> NodeSyntax.Kind {
        var cursor = try cursor(tag.markup)
        var group: ExpressionSyntax?
        var mark = cursor.mark
        var values = [try cursor.expression()]
        if cursor.take(.colon) {
            group = values.removeFirst()
            mark = cursor.mark
            values.append(try cursor.expression())
        }
        while !cursor.isAtEnd {
            if cursor.take(.comma) {
                if !cursor.isAtEnd { values.append(try cursor.expression()) }
            } else if options.refusesExtraWords {
                try cursor.expectEnd()
            } else {
                cursor.advance()
            }
        }
        return .cycle(CycleSyntax(group: group, text: cursor.text(since: mark), values: values))
    }
}

extension TemplateParser {
    func include(_ tag: TemplateScanner.Tag) throws(LiquidError) -> PartialCallSyntax {
        var cursor = try cursor(tag.markup)
        return try partialCall(&cursor)
    }

    func render(_ tag: TemplateScanner.Tag) throws(LiquidError) -> PartialCallSyntax {
        var cursor = try cursor(tag.markup)
        guard cursor.token.kind == .string else { throw cursor.unexpected(wanted: "the name of a partial in quotes") }
        return try partialCall(&cursor)
    }

    private func partialCall(_ cursor: inout MarkupCursor) throws(LiquidError) -> PartialCallSyntax {
        var call = PartialCallSyntax(name: try cursor.expression())
        if cursor.followingKind != .colon {
            if cursor.takeWord("for") {
                call.repeats = true
                call.subject = try cursor.expression()
            } else if cursor.takeWord("with") {
                call.subject = try cursor.expression()
            }
        }
        if cursor.followingKind != .colon, cursor.takeWord("as") {
            call.alias = cursor.text(try cursor.expect(.identifier, "a variable name"))
        }
        while !cursor.isAtEnd {
            if cursor.take(.comma) { continue }
            let name = cursor.text(try cursor.expect(.identifier, "the name of an argument"))
            _ = try cursor.expect(.colon, "a colon")
            call.arguments.append((name, try cursor.expression()))
        }
        return call
    }
}
