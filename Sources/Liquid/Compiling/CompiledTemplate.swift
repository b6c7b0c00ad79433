/// A template and its partials in the flat form that `Renderer` runs: one list of instructions and the pools they name.
final class CompiledTemplate: Sendable {
    let source: SourceText
    let limits: LiquidLimits
    let refusesUnknownVariables: Bool
    let pools: Pools
    let references: [VariableReference]
    /// Some variable's name is computed, so that the template may read any.
    let readsComputedNames: Bool

    struct Pools: Sendable {
        var instructions: [Instruction] = []
        /// The UTF-8 offset that each instruction comes from.
        var offsets: [Int32] = []
        var text: [UInt8] = []
        /// The names of all variables.
        var symbols: [String] = []
        var constants: [LiquidValue] = []
        var paths: [CompiledPath] = []
        var segments: [CompiledSegment] = []
        var ranges: [CompiledRange] = []
        var expressions: [CompiledExpression] = []
        var filters: [CompiledFilter] = []
        var tests: [CompiledTest] = []
        var loops: [CompiledLoop] = []
        var cycles: [CompiledCycle] = []
        var calls: [CompiledCall] = []
        var partials: [CompiledPartial] = []
    }

    init(source: SourceText, compiler: Compiler) {
        let options = compiler.options
        self.source = source
        self.limits = options.limits
        self.refusesUnknownVariables = options.unknownVariables == .refused
        self.pools = compiler.pools
        self.references = compiler.references
        self.readsComputedNames = compiler.readsComputedNames
    }

    /// The template or partial that an instruction belongs to.
    func source(ofInstruction index: Int) -> SourceText {
        pools.partials.first { $0.instructions.contains(index) }?.source ?? source
    }
}

/// A variable that a template reads and does not make itself.
package struct VariableReference: Sendable, Hashable {
    package var root: String
    /// The names and constant indices after the root, up to the first that is computed.
    package var path: [String]
    /// Offset in the UTF-8 bytes of the template, or of the partial.
    package var utf8Offset: Int
    /// The partial that reads it; `nil` for the template itself.
    package var partial: String?
    /// The template has an `assign`, `capture` or loop of the same name before this place, perhaps one that did not run.
    package var mayBeLocal: Bool
}
