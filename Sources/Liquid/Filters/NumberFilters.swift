/// Filters that calculate.
let numberFilters: [LiquidFilter] = [
    LiquidFilter("plus", arguments: 1...1) { input, arguments, _ in
        LiquidNumber.sum(LiquidNumber(input), LiquidNumber(arguments.first)).value
    },
    LiquidFilter("minus", arguments: 1...1) { input, arguments, _ in
        LiquidNumber.difference(LiquidNumber(input), LiquidNumber(arguments.first)).value
    },
    LiquidFilter("times", arguments: 1...1) { input, arguments, _ in
        LiquidNumber.product(LiquidNumber(input), LiquidNumber(arguments.first)).value
    },
    LiquidFilter("divided_by", arguments: 1...1) { input, arguments, _ throws(FilterFailure) in
        guard let result = LiquidNumber.quotient(LiquidNumber(input), LiquidNumber(arguments.first)) else {
            throw FilterFailure("divided by 0")
        }
        return result.value
    },
    LiquidFilter("modulo", arguments: 1...1) { input, arguments, _ throws(FilterFailure) in
        guard let result = LiquidNumber.remainder(LiquidNumber(input), LiquidNumber(arguments.first)) else {
            throw FilterFailure("divided by 0")
        }
        return result.value
    },
    LiquidFilter("abs") { input, _, _ in
        let number = LiquidNumber(input)
        let isNegative = LiquidNumber.compare(number, .int(0)) < 0
        return (isNegative ? LiquidNumber.difference(.int(0), number) : number).value
    },
    LiquidFilter("at_least", arguments: 1...1) { input, arguments, _ in
        let (number, bound) = (LiquidNumber(input), LiquidNumber(arguments.first))
        return (LiquidNumber.compare(bound, number) > 0 ? bound : number).value
    },
    LiquidFilter("at_most", arguments: 1...1) { input, arguments, _ in
        let (number, bound) = (LiquidNumber(input), LiquidNumber(arguments.first))
        return (LiquidNumber.compare(bound, number) < 0 ? bound : number).value
    },
    LiquidFilter("ceil") { input, _, _ throws(FilterFailure) in try whole(LiquidNumber(input), .up, "ceil") },
    LiquidFilter("floor") { input, _, _ throws(FilterFailure) in try whole(LiquidNumber(input), .down, "floor") },
    LiquidFilter("round", arguments: 0...1) { input, arguments, _ throws(FilterFailure) in
        let places = LiquidNumber(arguments.first).truncated ?? 0
        let number = LiquidNumber(input)
        if places == 0 { return try whole(number, .halfAwayFromZero, "round") }
        switch number {
        case .int(let whole) where places < 0:
            return LiquidNumber.rounding(whole, toPlaces: Int(clamping: places))
        case .decimal(let exact):
            return .double(exact.rounded(toPlaces: Int(clamping: places), .halfAwayFromZero).double)
        default: return number.value
        }
    },
]

private func whole(
    _ number: LiquidNumber, _ rounding: ExactDecimal.Rounding, _ filter: String
) throws(FilterFailure) -> LiquidValue {
    switch number {
    case .int(let whole): return .int(whole)
    case .decimal(let exact):
        let rounded = exact.rounded(toPlaces: 0, rounding)
        return rounded.int.map(LiquidValue.int) ?? .double(rounded.double)
    case .double(let value):
        guard value.isFinite else { throw FilterFailure("\(filter) of a number that is not finite") }
        return .double(value)
    }
}

extension LiquidNumber {
    fileprivate static func rounding(_ number: Int64, toPlaces places: Int) -> LiquidValue {
        let rounded = ExactDecimal(number).rounded(toPlaces: places, .halfAwayFromZero)
        return rounded.int.map(LiquidValue.int) ?? .double(rounded.double)
    }
}
