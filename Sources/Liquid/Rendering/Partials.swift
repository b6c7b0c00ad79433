extension Renderer {
    mutating func enter(_ call: CompiledCall, isIsolated: Bool) throws(LiquidError) {
        let (partial, entry) = try partial(of: call)
        if !isIsolated, frames.contains(where: \.isIsolated) {
            throw error(.partial(partial.name), "include may not stand in a partial that is rendered", at: call.offset)
        }
        guard frames.count < template.limits.partialDepth else {
            throw error(
                .limit(.partialDepth), "partials stand more than \(template.limits.partialDepth) deep", at: call.offset)
        }
        var subject: LiquidValue?
        if let operand = call.subject { subject = try value(of: operand) }
        if subject == nil, !isIsolated { subject = variable(named: partial.name) ?? .null }
        var arguments: [(slot: Int, value: LiquidValue)] = []
        let base = isIsolated ? slots.count : slotBase
        for (symbol, operand) in call.arguments { arguments.append((base + Int(symbol), try value(of: operand))) }

        var frame = PartialFrame(
            returnTo: next, isIsolated: isIsolated, entry: entry, items: [], arguments: arguments,
            callerSlots: slotBase, callerLoopBase: loopBase, loopDepth: loops.count, blockDepth: blocks.count,
            hiddenDepth: hidden.count)
        let items = try isIsolated && !call.repeats ? nil : elements(of: subject, isIsolated: isIsolated)
        if let items {
            frame.items = items
        } else if let subject {
            frame.items = isIsolated && subject.isNull ? [] : [subject]
        }
        if !frame.items.isEmpty || !isIsolated { frame.subjectSlot = base + Int(call.variable ?? partial.variable) }
        if items?.isEmpty == true { return }
        if isIsolated {
            if items != nil, let helper = call.helper { frame.helperSlot = base + Int(helper) }
            isolate(&frame)
        } else {
            if let slot = frame.subjectSlot { bind(slot, to: .unbound) }
            for (slot, value) in arguments { bind(slot, to: .value(value)) }
        }
        frames.append(frame)
        try beginPartial()
    }

    private mutating func partial(of call: CompiledCall) throws(LiquidError) -> (CompiledPartial, entry: Int) {
        let number: Int
        switch call.target {
        case .partial(let known): number = known
        case .computed(let operand):
            guard case .string(let name) = try value(of: operand) else {
                throw error(.partial(""), "the name of a partial is a string", at: call.offset)
            }
            guard let known = template.pools.partials.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else {
                throw error(.partial(name), "there is no partial \"\(name)\"", at: call.offset)
            }
            number = known
        }
        let partial = template.pools.partials[number]
        switch partial.state {
        case .ready(let entry): return (partial, entry)
        case .broken(let error): throw error
        }
    }

    /// What a partial is repeated for: the elements of an array, and for `render` also of a range or object.
    private func elements(of subject: LiquidValue?, isIsolated: Bool) throws(LiquidError) -> [LiquidValue]? {
        switch subject {
        case .array(let elements): return elements
        case .object(let object) where isIsolated: return LiquidValue.pairs(of: object)
        case .range where isIsolated:
            do throws(FilterFailure) {
                return try subject?.elements(filterContext)
            } catch {
                throw self.error(.limit(.rangeSize), error.message)
            }
        default: return nil
        }
    }

    /// Gives the partial variables and registers of its own.
    private mutating func isolate(_ frame: inout PartialFrame) {
        frame.callerRegisters = registers
        registers = Registers()
        slotBase = slots.count
        slots += [Binding](repeating: .unbound, count: template.pools.symbols.count)
        if frame.helperSlot != nil {
            loops.append(
                LoopState(
                    kind: .partial, items: .values([]), first: 0, count: frame.items.count, isReversed: false, name: "",
                    parent: nil, body: 0, next: 0, frameDepth: 0, blockDepth: 0, hiddenDepth: 0, variableSlot: 0,
                    helperSlot: 0))
        }
        loopBase = loops.count
    }

    private mutating func beginPartial() throws(LiquidError) {
        try countIteration()
        let frame = frames[frames.count - 1]
        if frame.isIsolated {
            for slot in slotBase..<slots.count { slots[slot] = .unbound }
            for (slot, value) in frame.arguments { slots[slot] = .value(value) }
            if let helper = frame.helperSlot {
                loops[loopBase - 1].index = frame.itemIndex
                slots[helper] = .loop(loopBase - 1)
            }
        }
        if let slot = frame.subjectSlot, frame.itemIndex < frame.items.count {
            slots[slot] = .value(frame.items[frame.itemIndex])
        }
        next = frame.entry
    }

    /// - Returns: whether it was the template itself that ended.
    mutating func finishPartial() throws(LiquidError) -> Bool {
        guard !frames.isEmpty else { return true }
        let last = frames.count - 1
        frames[last].itemIndex += 1
        if frames[last].itemIndex < frames[last].items.count {
            if frames[last].isIsolated { registers = Registers() }
            try beginPartial()
        } else {
            try leavePartial()
        }
        return false
    }

    mutating func leavePartial() throws(LiquidError) {
        guard let frame = frames.last else { return }
        try closeBlocks(to: frame.blockDepth)
        frames.removeLast()
        if frame.isIsolated {
            slots.removeSubrange(slotBase...)
            hidden.removeSubrange(frame.hiddenDepth...)
            loops.removeSubrange(frame.loopDepth...)
            registers = frame.callerRegisters ?? Registers()
        } else {
            restore(to: frame.hiddenDepth)
        }
        slotBase = frame.callerSlots
        loopBase = frame.callerLoopBase
        next = frame.returnTo
    }
}
