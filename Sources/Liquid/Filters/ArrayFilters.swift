/// Filters on arrays as a whole.
let arrayFilters: [LiquidFilter] = [
    LiquidFilter("first") { input, _, _ in input.property(.first) ?? .null },
    LiquidFilter("last") { input, _, _ in input.property(.last) ?? .null },
    LiquidFilter("join", arguments: 0...1, join),
    LiquidFilter("concat", arguments: 1...1) { input, arguments, context throws(FilterFailure) in
        guard case .array(let more) = arguments.first else {
            throw FilterFailure("concat takes an array, not \(arguments.first.kindName)")
        }
        return .array(try input.elements(context) + more)
    },
    LiquidFilter("reverse") { input, _, context throws(FilterFailure) in .array(try input.elements(context).reversed())
    },
    LiquidFilter("compact", arguments: 0...1) { input, arguments, context throws(FilterFailure) in
        var kept: [LiquidValue] = []
        for element in try input.elements(context) {
            let subject = arguments.first.isNull ? element : try element.property(arguments.first)
            if !subject.isNull { kept.append(element) }
        }
        return .array(kept)
    },
    LiquidFilter("map", arguments: 1...1) { input, arguments, context throws(FilterFailure) in
        var values: [LiquidValue] = []
        for element in try input.elements(context) { values.append(try element.property(arguments.first)) }
        return .array(values)
    },
    LiquidFilter("uniq", arguments: 0...1, uniq),
    LiquidFilter("sort", arguments: 0...1, sort),
    LiquidFilter("sort_natural", arguments: 0...1, sortNatural),
    LiquidFilter("sum", arguments: 0...1) { input, arguments, context throws(FilterFailure) in
        var total = LiquidNumber.int(0)
        for element in try input.elements(context) {
            let value = arguments.first.isNull ? element : try element.property(arguments.first)
            for part in try value.elements(context) { total = LiquidNumber.sum(total, LiquidNumber(part)) }
        }
        return total.value
    },
]

private func join(
    _ input: LiquidValue, _ arguments: FilterArguments, _ context: FilterContext
) throws(FilterFailure) -> LiquidValue {
    let glue = Array((arguments.count > 0 ? arguments.first.text : " ").utf8)
    var result: [UInt8] = []
    for (index, element) in try input.elements(context).enumerated() {
        if index > 0 { result.append(contentsOf: glue) }
        element.appendText(to: &result)
        guard result.count <= context.maximumBytes else { throw .tooLarge(context.maximumBytes) }
    }
    return .string(String(bytes: result))
}

private func uniq(
    _ input: LiquidValue, _ arguments: FilterArguments, _ context: FilterContext
) throws(FilterFailure) -> LiquidValue {
    var seen: Set<ValueKey> = []
    var kept: [LiquidValue] = []
    for element in try input.elements(context) {
        let subject = arguments.first.isNull ? element : try element.property(arguments.first)
        if seen.insert(ValueKey(value: subject)).inserted { kept.append(element) }
    }
    return .array(kept)
}

/// Values that are the same to `uniq`, to which 1 and 1.0 differ.
private struct ValueKey: Hashable {
    var value: LiquidValue

    static func == (left: ValueKey, right: ValueKey) -> Bool {
        switch (left.value, right.value) {
        case (.int, .double), (.double, .int): false
        default: LiquidValue.isEqual(left.value, right.value)
        }
    }

    func hash(into hasher: inout Hasher) { ValueKey.hash(value, into: &hasher, depth: 0) }

    private static func hash(_ value: LiquidValue, into hasher: inout Hasher, depth: Int) {
        switch value {
        case .double(let number) where depth == 0: hasher.combine(number)
        // Inside arrays and objects 1 and 1.0 are equal.
        case .int, .double: hasher.combine(LiquidNumber(value).double)
        case .string(let text): hasher.combine(ByteKey(text))
        case .bool(let flag): hasher.combine(flag)
        case .array(let elements):
            hasher.combine(elements.count)
            guard depth < 8 else { return }
            for element in elements { hash(element, into: &hasher, depth: depth + 1) }
        case .object(let object):
            // Objects are equal whatever the order of their keys.
            let keys = object.keys.sorted { $0.compareBytes(to: $1) < 0 }
            hasher.combine(keys.count)
            guard depth < 8 else { return }
            for key in keys {
                hasher.combine(ByteKey(key))
                hash(object.value(forKey: key) ?? .null, into: &hasher, depth: depth + 1)
            }
        default: break
        }
    }
}

private func sort(
    _ input: LiquidValue, _ arguments: FilterArguments, _ context: FilterContext
) throws(FilterFailure) -> LiquidValue {
    let elements = try input.elements(context)
    if elements.isEmpty { return .array([]) }
    if arguments.first.isNull {
        return .array(try sorted(elements.map { ($0, $0) }, by: order))
    }
    guard elements.allSatisfy(\.hasProperties) else { return .null }
    if elements.count == 1 { return .array(elements) }
    return .array(try sorted(try keyed(elements, by: arguments.first), by: order))
}

private func sortNatural(
    _ input: LiquidValue, _ arguments: FilterArguments, _ context: FilterContext
) throws(FilterFailure) -> LiquidValue {
    let elements = try input.elements(context)
    if elements.isEmpty { return .array([]) }
    if !arguments.first.isNull, !elements.allSatisfy(\.hasProperties) { return .null }
    let keyed = arguments.first.isNull ? elements.map { ($0, $0) } : try keyed(elements, by: arguments.first)
    // Folding once an element is cheaper than once a comparison.
    let folded = keyed.map { key, element in
        (key.isNull ? LiquidValue.null : .string(String(bytes: key.text.utf8.map(\.lowercasedASCII))), element)
    }
    return .array(try sorted(folded, by: order))
}

private func keyed(
    _ elements: [LiquidValue], by property: LiquidValue
) throws(FilterFailure) -> [(LiquidValue, LiquidValue)] {
    var pairs: [(LiquidValue, LiquidValue)] = []
    for element in elements { pairs.append((try element.property(property), element)) }
    return pairs
}

/// The elements by their keys; those with equal keys keep their order.
private func sorted(
    _ pairs: [(key: LiquidValue, element: LiquidValue)],
    by order: (LiquidValue, LiquidValue) throws(FilterFailure) -> Int
) throws(FilterFailure) -> [LiquidValue] {
    var failure: FilterFailure?
    let sorted = pairs.enumerated().sorted { left, right in
        guard failure == nil else { return left.offset < right.offset }
        do throws(FilterFailure) {
            let result = try order(left.element.key, right.element.key)
            return result == 0 ? left.offset < right.offset : result < 0
        } catch {
            failure = error
            return left.offset < right.offset
        }
    }
    if let failure { throw failure }
    return sorted.map(\.element.element)
}

/// Nil stands last.
private func order(_ left: LiquidValue, _ right: LiquidValue) throws(FilterFailure) -> Int {
    switch (left, right) {
    case (.null, .null): return 0
    case (.null, _): return 1
    case (_, .null): return -1
    case (.int, .int), (.int, .double), (.double, .int), (.double, .double):
        return LiquidNumber.compare(LiquidNumber(left), LiquidNumber(right))
    case (.string(let a), .string(let b)): return a.compareBytes(to: b)
    default:
        if LiquidValue.isEqual(left, right) { return 0 }
        throw FilterFailure("cannot sort \(left.kindName) together with \(right.kindName)")
    }
}
