extension Renderer {
    /// `increment` prints a counter and then adds to it, `decrement` subtracts and then prints.
    mutating func count(_ symbol: Int32, by step: Int64) {
        let before = registers.counters[symbol] ?? providedCount(symbol)
        let after = before &+ step
        registers.counters[symbol] = after
        LiquidValue.int(step > 0 ? before : after).appendText(to: &output)
    }

    /// A counter goes on from a number of the same name that the context provides.
    private func providedCount(_ symbol: Int32) -> Int64 {
        let name = template.pools.symbols[Int(symbol)]
        guard case .int(let number) = context.overlay?.value(forKey: name) ?? context.variables.value(forKey: name)
        else {
            return 0
        }
        return number
    }

    /// Prints the next value of a cycle. Cycles of the same group, or without one but with the same values, take turns.
    mutating func cycle(_ cycle: CompiledCycle) throws(LiquidError) {
        let key: Registers.CycleKey
        if let group = cycle.group {
            key = .named(ByteKey(try value(of: group).text))
        } else {
            key = .unnamed(ByteKey(cycle.text))
        }
        let turn = registers.turns[key] ?? 0
        if turn < cycle.values.count { try value(of: cycle.values[turn]).appendOutput(to: &output) }
        registers.turns[key] = turn + 1 >= cycle.values.count ? 0 : turn + 1
        try checkOutput()
    }
}
