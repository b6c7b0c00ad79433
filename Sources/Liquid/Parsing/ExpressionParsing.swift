extension MarkupCursor {
    /// A literal, a path or a range.
    mutating func expression() throws(LiquidError) -> ExpressionSyntax {
        switch token.kind {
        case .string:
            let token = advance()
            return .literal(.string(source.text(token.range.dropFirst().dropLast())))
        case .number: return .literal(number(text(advance())))
        case .openRound: return try range()
        case .identifier, .openSquare: return try path()
        default: throw unexpected(wanted: "a value")
        }
    }

    private func number(_ text: String) -> LiquidValue {
        if text.utf8.contains(UInt8(ascii: ".")) { return .double(Double(text) ?? 0) }
        return Int64(text).map(LiquidValue.int) ?? .double(Double(text) ?? 0)
    }

    private mutating func range() throws(LiquidError) -> ExpressionSyntax {
        let offset = self.offset
        try deepen()
        advance()
        let first = try expression()
        _ = try expect(.dotDot, "..")
        let last = try expression()
        _ = try expect(.closeRound, ")")
        depth -= 1
        for bound in [first, last] {
            if case .literal(let value) = bound, !value.canBoundRange {
                throw LiquidError(.syntax, "a range cannot begin or end with \(value.kindName)", at: offset, in: source)
            }
        }
        return .range(first, last, offset: offset)
    }

    private mutating func path() throws(LiquidError) -> ExpressionSyntax {
        let offset = self.offset
        if token.kind == .identifier {
            let name = text(advance())
            if token.kind != .dot, token.kind != .openSquare, let literal = MarkupCursor.literals[name] {
                return .literal(literal)
            }
            return .path(PathSyntax(root: .name(name), segments: try segments(), offset: offset))
        }
        let root = try bracketed()
        return .path(PathSyntax(root: .computed(root), segments: try segments(), offset: offset))
    }

    private static let literals: [String: LiquidValue] = [
        "nil": .null, "null": .null, "true": .bool(true), "false": .bool(false), "empty": .empty, "blank": .blank,
    ]

    private mutating func segments() throws(LiquidError) -> [PathSyntax.Segment] {
        var segments: [PathSyntax.Segment] = []
        while true {
            switch token.kind {
            case .dot:
                advance()
                guard token.kind == .identifier || text(token) == "contains" else {
                    throw unexpected(wanted: "a name after the dot")
                }
                segments.append(.name(text(advance())))
            case .openSquare: segments.append(.computed(try bracketed()))
            default: return segments
            }
        }
    }

    private mutating func bracketed() throws(LiquidError) -> ExpressionSyntax {
        try deepen()
        advance()
        let inner = try expression()
        _ = try expect(.closeSquare, "]")
        depth -= 1
        return inner
    }

    private mutating func deepen() throws(LiquidError) {
        depth += 1
        guard depth <= nestingLimit else {
            throw LiquidError(
                .limit(.nesting), "brackets may not stand more than \(nestingLimit) deep", at: offset, in: source)
        }
    }
}

extension MarkupCursor {
    /// A value and its filters; an empty markup is nil.
    mutating func filtered() throws(LiquidError) -> FilteredSyntax {
        if isAtEnd { return FilteredSyntax(value: .literal(.null)) }
        var result = FilteredSyntax(value: try expression())
        while take(.pipe) {
            var filter = FilterSyntax(name: "", offset: offset)
            filter.name = text(try expect(.identifier, "a filter name"))
            if take(.colon) { try arguments(&filter) }
            result.filters.append(filter)
        }
        return result
    }

    private mutating func arguments(_ filter: inout FilterSyntax) throws(LiquidError) {
        repeat {
            if token.kind == .identifier, followingKind == .colon {
                let name = text(advance())
                advance()
                filter.keywords.append((name, try expression()))
            } else {
                filter.arguments.append(try expression())
            }
        } while take(.comma)
    }

    /// Comparisons joined by `and` and `or`.
    mutating func condition() throws(LiquidError) -> ConditionSyntax {
        var condition = ConditionSyntax(comparisons: [try comparison()], joins: [])
        while true {
            if takeWord("and") {
                condition.joins.append(.and)
            } else if takeWord("or") {
                condition.joins.append(.or)
            } else {
                return condition
            }
            condition.comparisons.append(try comparison())
        }
    }

    private mutating func comparison() throws(LiquidError) -> ConditionSyntax.Comparison {
        let offset = self.offset
        let left = try expression()
        guard token.kind == .comparison else {
            return ConditionSyntax.Comparison(left: left, relation: nil, right: nil, offset: offset)
        }
        let relation: ComparisonOperator =
            switch text(advance()) {
            case "==": .equal
            case "!=", "<>": .notEqual
            case "<": .less
            case ">": .greater
            case "<=": .lessOrEqual
            case ">=": .greaterOrEqual
            default: .contains
            }
        return ConditionSyntax.Comparison(left: left, relation: relation, right: try expression(), offset: offset)
    }
}

extension LiquidValue {
    /// Whether a range may begin or end with this value.
    var canBoundRange: Bool {
        switch self {
        case .int, .double, .string, .null: true
        default: false
        }
    }
}
