/// What a variable of the running template is bound to.
enum Binding {
    case unbound
    case value(LiquidValue)
    /// `forloop` or `tablerowloop`: the loop at this place in `Renderer.loops`.
    case loop(Int)
}

/// A binding that a loop or an `include` hides until it ends.
struct HiddenBinding {
    /// In `Renderer.slots`.
    var slot: Int
    var binding: Binding
}

/// A loop that is running.
struct LoopState {
    enum Items {
        case values([LiquidValue])
        case range(Int64)
    }

    enum Kind {
        case plain
        /// With the number of columns.
        case tableRow(columns: Int)
        /// `render … for`: it only gives `forloop`.
        case partial
    }

    var kind: Kind
    var items: Items
    /// The place of the first item.
    var first: Int
    var count: Int
    var isReversed: Bool
    var index = 0
    var name: String
    /// The loop around this one.
    var parent: Int?
    var row = 1
    var column = 1

    var body: Int
    var next: Int
    /// How much of each stack belongs to what is around the loop.
    var frameDepth: Int
    var blockDepth: Int
    var hiddenDepth: Int
    var variableSlot: Int
    var helperSlot: Int

    var item: LiquidValue {
        let position = first + (isReversed ? count - 1 - index : index)
        return switch items {
        case .values(let values): values[position]
        case .range(let start): .int(start &+ Int64(position))
        }
    }
}

/// A capture, ifchanged or case that is running.
enum OpenBlock {
    case capture(slot: Int, start: Int)
    case changed(start: Int)
    case choice(isChosen: Bool)
}

/// A partial that is running.
struct PartialFrame {
    /// The instruction after the tag.
    var returnTo: Int
    var isIsolated: Bool
    var entry: Int
    /// The elements still to be rendered, for a partial that is repeated.
    var items: [LiquidValue]
    var itemIndex = 0
    var subjectSlot: Int?
    /// Of `forloop`, for a partial that is repeated by `render … for`.
    var helperSlot: Int?
    var arguments: [(slot: Int, value: LiquidValue)]
    /// Where the caller's variables begin, and what belongs to it of each stack.
    var callerSlots: Int
    var callerLoopBase: Int
    var loopDepth: Int
    var blockDepth: Int
    var hiddenDepth: Int
    /// The caller's counters and the like, which an isolated partial does not see.
    var callerRegisters: Registers?
}

/// What tags remember from one run of a tag to the next.
struct Registers {
    var counters: [Int32: Int64] = [:]
    var turns: [CycleKey: Int] = [:]
    var continuations: [ByteKey: Int] = [:]
    var lastChanged: String?

    enum CycleKey: Hashable {
        case named(ByteKey)
        case unnamed(ByteKey)
    }
}
