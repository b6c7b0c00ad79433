/// Bounds on what a template may cost. All are counted, none is timed, so that a preview and a send agree.
package struct LiquidLimits: Sendable, Hashable {
    package enum Name: String, Sendable, Hashable, CaseIterable {
        case templateBytes = "template size"
        case nesting
        case steps
        case iterations = "loop iterations"
        case outputBytes = "output size"
        case assignedBytes = "assigned bytes"
        case partialDepth = "partial depth"
        case rangeSize = "range size"
    }

    /// UTF-8 bytes of one template or partial.
    package var templateBytes: Int
    /// Blocks, and brackets and parentheses, inside each other.
    package var nesting: Int
    /// Instructions and filters, long values counting more than once.
    package var steps: Int
    /// Turns of all loops together.
    package var iterations: Int
    /// UTF-8 bytes written, captured ones included.
    package var outputBytes: Int
    /// Bytes that `assign`, `capture` and filters make, together.
    package var assignedBytes: Int
    /// Partials inside each other.
    package var partialDepth: Int
    /// Numbers in a range that is turned into an array or looped over.
    package var rangeSize: Int

    package init(
        templateBytes: Int, nesting: Int, steps: Int, iterations: Int, outputBytes: Int, assignedBytes: Int,
        partialDepth: Int, rangeSize: Int
    ) {
        self.templateBytes = templateBytes
        self.nesting = nesting
        self.steps = steps
        self.iterations = iterations
        self.outputBytes = outputBytes
        self.assignedBytes = assignedBytes
        self.partialDepth = partialDepth
        self.rangeSize = rangeSize
    }

    /// For one field of a notification; no provider takes a payload above 5 KiB.
    package static let pushField = LiquidLimits(
        templateBytes: 16 << 10, nesting: 32, steps: 10_000, iterations: 1_000, outputBytes: 8 << 10,
        assignedBytes: 256 << 10, partialDepth: 16, rangeSize: 1_000)

    /// For whole documents on the command line.
    package static let document = LiquidLimits(
        templateBytes: 4 << 20, nesting: 64, steps: 10_000_000, iterations: 1_000_000, outputBytes: 16 << 20,
        assignedBytes: 64 << 20, partialDepth: 32, rangeSize: 100_000)
}
