/// One JSON value (RFC 8259).
///
/// Whole numbers within the range of `Int64` are `int`; all other numbers are `double`.
package enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    /// The text, when this is a string.
    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number, when this is a whole one. `3.0` is one too.
    package var intValue: Int64? {
        switch self {
        case .int(let number): number
        case .double(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The number, when this is one.
    package var doubleValue: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// The truth value, when this is one; a number never is.
    package var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements, when this is an array.
    package var arrayValue: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members, when this is an object.
    package var objectValue: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    package var isNull: Bool { self == .null }

    /// The member of an object; `nil` when it is absent or this is no object.
    package subscript(key: String) -> JSON? { objectValue?[key] }

    /// What kind of value this is, with its article, for error messages: `a string`, `an object`.
    package var kindDescription: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .int, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// The last of two equal keys wins.
    package init(dictionaryLiteral members: (String, JSON)...) { self = .object(JSONObject(members)) }
}
