/// Runs the instructions of a compiled template. Partials and loops live on stacks of its own, so that no template can
/// exhaust the thread's.
struct Renderer {
    let template: CompiledTemplate
    let context: LiquidContext
    let filterContext: FilterContext
    var output: [UInt8]
    let outputStart: Int
    private(set) var isAccepted = false

    /// The instruction that runs next.
    var next = 0
    /// The variables of all running templates; those of the innermost isolated one begin at `slotBase`.
    var slots: [Binding]
    var slotBase = 0
    /// Loops before this one belong to the caller of an isolated partial.
    var loopBase = 0
    var loops: [LoopState] = []
    var frames: [PartialFrame] = []
    var blocks: [OpenBlock] = []
    var hidden: [HiddenBinding] = []
    var registers = Registers()

    var steps = 0
    var iterations = 0
    var assignedBytes = 0

    init(_ template: CompiledTemplate, _ context: LiquidContext, output: [UInt8]) {
        self.template = template
        self.context = context
        self.output = output
        outputStart = output.count
        slots = [Binding](repeating: .unbound, count: template.pools.symbols.count)
        filterContext = FilterContext(
            now: context.now, zone: context.zone, maximumBytes: template.limits.assignedBytes,
            maximumRange: template.limits.rangeSize)
    }

    mutating func run() throws(LiquidError) {
        while true {
            let instruction = template.pools.instructions[next]
            next += 1
            try countSteps(1)
            switch instruction {
            case .text(let from, let to):
                output.append(contentsOf: template.pools.text[Int(from)..<Int(to)])
                try checkOutput()
            case .output(let expression):
                try value(ofExpression: expression).appendOutput(to: &output)
                try checkOutput()
            case .assign(let symbol, let expression):
                let value = try value(ofExpression: expression)
                try countAssigned(value)
                assign(value, to: slotBase + Int(symbol))
            case .jump(let target): next = Int(target)
            case .jumpIfTrue(let test, let target): if try holds(test) { next = Int(target) }
            case .jumpIfFalse(let test, let target): if try !holds(test) { next = Int(target) }
            case .beginLoop(let loop, let otherwise): try beginLoop(Int(loop), otherwise: Int(otherwise))
            case .nextTurn: try nextTurn()
            case .breakLoop, .continueLoop:
                if try interrupt(continues: instruction.isContinue) { return }
            case .finish:
                if try finishPartial() { return }
            case .accept:
                isAccepted = true
                return
            default: try runRare(instruction)
            }
        }
    }

    private mutating func runRare(_ instruction: Instruction) throws(LiquidError) {
        switch instruction {
        case .beginCapture(let symbol): blocks.append(.capture(slot: slotBase + Int(symbol), start: output.count))
        case .beginChanged: blocks.append(.changed(start: output.count))
        case .beginChoice: blocks.append(.choice(isChosen: false))
        case .markChosen: blocks[blocks.count - 1] = .choice(isChosen: true)
        case .jumpIfChosen(let target):
            if case .choice(isChosen: true) = blocks.last { next = Int(target) }
        case .endBlock: try closeBlocks(to: blocks.count - 1)
        case .cycle(let number): try cycle(template.pools.cycles[Int(number)])
        case .increment(let symbol): count(symbol, by: 1)
        case .decrement(let symbol): count(symbol, by: -1)
        case .include(let call): try enter(template.pools.calls[Int(call)], isIsolated: false)
        case .render(let call): try enter(template.pools.calls[Int(call)], isIsolated: true)
        default: break
        }
    }

    /// Ends blocks as if their end tags had been reached, also when a `break` jumps out of them.
    mutating func closeBlocks(to depth: Int) throws(LiquidError) {
        while blocks.count > depth, let block = blocks.popLast() {
            switch block {
            case .choice: break
            case .capture(let slot, let start):
                let captured = String(decoding: output[start...], as: UTF8.self)
                output.removeSubrange(start...)
                try countAssigned(.string(captured))
                assign(.string(captured), to: slot)
            case .changed(let start):
                let content = String(decoding: output[start...], as: UTF8.self)
                if let last = registers.lastChanged, last.hasSameBytes(as: content) {
                    output.removeSubrange(start...)
                } else {
                    registers.lastChanged = content
                }
            }
        }
    }

    /// Sets a variable of the running template, below any loop variable of the same name.
    mutating func assign(_ value: LiquidValue, to slot: Int) {
        for index in hidden.indices where hidden[index].slot == slot {
            hidden[index].binding = .value(value)
            return
        }
        slots[slot] = .value(value)
    }

    /// Binds a variable until `restore(to:)`.
    mutating func bind(_ slot: Int, to binding: Binding) {
        hidden.append(HiddenBinding(slot: slot, binding: slots[slot]))
        slots[slot] = binding
    }

    mutating func restore(to depth: Int) {
        while hidden.count > depth, let last = hidden.popLast() { slots[last.slot] = last.binding }
    }

    // MARK: Errors and limits

    /// An error at a place of the template or partial that is running.
    func error(_ kind: LiquidError.Kind, _ message: String, at offset: Int) -> LiquidError {
        LiquidError(kind, message, at: offset, in: template.source(ofInstruction: next - 1))
    }

    /// An error at the tag or output that is running.
    func error(_ kind: LiquidError.Kind, _ message: String) -> LiquidError {
        error(kind, message, at: Int(template.pools.offsets[next - 1]))
    }

    mutating func countSteps(_ count: Int) throws(LiquidError) {
        steps &+= count
        if steps > template.limits.steps {
            throw error(.limit(.steps), "the template takes more than \(template.limits.steps) steps")
        }
    }

    func checkOutput() throws(LiquidError) {
        if output.count - outputStart > template.limits.outputBytes {
            throw error(
                .limit(.outputBytes), "the template prints more than \(template.limits.outputBytes) bytes")
        }
    }

    mutating func countAssigned(_ value: LiquidValue) throws(LiquidError) {
        assignedBytes += value.shallowSize
        if assignedBytes > template.limits.assignedBytes {
            throw error(
                .limit(.assignedBytes), "the template makes more than \(template.limits.assignedBytes) bytes of values")
        }
    }

    mutating func countIteration() throws(LiquidError) {
        iterations += 1
        if iterations > template.limits.iterations {
            throw error(.limit(.iterations), "the template loops more than \(template.limits.iterations) times")
        }
    }
}

extension Instruction {
    fileprivate var isContinue: Bool {
        if case .continueLoop = self { true } else { false }
    }
}

extension LiquidValue {
    /// Roughly the bytes that making this value costs, not counting what its elements share.
    var shallowSize: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let elements): elements.count * 16
        default: 0
        }
    }
}
