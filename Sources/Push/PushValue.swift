/// A JSON-shaped value that a registration carries for templates and interceptors.
public enum PushValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([PushValue])
    case object([String: PushValue])

    /// The text, when this is a string.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

extension PushValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string value.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A list of values.
    public init(arrayLiteral elements: PushValue...) { self = .array(elements) }
    /// An object; the last of two equal keys wins.
    public init(dictionaryLiteral elements: (String, PushValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
