import Spelling

/// Writes the instructions of a template and of the partials it uses.
struct Compiler {
    let options: TemplateOptions
    var pools = CompiledTemplate.Pools()
    var references: [VariableReference] = []
    var source: SourceText
    /// Names that the template has given a value before the place that is being compiled.
    var localNames: Set<ByteKey> = []
    var readsComputedNames = false
    private var symbolNumbers: [ByteKey: Int32] = [:]
    private var partialNumbers: [ByteKey: Int] = [:]
    private var uncompiledPartials: [(number: Int, mayBeBroken: Bool)] = []

    init(source: SourceText, options: TemplateOptions) {
        self.source = source
        self.options = options
    }

    static func compile(_ text: String, options: TemplateOptions) throws(LiquidError) -> CompiledTemplate {
        let source = SourceText(text)
        var compiler = Compiler(source: source, options: options)
        var parser = try TemplateParser(source, options: options)
        try compiler.emit(try parser.template())
        compiler.emit(.finish, at: source.bytes.count)
        try compiler.compilePartials()
        return compiler.finished(source)
    }

    static func compile(condition text: String, options: TemplateOptions) throws(LiquidError) -> CompiledTemplate {
        let source = SourceText(text)
        var compiler = Compiler(source: source, options: options)
        let parser = try TemplateParser(source, options: options)
        var cursor = try parser.cursor(0..<source.bytes.count)
        let condition = try cursor.condition()
        try cursor.expectEnd()
        let exits = try compiler.emitJumps(condition, whenHolds: false)
        compiler.emit(.accept, at: 0)
        for exit in exits { compiler.patch(exit) }
        compiler.emit(.finish, at: source.bytes.count)
        return compiler.finished(source)
    }

    private func finished(_ source: SourceText) -> CompiledTemplate {
        CompiledTemplate(source: source, compiler: self)
    }

    // MARK: Instructions

    var nextInstruction: Int { pools.instructions.count }

    @discardableResult
    mutating func emit(_ instruction: Instruction, at offset: Int) -> Int {
        pools.instructions.append(instruction)
        pools.offsets.append(Int32(truncatingIfNeeded: offset))
        return pools.instructions.count - 1
    }

    /// Lets the jump at `index` lead to the next instruction.
    mutating func patch(_ index: Int) {
        let target = Int32(truncatingIfNeeded: nextInstruction)
        switch pools.instructions[index] {
        case .jump: pools.instructions[index] = .jump(target: target)
        case .jumpIfTrue(let test, _): pools.instructions[index] = .jumpIfTrue(test: test, target: target)
        case .jumpIfFalse(let test, _): pools.instructions[index] = .jumpIfFalse(test: test, target: target)
        case .jumpIfChosen: pools.instructions[index] = .jumpIfChosen(target: target)
        case .beginLoop(let loop, _): pools.instructions[index] = .beginLoop(loop: loop, otherwise: target)
        default: break
        }
    }

    mutating func symbol(_ name: String) -> Int32 {
        if let known = symbolNumbers[ByteKey(name)] { return known }
        let number = Int32(truncatingIfNeeded: pools.symbols.count)
        pools.symbols.append(name)
        symbolNumbers[ByteKey(name)] = number
        return number
    }

    /// The symbol of a name that gets a value here.
    mutating func bind(_ name: String) -> Int32 {
        localNames.insert(ByteKey(name))
        return symbol(name)
    }

    func error(_ kind: LiquidError.Kind, _ message: String, at offset: Int) -> LiquidError {
        LiquidError(kind, message, at: offset, in: source)
    }
}

extension Compiler {
    /// The number of a partial, which is compiled later if it is new.
    mutating func partial(_ name: String, at offset: Int, mayBeBroken: Bool) throws(LiquidError) -> Int {
        if let number = partialNumbers[ByteKey(name)] {
            if !mayBeBroken, case .broken(let error) = pools.partials[number].state { throw error }
            return number
        }
        guard let text = options.partials.source(ofPartial: name) else {
            let nearest = nearestName(to: name, among: options.partials.names)
            let hint = nearest.map { ", did you mean \"\($0)\"?" } ?? ""
            throw error(.partial(name), "there is no partial \"\(name)\"\(hint)", at: offset)
        }
        let number = pools.partials.count
        partialNumbers[ByteKey(name)] = number
        let lastPart = name.split(separator: "/").last.map(String.init) ?? name
        pools.partials.append(
            CompiledPartial(
                name: name, source: SourceText(text, partialName: name), variable: symbol(lastPart),
                namesake: symbol(name), state: .ready(entry: 0), instructions: 0..<0))
        uncompiledPartials.append((number, mayBeBroken))
        return number
    }

    mutating func compilePartials() throws(LiquidError) {
        while let (number, mayBeBroken) = uncompiledPartials.popLast() {
            let partial = pools.partials[number]
            let entry = nextInstruction
            source = partial.source
            // What the caller has assigned by then cannot be known here, so nothing is taken to be missing.
            do throws(LiquidError) {
                var parser = try TemplateParser(source, options: options)
                try emit(try parser.template())
            } catch {
                guard mayBeBroken else { throw error }
                pools.partials[number].state = .broken(error)
            }
            emit(.finish, at: source.bytes.count)
            if case .ready = pools.partials[number].state { pools.partials[number].state = .ready(entry: entry) }
            pools.partials[number].instructions = entry..<nextInstruction
        }
    }
}
