extension Renderer {
    /// `increment` prints a counter and then adds to it, `decrement` subtracts and then prints.
    mutating func count(_ symbol: Int32, by step: Int64) {
        let before = registers.counters[symbol] ?? 0
        let after = before &+ step
        registers.counters[symbol] = after
        LiquidValue.int(step > 0 ? before : after).appendText(to: &output)
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
