/// A run of nodes, and whether it can print nothing but white space.
struct BlockSyntax: Sendable {
    var nodes: [NodeSyntax] = []
    /// Such a block prints nothing at all: its white space only lays out the tags in it.
    var isBlank = true

    /// The block without its text.
    func withoutText() -> BlockSyntax {
        BlockSyntax(nodes: nodes.filter { if case .text = $0.kind { false } else { true } }, isBlank: isBlank)
    }
}

struct NodeSyntax: Sendable {
    indirect enum Kind: Sendable {
        case text(Range<Int>)
        case output(FilteredSyntax)
        case assign(String, FilteredSyntax)
        case capture(String, BlockSyntax)
        case conditional([BranchSyntax])
        case choice(ExpressionSyntax, [WhenSyntax])
        case loop(LoopSyntax)
        case cycle(CycleSyntax)
        case increment(String)
        case decrement(String)
        case changed(BlockSyntax)
        case include(PartialCallSyntax)
        case render(PartialCallSyntax)
        case breakLoop
        case continueLoop
    }

    var kind: Kind
    /// UTF-8 offset of the tag or output.
    var offset: Int
}

/// One way of an `if` or `unless`.
struct BranchSyntax: Sendable {
    /// `nil` for `else`.
    var condition: ConditionSyntax?
    /// The first branch of `unless` runs when its condition does not hold.
    var isNegated = false
    var block: BlockSyntax
}

/// One `when` or `else` of a `case`.
struct WhenSyntax: Sendable {
    /// `nil` for `else`. The block runs once for each value that is equal.
    var values: [ExpressionSyntax]?
    var block: BlockSyntax
    var offset: Int
}

/// A `for` or `tablerow`.
struct LoopSyntax: Sendable {
    enum Start: Sendable {
        case beginning
        case at(ExpressionSyntax)
        /// Where the loop of the same name ended.
        case continued
    }

    var isTableRow: Bool
    var variable: String
    /// The variable and the collection as written, which is what `forloop.name` prints and what `offset: continue` goes by.
    var name: String
    var collection: ExpressionSyntax
    var start = Start.beginning
    var limit: ExpressionSyntax?
    var columns: ExpressionSyntax?
    var isReversed = false
    var body = BlockSyntax()
    var otherwise: BlockSyntax?
}

struct CycleSyntax: Sendable {
    /// `nil`: cycles with the same values share their turn.
    var group: ExpressionSyntax?
    var text: String
    var values: [ExpressionSyntax]
}

/// An `include` or `render`.
struct PartialCallSyntax: Sendable {
    var name: ExpressionSyntax
    /// What follows `with` or `for`.
    var subject: ExpressionSyntax?
    /// `for`: once for each element of the subject.
    var repeats = false
    var alias: String?
    var arguments: [(name: String, value: ExpressionSyntax)] = []
}

/// Comparisons joined by `and` and `or`, which have no precedence and group from the right.
struct ConditionSyntax: Sendable {
    enum Join: Sendable { case and, or }

    struct Comparison: Sendable {
        var left: ExpressionSyntax
        /// `nil`: the left value's truth counts.
        var relation: ComparisonOperator?
        var right: ExpressionSyntax?
        var offset: Int
    }

    var comparisons: [Comparison]
    /// One fewer than the comparisons.
    var joins: [Join]
}

/// A value and the filters it goes through.
struct FilteredSyntax: Sendable {
    var value: ExpressionSyntax
    var filters: [FilterSyntax] = []
}

struct FilterSyntax: Sendable {
    var name: String
    var offset: Int
    var arguments: [ExpressionSyntax] = []
    var keywords: [(name: String, value: ExpressionSyntax)] = []
}

indirect enum ExpressionSyntax: Sendable {
    case literal(LiquidValue)
    case path(PathSyntax)
    case range(ExpressionSyntax, ExpressionSyntax, offset: Int)
}

/// `root.name[expression]…`
struct PathSyntax: Sendable {
    enum Root: Sendable {
        case name(String)
        /// `[expression]`: the variable whose name the expression gives.
        case computed(ExpressionSyntax)
    }

    enum Segment: Sendable {
        case name(String)
        case computed(ExpressionSyntax)
    }

    var root: Root
    var segments: [Segment] = []
    var offset: Int
}
