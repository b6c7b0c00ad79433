/// One step of a compiled template. Numbers are places in the pools of `CompiledTemplate`; targets are instructions.
enum Instruction: Sendable {
    /// Print a part of the constant text.
    case text(from: Int32, to: Int32)
    case output(expression: Int32)
    case assign(symbol: Int32, expression: Int32)
    case beginCapture(symbol: Int32)
    case beginChanged
    /// Open a `case`, in which no branch has run yet.
    case beginChoice
    /// A branch of the innermost `case` runs.
    case markChosen
    case jumpIfChosen(target: Int32)
    /// Close the innermost capture, ifchanged or case.
    case endBlock
    case jump(target: Int32)
    case jumpIfTrue(test: Int32, target: Int32)
    case jumpIfFalse(test: Int32, target: Int32)
    /// Enter a loop at the following instruction, or jump when there is nothing to loop over.
    case beginLoop(loop: Int32, otherwise: Int32)
    /// Take the innermost loop's next turn, or leave it at the following instruction.
    case nextTurn
    case breakLoop
    case continueLoop
    case cycle(Int32)
    case increment(symbol: Int32)
    case decrement(symbol: Int32)
    case include(call: Int32)
    case render(call: Int32)
    /// The condition holds (only in a `Condition`).
    case accept
    /// End of the template or partial.
    case finish
}

/// Where a value comes from.
enum Operand: Sendable {
    case constant(Int32)
    case path(Int32)
    case range(Int32)
}

struct CompiledPath: Sendable {
    enum Root: Sendable {
        case symbol(Int32)
        case computed(Operand)
    }

    var root: Root
    /// In `CompiledTemplate.segments`.
    var segments: Range<Int>
    /// Nothing to complain about when a property on this path is missing: it is tested, or has a default.
    var mayBeMissing: Bool
    var offset: Int
}

enum CompiledSegment: Sendable {
    /// After a dot: a key, or one of `size`, `first` and `last`.
    case name(String, command: PathCommand?)
    case key(String)
    case index(Int64)
    case computed(Operand)
}

enum PathCommand: String, Sendable {
    case size, first, last
}

struct CompiledRange: Sendable {
    var first: Operand
    var last: Operand
    var offset: Int
}

struct CompiledExpression: Sendable {
    var value: Operand
    /// In `CompiledTemplate.filters`.
    var filters: Range<Int>
}

struct CompiledFilter: Sendable {
    var function: LiquidFilter.Function
    var argumentCount: Int
    var first: Operand
    var second: Operand
    var keywords: [(name: String, value: Operand)]
    var offset: Int
}

struct CompiledTest: Sendable {
    var left: Operand
    /// `nil`: the left value's truth counts.
    var relation: ComparisonOperator?
    var right: Operand
    var offset: Int
}

struct CompiledLoop: Sendable {
    enum Start: Sendable {
        case beginning
        case at(Operand)
        case continued
    }

    var isTableRow: Bool
    var variable: Int32
    /// `forloop` or `tablerowloop`.
    var helper: Int32
    var name: String
    var collection: Operand
    var start: Start
    var limit: Operand?
    var columns: Operand?
    var isReversed: Bool
    /// The instruction that takes the next turn.
    var next: Int = 0
    var offset: Int
}

struct CompiledCycle: Sendable {
    var group: Operand?
    var text: String
    var values: [Operand]
}

struct CompiledCall: Sendable {
    enum Target: Sendable {
        /// In `CompiledTemplate.partials`.
        case partial(Int)
        case computed(Operand)
    }

    var target: Target
    var subject: Operand?
    var repeats: Bool
    /// The variable that holds the subject; without an alias it is the last part of the partial's name.
    var variable: Int32?
    /// `forloop`, when `render` repeats the partial.
    var helper: Int32?
    var arguments: [(symbol: Int32, value: Operand)]
    var offset: Int
}

struct CompiledPartial: Sendable {
    enum State: Sendable {
        case ready(entry: Int)
        /// Only partials that an `include` might compute the name of may be broken; they fail when they are used.
        case broken(LiquidError)
    }

    var name: String
    var source: SourceText
    /// The variable that holds the subject of an `include` or `render` of this partial.
    var variable: Int32
    /// The variable of the partial's full name, which an `include` without a subject takes as its subject.
    var namesake: Int32
    var state: State
    var instructions: Range<Int>
}
