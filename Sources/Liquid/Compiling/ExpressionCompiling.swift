import Spelling

extension Compiler {
    mutating func expression(_ syntax: FilteredSyntax) throws(LiquidError) -> Int32 {
        let value = try operand(syntax.value, mayBeMissing: syntax.filters.first?.name == "default")
        var compiled: [CompiledFilter] = []
        for filter in syntax.filters {
            if let filter = try self.filter(filter) { compiled.append(filter) }
        }
        let start = pools.filters.count
        pools.filters += compiled
        return pools.expressions.append(
            numbering: CompiledExpression(value: value, filters: start..<pools.filters.count))
    }

    /// `nil` for an unknown filter that is ignored.
    private mutating func filter(_ syntax: FilterSyntax) throws(LiquidError) -> CompiledFilter? {
        guard let definition = options.filters[syntax.name] else {
            if options.unknownFilters == .ignored { return nil }
            let nearest = nearestName(to: syntax.name, among: options.filters.names)
            let hint = nearest.map { ", did you mean \"\($0)\"?" } ?? ""
            throw error(
                .unknownFilter(syntax.name, nearest: nearest), "there is no filter \"\(syntax.name)\"\(hint)",
                at: syntax.offset)
        }
        if let problem = definition.problem(with: syntax) {
            throw error(.filterArguments(syntax.name), problem, at: syntax.offset)
        }
        var operands: [Operand] = []
        for argument in syntax.arguments { operands.append(try operand(argument, mayBeMissing: true)) }
        var keywords: [(name: String, value: Operand)] = []
        for (name, value) in syntax.keywords { keywords.append((name, try operand(value, mayBeMissing: true))) }
        let missing = Operand.constant(constant(.null))
        return CompiledFilter(
            function: definition.function, argumentCount: operands.count, first: operands.first ?? missing,
            second: operands.count > 1 ? operands[1] : missing, keywords: keywords, offset: syntax.offset)
    }

    mutating func test(_ comparison: ConditionSyntax.Comparison) throws(LiquidError) -> Int32 {
        let left = try operand(comparison.left, mayBeMissing: true)
        let right = try comparison.right.map { value throws(LiquidError) in try operand(value, mayBeMissing: true) }
        return pools.tests.append(
            numbering: CompiledTest(
                left: left, relation: comparison.relation, right: right ?? left, offset: comparison.offset))
    }

    mutating func constant(_ value: LiquidValue) -> Int32 { pools.constants.append(numbering: value) }

    mutating func operand(
        _ syntax: ExpressionSyntax, mayBeMissing: Bool = false
    ) throws(LiquidError) -> Operand {
        switch syntax {
        case .literal(let value): return .constant(constant(value))
        case .range(let first, let last, let offset):
            let range = CompiledRange(
                first: try operand(first, mayBeMissing: mayBeMissing),
                last: try operand(last, mayBeMissing: mayBeMissing), offset: offset)
            return .range(pools.ranges.append(numbering: range))
        case .path(let path): return try self.path(path, mayBeMissing: mayBeMissing)
        }
    }

    private mutating func path(_ syntax: PathSyntax, mayBeMissing: Bool) throws(LiquidError) -> Operand {
        let place = references.count
        var segments: [CompiledSegment] = []
        for segment in syntax.segments { segments.append(try self.segment(segment)) }
        let root: CompiledPath.Root
        switch syntax.root {
        case .name(let name), .computed(.literal(.string(let name))):
            root = .symbol(symbol(name))
            // What the brackets read stands further right.
            references.insert(reference(to: name, path: constantPath(segments), at: syntax.offset), at: place)
        case .computed(let expression):
            root = .computed(try operand(expression))
            readsComputedNames = true
        }
        let start = pools.segments.count
        pools.segments += segments
        return .path(
            pools.paths.append(
                numbering: CompiledPath(
                    root: root, segments: start..<pools.segments.count, mayBeMissing: mayBeMissing,
                    offset: syntax.offset)))
    }

    private mutating func segment(_ syntax: PathSyntax.Segment) throws(LiquidError) -> CompiledSegment {
        switch syntax {
        case .name(let name): .name(name, command: PathCommand(rawValue: name))
        case .computed(.literal(.string(let key))): .key(key)
        case .computed(.literal(.int(let index))): .index(index)
        case .computed(let expression): .computed(try operand(expression))
        }
    }

    private func constantPath(_ segments: [CompiledSegment]) -> [String] {
        var path: [String] = []
        for segment in segments {
            switch segment {
            case .name(let name, _): path.append(name)
            case .key(let key): path.append(key)
            case .index(let index): path.append(String(index))
            case .computed: return path
            }
        }
        return path
    }

    func reference(to root: String, path: [String], at offset: Int) -> VariableReference {
        VariableReference(
            root: root, path: path, utf8Offset: offset, partial: source.partialName,
            mayBeLocal: localNames.contains(ByteKey(root)))
    }
}
