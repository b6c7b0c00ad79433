extension Compiler {
    mutating func emit(_ block: BlockSyntax) throws(LiquidError) {
        for node in block.nodes { try emit(node) }
    }

    private mutating func emit(_ node: NodeSyntax) throws(LiquidError) {
        let offset = node.offset
        switch node.kind {
        case .text(let range): emitText(range)
        case .output(let value):
            emit(.output(expression: try expression(value)), at: offset)
        case .assign(let name, let value):
            let value = try expression(value)
            emit(.assign(symbol: bind(name), expression: value), at: offset)
        case .capture(let name, let block):
            emit(.beginCapture(symbol: symbol(name)), at: offset)
            try emit(block)
            emit(.endBlock, at: offset)
            localNames.insert(ByteKey(name))
        case .conditional(let branches): try emit(branches, at: offset)
        case .choice(let subject, let branches): try emit(subject, branches, at: offset)
        case .loop(let loop): try emit(loop, at: offset)
        case .cycle(let cycle): try emit(cycle, at: offset)
        case .increment(let name): emit(.increment(symbol: bind(name)), at: offset)
        case .decrement(let name): emit(.decrement(symbol: bind(name)), at: offset)
        case .changed(let block):
            emit(.beginChanged, at: offset)
            try emit(block)
            emit(.endBlock, at: offset)
        case .include(let call): emit(.include(call: try self.call(call, at: offset, isInclude: true)), at: offset)
        case .render(let call): emit(.render(call: try self.call(call, at: offset, isInclude: false)), at: offset)
        case .breakLoop: emit(.breakLoop, at: offset)
        case .continueLoop: emit(.continueLoop, at: offset)
        }
    }

    private mutating func emitText(_ range: Range<Int>) {
        let start = pools.text.count
        pools.text.append(contentsOf: source.bytes[range])
        let (from, to) = (Int32(truncatingIfNeeded: start), Int32(truncatingIfNeeded: pools.text.count))
        emit(.text(from: from, to: to), at: range.lowerBound)
    }

    private mutating func emit(_ branches: [BranchSyntax], at offset: Int) throws(LiquidError) {
        var exits: [Int] = []
        for (index, branch) in branches.enumerated() {
            guard let condition = branch.condition else {
                try emit(branch.block)
                // What follows an else never runs, but it must be valid.
                if index + 1 < branches.count { exits.append(emit(.jump(target: 0), at: offset)) }
                continue
            }
            let skips = try emitJumps(condition, whenHolds: branch.isNegated)
            try emit(branch.block)
            if index + 1 < branches.count { exits.append(emit(.jump(target: 0), at: offset)) }
            for skip in skips { patch(skip) }
        }
        for exit in exits { patch(exit) }
    }

    /// Emits a condition; the jumps that are returned are taken when it holds, or when it does not.
    ///
    /// `and` and `or` group from the right, so that each comparison decides alone whether the rest matters: a false one
    /// before `and` makes the whole false, a true one before `or` makes it true.
    mutating func emitJumps(_ condition: ConditionSyntax, whenHolds: Bool) throws(LiquidError) -> [Int] {
        var toTrue: [Int] = []
        var toFalse: [Int] = []
        for (index, comparison) in condition.comparisons.enumerated() {
            let test = try test(comparison)
            if index == condition.joins.count {
                if whenHolds {
                    toTrue.append(emit(.jumpIfTrue(test: test, target: 0), at: comparison.offset))
                } else {
                    toFalse.append(emit(.jumpIfFalse(test: test, target: 0), at: comparison.offset))
                }
            } else if condition.joins[index] == .and {
                toFalse.append(emit(.jumpIfFalse(test: test, target: 0), at: comparison.offset))
            } else {
                toTrue.append(emit(.jumpIfTrue(test: test, target: 0), at: comparison.offset))
            }
        }
        for jump in whenHolds ? toFalse : toTrue { patch(jump) }
        return whenHolds ? toTrue : toFalse
    }

    private mutating func emit(
        _ subject: ExpressionSyntax, _ branches: [WhenSyntax], at offset: Int
    ) throws(LiquidError) {
        let subject = try operand(subject, mayBeMissing: true)
        emit(.beginChoice, at: offset)
        for branch in branches {
            guard let values = branch.values else {
                let skip = emit(.jumpIfChosen(target: 0), at: branch.offset)
                try emit(branch.block)
                patch(skip)
                continue
            }
            for value in values {
                let test = CompiledTest(
                    left: subject, relation: .equal, right: try operand(value, mayBeMissing: true),
                    offset: branch.offset)
                let number = pools.tests.append(numbering: test)
                let skip = emit(.jumpIfFalse(test: number, target: 0), at: branch.offset)
                emit(.markChosen, at: branch.offset)
                try emit(branch.block)
                patch(skip)
            }
        }
        emit(.endBlock, at: offset)
    }

    private mutating func emit(_ loop: LoopSyntax, at offset: Int) throws(LiquidError) {
        let start: CompiledLoop.Start =
            switch loop.start {
            case .beginning: .beginning
            case .continued: .continued
            case .at(let value): .at(try operand(value))
            }
        let collection = try operand(loop.collection)
        let limit = try loop.limit.map { value throws(LiquidError) in try operand(value) }
        let columns = try loop.columns.map { value throws(LiquidError) in try operand(value) }
        let namesBefore = localNames
        let compiled = CompiledLoop(
            isTableRow: loop.isTableRow, variable: bind(loop.variable),
            helper: bind(loop.isTableRow ? "tablerowloop" : "forloop"), name: loop.name, collection: collection,
            start: start, limit: limit, columns: columns, isReversed: loop.isReversed, offset: offset)
        let number = pools.loops.append(numbering: compiled)
        let begin = emit(.beginLoop(loop: number, otherwise: 0), at: offset)
        try emit(loop.body)
        pools.loops[Int(number)].next = emit(.nextTurn, at: offset)
        for name in [loop.variable, loop.isTableRow ? "tablerowloop" : "forloop"]
        where !namesBefore.contains(ByteKey(name)) {
            localNames.remove(ByteKey(name))
        }
        guard let otherwise = loop.otherwise else {
            patch(begin)
            return
        }
        let exit = emit(.jump(target: 0), at: offset)
        patch(begin)
        try emit(otherwise)
        patch(exit)
    }

    private mutating func emit(_ cycle: CycleSyntax, at offset: Int) throws(LiquidError) {
        var values: [Operand] = []
        for value in cycle.values { values.append(try operand(value)) }
        let group = try cycle.group.map { value throws(LiquidError) in try operand(value, mayBeMissing: true) }
        emit(
            .cycle(pools.cycles.append(numbering: CompiledCycle(group: group, text: cycle.text, values: values))),
            at: offset)
    }

    private mutating func call(
        _ call: PartialCallSyntax, at offset: Int, isInclude: Bool
    ) throws(LiquidError) -> Int32 {
        let target: CompiledCall.Target
        if case .literal(let name) = call.name {
            guard case .string(let name) = name else {
                throw error(.partial(name.text), "the name of a partial is a string", at: offset)
            }
            target = .partial(try partial(name, at: offset, mayBeBroken: false))
        } else {
            target = .computed(try operand(call.name))
            for name in options.partials.names { _ = try partial(name, at: offset, mayBeBroken: true) }
        }
        var arguments: [(symbol: Int32, value: Operand)] = []
        for (name, value) in call.arguments {
            let value = try operand(value)
            arguments.append((symbol(name), value))
            localNames.insert(ByteKey(name))
        }
        let subject = try call.subject.map { value throws(LiquidError) in try operand(value) }
        if isInclude, call.subject == nil, case .partial(let number) = target {
            references.append(reference(to: pools.partials[number].name, path: [], at: offset))
        }
        let compiled = CompiledCall(
            target: target, subject: subject, repeats: call.repeats, variable: call.alias.map { bind($0) },
            helper: call.repeats && !isInclude ? bind("forloop") : nil, arguments: arguments, offset: offset)
        if isInclude || call.subject != nil || call.repeats, case .partial(let number) = target {
            localNames.insert(ByteKey(pools.symbols[Int(pools.partials[number].variable)]))
        }
        return pools.calls.append(numbering: compiled)
    }
}

extension Array {
    /// Appends an element and gives its place.
    mutating func append(numbering element: Element) -> Int32 {
        append(element)
        return Int32(truncatingIfNeeded: count - 1)
    }
}
