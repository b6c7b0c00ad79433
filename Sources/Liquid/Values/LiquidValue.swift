/// A value that a template reads, computes or prints.
package enum LiquidValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    /// A number with a fraction. Arithmetic on it is decimal: see `ExactDecimal`.
    case double(Double)
    case string(String)
    case array([LiquidValue])
    case object(any LiquidObject)
    /// Whole numbers from the first to the second, both included; without elements when the first is greater.
    case range(Int64, Int64)
    /// The word `empty`: equals strings, arrays and objects that hold nothing.
    case empty
    /// The word `blank`: equals what `empty` does, and nil, false and strings of white space.
    case blank
}

/// A thing with named values, asked for each only when a template reads it.
///
/// Implement it to expose a record without copying it for every render.
package protocol LiquidObject: AnyObject, Sendable {
    /// The value of a key, or `nil` where there is no such key. A key that holds nothing gives `.null`.
    func value(forKey key: String) -> LiquidValue?

    /// All keys, in the order in which a loop visits them.
    var keys: [String] { get }
}

extension LiquidValue {
    /// An object with the pairs in their order; the last of two equal keys wins.
    package static func object(_ pairs: [(String, LiquidValue)]) -> LiquidValue {
        .object(LiquidMap(pairs))
    }

    /// Only nil and false are false.
    package var isTruthy: Bool {
        switch self {
        case .null, .bool(false): false
        default: true
        }
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension LiquidValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(arrayLiteral elements: LiquidValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, LiquidValue)...) { self = .object(LiquidMap(elements)) }
    package init(nilLiteral: ()) { self = .null }
}
