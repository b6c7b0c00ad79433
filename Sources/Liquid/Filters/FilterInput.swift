extension LiquidValue {
    /// The elements that array filters work on: those of an array with the arrays in it opened, of a range, or the value itself.
    func elements(_ context: FilterContext) throws(FilterFailure) -> [LiquidValue] {
        switch self {
        case .null: return []
        case .array(let elements):
            guard elements.contains(where: \.isArray) else { return elements }
            var flat: [LiquidValue] = []
            LiquidValue.flatten(elements, into: &flat, depth: 0)
            return flat
        case .range(let first, let last):
            let count = LiquidValue.rangeCount(first, last)
            guard count <= context.maximumRange else { throw .rangeTooLong(context.maximumRange) }
            return count == 0 ? [] : (first...last).map { .int($0) }
        default: return [self]
        }
    }

    private var isArray: Bool {
        if case .array = self { true } else { false }
    }

    private static func flatten(_ elements: [LiquidValue], into flat: inout [LiquidValue], depth: Int) {
        for element in elements {
            if case .array(let inner) = element {
                if depth < printedDepth { flatten(inner, into: &flat, depth: depth + 1) }
            } else {
                flat.append(element)
            }
        }
    }

    /// A count or position given to a filter, cut to a range in which sums with the size of a text cannot overflow.
    func integer(_ name: String) throws(FilterFailure) -> Int {
        guard let number = wholeNumber else {
            throw FilterFailure("\(name) must be a whole number, not \(kindName)")
        }
        return Int(clamping: min(max(number, -(1 << 52)), 1 << 52))
    }

    /// What `item[property]` gives in the array filters: a value of an object, or a part of a text.
    ///
    /// Numbers cannot be asked for a property.
    func property(_ property: LiquidValue) throws(FilterFailure) -> LiquidValue {
        switch (self, property) {
        case (_, .double(let number)):
            return try self.property(.int(number.wholePart ?? 0))
        case (.object(let object), .string(let key)): return object.value(forKey: key) ?? .null
        case (.object, _): return .null
        case (.string(let text), .string(let part)): return text.containsBytes(of: part) ? property : .null
        case (.string(let text), .int(let index)): return text.scalar(at: index).map(LiquidValue.string) ?? .null
        case (.int(let number), .int(let bit)):
            return .int(bit < 0 ? 0 : (number >> min(bit, 63)) & 1)
        case (.array(let elements), .int(let index)): return LiquidValue.array(elements).element(at: index) ?? .null
        case (.string, _), (.int, _), (.array, _):
            throw FilterFailure("cannot select the property \"\(property.text)\" of \(kindName)")
        default: return .null
        }
    }

    /// Whether `property(_:)` can be asked at all.
    var hasProperties: Bool {
        switch self {
        case .object, .string, .int, .array: true
        default: false
        }
    }
}

extension String {
    /// A Unicode scalar by its number, negative ones counted from the end.
    func scalar(at index: Int64) -> String? {
        let scalars = unicodeScalars
        let position = index < 0 ? Int64(scalarCount) &+ index : index
        guard position >= 0, position < Int64(scalarCount) else { return nil }
        return String(scalars[scalars.index(scalars.startIndex, offsetBy: Int(position))])
    }
}
