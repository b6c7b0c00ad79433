/// The word or sign between two values of a condition.
enum ComparisonOperator: Sendable {
    case equal, notEqual, less, greater, lessOrEqual, greaterOrEqual, contains
}

/// Two values that have no order.
struct IncomparableValues: Error {
    var message: String
}

extension LiquidValue {
    static func compare(
        _ left: LiquidValue, _ relation: ComparisonOperator, _ right: LiquidValue
    ) throws(IncomparableValues) -> Bool {
        switch relation {
        case .equal: return isEqual(left, right)
        case .notEqual: return !isEqual(left, right)
        case .contains: return contains(left, right)
        case .less: return try order(left, right).map { $0 < 0 } ?? false
        case .greater: return try order(left, right).map { $0 > 0 } ?? false
        case .lessOrEqual: return try order(left, right).map { $0 <= 0 } ?? false
        case .greaterOrEqual: return try order(left, right).map { $0 >= 0 } ?? false
        }
    }

    /// The equality of `==`, in which `empty` and `blank` stand for whatever is so.
    static func isEqual(_ left: LiquidValue, _ right: LiquidValue, depth: Int = 0) -> Bool {
        switch (left, right) {
        case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
        case (.int(let a), .int(let b)): a == b
        case (.int, .double), (.double, .int), (.double, .double):
            LiquidNumber.compare(LiquidNumber(left), LiquidNumber(right)) == 0
        case (.bool(let a), .bool(let b)): a == b
        case (.empty, _): right.isEmpty
        case (.blank, _): right.isBlank
        case (_, .empty): left.isEmpty
        case (_, .blank): left.isBlank
        case (.null, .null): true
        case (.range(let a, let b), .range(let c, let d)): a == c && b == d
        case (.array(let a), .array(let b)):
            depth < printedDepth && a.count == b.count
                && zip(a, b).allSatisfy { isEqual($0, $1, depth: depth + 1) }
        case (.object(let a), .object(let b)): a === b || depth < printedDepth && haveEqualPairs(a, b, depth: depth + 1)
        default: false
        }
    }

    private static func haveEqualPairs(_ left: any LiquidObject, _ right: any LiquidObject, depth: Int) -> Bool {
        let keys = left.keys
        guard keys.count == right.keys.count else { return false }
        return keys.allSatisfy { key in
            guard let a = left.value(forKey: key), let b = right.value(forKey: key) else { return false }
            return isEqual(a, b, depth: depth)
        }
    }

    /// Whether this is a string, array or object that holds nothing.
    var isEmpty: Bool {
        switch self {
        case .string(let text): text.utf8.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let object): object.keys.isEmpty
        default: false
        }
    }

    /// Whether this is empty, nil, false, or a string of white space.
    var isBlank: Bool {
        switch self {
        case .null, .bool(false): true
        case .string(let text): text.utf8.allSatisfy(\.isASCIISpace)
        default: isEmpty
        }
    }

    private static func contains(_ whole: LiquidValue, _ part: LiquidValue) -> Bool {
        guard part.isTruthy else { return false }
        switch whole {
        case .string(let text): return text.containsBytes(of: part.text)
        case .array(let elements): return elements.contains { isEqual($0, part) }
        case .object(let object):
            if case .string(let key) = part { return object.value(forKey: key) != nil }
            return false
        case .range(let first, let last):
            guard case .int(let number) = part else { return false }
            return first <= number && number <= last
        default: return false
        }
    }

    /// Negative, zero or positive; `nil` when one side has no order at all, which makes every comparison false.
    private static func order(_ left: LiquidValue, _ right: LiquidValue) throws(IncomparableValues) -> Int? {
        switch (left, right) {
        case (.int(let a), .int(let b)): return a < b ? -1 : a == b ? 0 : 1
        case (.int, .double), (.double, .int), (.double, .double):
            return LiquidNumber.compare(LiquidNumber(left), LiquidNumber(right))
        case (.string(let a), .string(let b)): return a.compareBytes(to: b)
        case (.string, .int), (.string, .double), (.int, .string), (.double, .string):
            throw IncomparableValues(message: "\(left.kindName) has no order against \(right.kindName)")
        default: return nil
        }
    }

    /// What messages call a value of this kind.
    var kindName: String {
        switch self {
        case .null: "nil"
        case .bool: "a truth value"
        case .int, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        case .range: "a range"
        case .empty: "empty"
        case .blank: "blank"
        }
    }
}
