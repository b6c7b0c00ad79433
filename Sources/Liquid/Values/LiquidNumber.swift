/// A number as the filters calculate with it.
enum LiquidNumber {
    case int(Int64)
    case decimal(ExactDecimal)
    /// Beyond what `ExactDecimal` holds, or already rounded.
    case double(Double)

    init(_ value: Double) { self = ExactDecimal(value).map(LiquidNumber.decimal) ?? .double(value) }

    /// What the value counts as in arithmetic: strings by what they begin with, everything else that is no number as 0.
    init(_ value: LiquidValue) {
        switch value {
        case .int(let number): self = .int(number)
        case .double(let number): self.init(number)
        case .string(let text): self.init(text: text)
        default: self = .int(0)
        }
    }

    /// Digits with a fraction are a decimal, anything else is read as a whole number up to the first other character.
    init(text: String) {
        let bytes = text.utf8.span
        var position = 0
        while position < bytes.count, bytes[position].isASCIISpace { position += 1 }
        let negative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
        let signed = negative || (position < bytes.count && bytes[position] == UInt8(ascii: "+"))
        if signed { position += 1 }
        var significand: Int128 = 0
        var dropped = 0
        var digits = 0
        func take(_ digit: UInt8) {
            if significand < Int128.max / 10 - 1 {
                significand = significand * 10 + Int128(digit & 0x0F)
            } else {
                dropped += 1
            }
            digits += 1
        }
        while position < bytes.count {
            if bytes[position].isASCIIDigit {
                take(bytes[position])
            } else if bytes[position] != UInt8(ascii: "_") || digits == 0 {
                break
            }
            position += 1
        }
        let wholeDropped = dropped
        let whole = significand
        var fraction = 0
        if digits > 0, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "."),
            bytes[position + 1].isASCIIDigit,
            !(signed && !negative)
        {
            var end = position + 1
            while end < bytes.count, bytes[end].isASCIIDigit {
                take(bytes[end])
                fraction += 1
                end += 1
            }
            while end < bytes.count, bytes[end].isASCIISpace { end += 1 }
            if end != bytes.count {
                fraction = 0
                significand = whole
                dropped = wholeDropped
            }
        }
        if negative { significand = -significand }
        if fraction == 0, dropped == 0, let small = Int64(exactly: significand) {
            self = .int(small)
        } else {
            self = .decimal(ExactDecimal(significand, exponent: dropped - fraction))
        }
    }

    var double: Double {
        switch self {
        case .int(let number): Double(number)
        case .decimal(let number): number.double
        case .double(let number): number
        }
    }

    var isZero: Bool {
        switch self {
        case .int(let number): number == 0
        case .decimal(let number): number.significand == 0
        case .double(let number): number == 0
        }
    }

    var value: LiquidValue {
        if case .int(let number) = self { .int(number) } else { .double(double) }
    }

    /// `nil` beyond what `ExactDecimal` holds.
    var exact: ExactDecimal? {
        switch self {
        case .int(let number): ExactDecimal(number)
        case .decimal(let number): number
        case .double(let number): ExactDecimal(number)
        }
    }

    static func compare(_ left: LiquidNumber, _ right: LiquidNumber) -> Int {
        if case .int(let a) = left, case .int(let b) = right { return a < b ? -1 : a == b ? 0 : 1 }
        if let a = left.exact, let b = right.exact, let order = ExactDecimal.compare(a, b) { return order }
        let (a, b) = (left.double, right.double)
        return a < b ? -1 : a == b ? 0 : 1
    }
}

extension LiquidNumber {
    static func sum(_ left: LiquidNumber, _ right: LiquidNumber) -> LiquidNumber {
        if case .int(let a) = left, case .int(let b) = right {
            let (sum, overflow) = a.addingReportingOverflow(b)
            return overflow ? .decimal(ExactDecimal(Int128(a) + Int128(b), exponent: 0)) : .int(sum)
        }
        return calculate(left, right, ExactDecimal.sum, +)
    }

    static func difference(_ left: LiquidNumber, _ right: LiquidNumber) -> LiquidNumber {
        if case .int(let a) = left, case .int(let b) = right {
            let (difference, overflow) = a.subtractingReportingOverflow(b)
            return overflow ? .decimal(ExactDecimal(Int128(a) - Int128(b), exponent: 0)) : .int(difference)
        }
        return calculate(left, right, { ExactDecimal.sum($0, ExactDecimal(-$1.significand, exponent: $1.exponent)) }, -)
    }

    static func product(_ left: LiquidNumber, _ right: LiquidNumber) -> LiquidNumber {
        if case .int(let a) = left, case .int(let b) = right {
            let (product, overflow) = a.multipliedReportingOverflow(by: b)
            return overflow ? .decimal(ExactDecimal(Int128(a) * Int128(b), exponent: 0)) : .int(product)
        }
        return calculate(left, right, ExactDecimal.product, *)
    }

    /// Whole numbers divide towards minus infinity. `nil` for a division by zero.
    static func quotient(_ left: LiquidNumber, _ right: LiquidNumber) -> LiquidNumber? {
        guard !right.isZero else { return nil }
        if case .int(let a) = left, case .int(let b) = right {
            let (quotient, overflow) = a.dividedReportingOverflow(by: b)
            if overflow { return .decimal(ExactDecimal(-Int128(a), exponent: 0)) }
            return .int(quotient &- (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0))
        }
        if let a = left.exact, let b = right.exact, let quotient = ExactDecimal.exactQuotient(a, b) {
            return .double(quotient)
        }
        return calculate(left, right, ExactDecimal.quotient, /)
    }

    /// The remainder has the divisor's sign. `nil` for a division by zero.
    static func remainder(_ left: LiquidNumber, _ right: LiquidNumber) -> LiquidNumber? {
        guard !right.isZero else { return nil }
        if case .int(let a) = left, case .int(let b) = right {
            let (remainder, overflow) = a.remainderReportingOverflow(dividingBy: b)
            if overflow { return .int(0) }
            return .int(remainder != 0 && (remainder < 0) != (b < 0) ? remainder &+ b : remainder)
        }
        return calculate(left, right, ExactDecimal.remainder) { a, b in
            // Beyond 38 digits nothing is left of a remainder unless the quotient is small.
            guard let quotient = (a / b).wholePart else { return 0 }
            let remainder = a - b * Double(quotient)
            return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder
        }
    }

    private static func calculate(
        _ left: LiquidNumber, _ right: LiquidNumber, _ exact: (ExactDecimal, ExactDecimal) -> ExactDecimal?,
        _ binary: (Double, Double) -> Double
    ) -> LiquidNumber {
        if let a = left.exact, let b = right.exact, let result = exact(a, b) { return .decimal(result) }
        return .double(binary(left.double, right.double))
    }
}
