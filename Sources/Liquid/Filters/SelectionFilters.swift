/// Filters that pick elements by a property.
let selectionFilters: [LiquidFilter] = [
    LiquidFilter("where", arguments: 1...2) { input, arguments, context throws(FilterFailure) in
        try select(input, arguments, context) { matches, elements in
            .array(zip(matches, elements).filter(\.0).map(\.1))
        }
    },
    LiquidFilter("reject", arguments: 1...2) { input, arguments, context throws(FilterFailure) in
        try select(input, arguments, context) { matches, elements in
            .array(zip(matches, elements).filter { !$0.0 }.map(\.1))
        }
    },
    LiquidFilter("has", arguments: 1...2) { input, arguments, context throws(FilterFailure) in
        try select(input, arguments, context, stopsAtMatch: true) { matches, _ in .bool(matches.last == true) }
    },
    LiquidFilter("find", arguments: 1...2) { input, arguments, context throws(FilterFailure) in
        try select(input, arguments, context, stopsAtMatch: true) { matches, elements in
            matches.last == true ? elements[matches.count - 1] : .null
        }
    },
    LiquidFilter("find_index", arguments: 1...2) { input, arguments, context throws(FilterFailure) in
        try select(input, arguments, context, stopsAtMatch: true) { matches, _ in
            matches.last == true ? .int(Int64(matches.count - 1)) : .null
        }
    },
]

/// Tests each element: without a value its property must be truthy, with one equal to it. The result is nil when an
/// element cannot be asked for properties.
private func select(
    _ input: LiquidValue, _ arguments: FilterArguments, _ context: FilterContext, stopsAtMatch: Bool = false,
    _ result: ([Bool], [LiquidValue]) -> LiquidValue
) throws(FilterFailure) -> LiquidValue {
    let elements = try input.elements(context)
    var matches: [Bool] = []
    for element in elements {
        guard element.hasProperties else { return .null }
        let property = try element.property(arguments.first)
        let isMatch = arguments.second.isNull ? property.isTruthy : LiquidValue.isEqual(property, arguments.second)
        matches.append(isMatch)
        if isMatch, stopsAtMatch { break }
    }
    return result(matches, elements)
}
