extension Renderer {
    mutating func beginLoop(_ number: Int, otherwise: Int) throws(LiquidError) {
        let loop = template.pools.loops[number]
        let collection = try value(of: loop.collection)
        if loop.isTableRow, !collection.isTruthy {
            next = otherwise
            return
        }
        let (items, available) = items(of: collection)
        if case .object = collection { try countSteps(available / 16) }
        let (first, taken) = try extent(of: loop, collection, available)
        var state = LoopState(
            kind: .plain, items: items, first: first, count: taken, isReversed: loop.isReversed, name: loop.name,
            parent: parentLoop, body: next, next: loop.next, frameDepth: frames.count, blockDepth: blocks.count,
            hiddenDepth: hidden.count, variableSlot: slotBase + Int(loop.variable),
            helperSlot: slotBase + Int(loop.helper))
        if loop.isTableRow {
            let columns = try loop.columns.map { value throws(LiquidError) in try integer(value, of: loop, "cols") ?? 0
            }
            state.kind = .tableRow(columns: columns.map { Int(clamping: $0) } ?? taken)
            output.append(contentsOf: "<tr class=\"row1\">\n".utf8)
            if taken == 0 { output.append(contentsOf: "</tr>\n".utf8) }
        }
        if taken == 0 {
            next = otherwise
            return
        }
        loops.append(state)
        bind(state.variableSlot, to: .unbound)
        bind(state.helperSlot, to: .loop(loops.count - 1))
        try beginTurn()
    }

    /// The first element that is visited, and how many are, after `offset` and `limit`. Text is one element whatever they say.
    private mutating func extent(
        of loop: CompiledLoop, _ collection: LiquidValue, _ available: Int
    ) throws(LiquidError) -> (first: Int, count: Int) {
        let offset = try start(of: loop)
        var count = max(0, available - max(0, offset))
        if let limit = loop.limit, let limit = try integer(limit, of: loop, "limit") {
            // A negative offset adds no elements, it only moves the end.
            let (end, overflow) = limit.addingReportingOverflow(Int64(min(0, offset)))
            count = min(count, Int(clamping: max(0, overflow ? 0 : end)))
        }
        if case .string = collection { return (0, available) }
        if !loop.isTableRow { registers.continuations[ByteKey(loop.name)] = offset + count }
        return (max(0, offset), count)
    }

    private var parentLoop: Int? {
        var index = loops.count - 1
        while index >= loopBase {
            if case .tableRow = loops[index].kind { index -= 1 } else { return index }
        }
        return nil
    }

    private func items(of collection: LiquidValue) -> (LoopState.Items, Int) {
        switch collection {
        case .array(let elements): return (.values(elements), elements.count)
        case .range(let first, let last):
            return (.range(first), Int(clamping: LiquidValue.rangeCount(first, last)))
        case .object(let object):
            let pairs = LiquidValue.pairs(of: object)
            return (.values(pairs), pairs.count)
        case .string(let text): return text.utf8.isEmpty ? (.values([]), 0) : (.values([.string(text)]), 1)
        default: return (.values([]), 0)
        }
    }

    private mutating func start(of loop: CompiledLoop) throws(LiquidError) -> Int {
        switch loop.start {
        case .beginning: 0
        case .continued: registers.continuations[ByteKey(loop.name)] ?? 0
        case .at(let operand): Int(clamping: try integer(operand, of: loop, "offset") ?? 0)
        }
    }

    /// `for` refuses what is no whole number, `tablerow` takes it as its reference does.
    private mutating func integer(
        _ operand: Operand, of loop: CompiledLoop, _ name: String
    ) throws(LiquidError) -> Int64? {
        let value = try value(of: operand)
        if value.isNull { return nil }
        if loop.isTableRow { return LiquidNumber(value).truncated ?? 0 }
        guard let number = value.wholeNumber else {
            throw error(.value, "\(name) must be a whole number, not \(value.kindName)", at: loop.offset)
        }
        return number
    }

    // MARK: Turns

    private mutating func beginTurn() throws(LiquidError) {
        try countIteration()
        let loop = loops[loops.count - 1]
        slots[loop.variableSlot] = .value(loop.item)
        if case .tableRow = loop.kind {
            output.append(contentsOf: "<td class=\"col\(loop.column)\">".utf8)
        }
        next = loop.body
    }

    mutating func nextTurn() throws(LiquidError) {
        let current = loops.count - 1
        if case .tableRow(let columns) = loops[current].kind {
            endCell(columns: columns)
            try checkOutput()
        }
        loops[current].index += 1
        if loops[current].index < loops[current].count {
            try beginTurn()
        } else {
            try leaveLoop()
        }
    }

    private mutating func endCell(columns: Int) {
        let current = loops.count - 1
        output.append(contentsOf: "</td>".utf8)
        let isLast = loops[current].index + 1 == loops[current].count
        if loops[current].column == columns {
            if !isLast { output.append(contentsOf: "</tr>\n<tr class=\"row\(loops[current].row + 1)\">".utf8) }
            loops[current].column = 1
            loops[current].row += 1
        } else {
            loops[current].column += 1
        }
    }

    private mutating func leaveLoop() throws(LiquidError) {
        guard let loop = loops.popLast() else { return }
        if case .tableRow = loop.kind { output.append(contentsOf: "</tr>\n".utf8) }
        restore(to: loop.hiddenDepth)
        next = loop.next + 1
    }

    /// `break` and `continue`. Outside of loops they end the template, or the partial where it is isolated.
    /// - Returns: whether rendering is over.
    mutating func interrupt(continues: Bool) throws(LiquidError) -> Bool {
        guard loops.count > loopBase, let loop = loops.last else {
            guard let isolated = frames.lastIndex(where: \.isIsolated) else {
                try closeBlocks(to: 0)
                return true
            }
            while frames.count > isolated + 1 { try leavePartial() }
            try closeBlocks(to: frames[isolated].blockDepth)
            return try finishPartial()
        }
        while frames.count > loop.frameDepth { try leavePartial() }
        try closeBlocks(to: loop.blockDepth)
        // The loop's own two bindings stay.
        restore(to: loop.hiddenDepth + 2)
        if continues {
            next = loop.next
            return false
        }
        if case .tableRow = loop.kind { output.append(contentsOf: "</td>".utf8) }
        try leaveLoop()
        return false
    }

    // MARK: forloop and tablerowloop

    func loopProperty(_ segment: CompiledSegment, of index: Int) -> LiquidValue? {
        switch segment {
        case .name(let name, _), .key(let name): loopProperty(name, of: index)
        default: nil
        }
    }

    private func loopProperty(_ name: String, of number: Int) -> LiquidValue? {
        let loop = loops[number]
        switch name {
        case "length": return .int(Int64(loop.count))
        case "index": return .int(Int64(loop.index + 1))
        case "index0": return .int(Int64(loop.index))
        case "rindex": return .int(Int64(loop.count - loop.index))
        case "rindex0": return .int(Int64(loop.count - loop.index - 1))
        case "first": return .bool(loop.index == 0)
        case "last": return .bool(loop.index + 1 == loop.count)
        default: break
        }
        if case .tableRow(let columns) = loop.kind {
            switch name {
            case "row": return .int(Int64(loop.row))
            case "col": return .int(Int64(loop.column))
            case "col0": return .int(Int64(loop.column - 1))
            case "col_first": return .bool(loop.column == 1)
            case "col_last": return .bool(loop.column == columns)
            default: return nil
            }
        }
        switch name {
        case "name": return .string(loop.name)
        case "parentloop": return loop.parent.map { loopValue($0) } ?? .null
        default: return nil
        }
    }

    /// The properties of a loop as they are now.
    func loopValue(_ number: Int) -> LiquidValue {
        let names = [
            "name", "length", "index", "index0", "rindex", "rindex0", "first", "last", "row", "col", "col0",
            "col_first",
            "col_last", "parentloop",
        ]
        return .object(names.compactMap { name in loopProperty(name, of: number).map { (name, $0) } })
    }
}

extension LiquidValue {
    /// The number, when this is a whole one or the text of one.
    var wholeNumber: Int64? {
        switch self {
        case .int(let number): return number
        case .string(let text):
            let trimmed = text.utf8.trimmingSpaces
            guard !trimmed.isEmpty else { return nil }
            return Int64(String(decoding: trimmed, as: UTF8.self))
        default: return nil
        }
    }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
    /// The bytes without ASCII white space at both ends.
    var trimmingSpaces: SubSequence {
        var result = self[...]
        while let first = result.first, first.isASCIISpace { result = result.dropFirst() }
        while let last = result.last, last.isASCIISpace { result = result.dropLast() }
        return result
    }
}
