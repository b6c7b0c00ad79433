/// A decimal number of up to 38 digits, in which arithmetic on fractions is done so that 0.1 and 0.2 add up to 0.3.
///
/// Operations give `nil` where the exact result needs more digits; the caller then calculates in binary.
struct ExactDecimal {
    var significand: Int128
    /// The value is `significand` times ten to this power.
    var exponent: Int

    init(_ significand: Int128, exponent: Int) {
        self.significand = significand
        self.exponent = exponent
    }

    init(_ value: Int64) { self.init(Int128(value), exponent: 0) }

    /// `nil` for infinities and not-a-number.
    init?(_ value: Double) {
        if abs(value) < 9_007_199_254_740_992, let whole = value.wholePart, Double(whole) == value {
            self.init(whole)
            return
        }
        guard let digits = DecimalDigits(value) else { return nil }
        self.init(Int128(digits.isNegative ? -digits.significand : digits.significand), exponent: digits.exponent)
    }

    /// The nearest floating-point number.
    var double: Double {
        // Both operands are exact, so that one rounding gives the nearest number.
        if abs(exponent) <= 22, let whole = ExactDecimal.exactDouble(significand) {
            let power = ExactDecimal.doublePowers[abs(exponent)]
            return exponent < 0 ? whole / power : whole * power
        }
        return Double("\(significand)e\(exponent)") ?? 0
    }

    /// The number in binary, when it is small enough to be exact.
    private static func exactDouble(_ number: Int128) -> Double? {
        guard let small = Int64(exactly: number), small.magnitude <= 1 << 53 else { return nil }
        return Double(small)
    }

    private static let doublePowers: [Double] = (0...22).map { Double("1e\($0)") ?? 0 }

    /// Ten to a power from 0 to 38.
    private static let powers: [Int128] = {
        var powers: [Int128] = [1]
        for _ in 1...38 { powers.append(powers[powers.count - 1] * 10) }
        return powers
    }()

    static func power(_ exponent: Int) -> Int128? { powers.indices.contains(exponent) ? powers[exponent] : nil }

    /// Both significands on the smaller of the two exponents.
    private static func aligned(_ left: ExactDecimal, _ right: ExactDecimal) -> (Int128, Int128, Int)? {
        let exponent = min(left.exponent, right.exponent)
        guard let leftPower = power(left.exponent - exponent), let rightPower = power(right.exponent - exponent) else {
            return nil
        }
        let (scaledLeft, leftOverflow) = left.significand.multipliedReportingOverflow(by: leftPower)
        let (scaledRight, rightOverflow) = right.significand.multipliedReportingOverflow(by: rightPower)
        return leftOverflow || rightOverflow ? nil : (scaledLeft, scaledRight, exponent)
    }

    static func sum(_ left: ExactDecimal, _ right: ExactDecimal) -> ExactDecimal? {
        guard let (a, b, exponent) = aligned(left, right) else { return nil }
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? nil : ExactDecimal(sum, exponent: exponent)
    }

    static func product(_ left: ExactDecimal, _ right: ExactDecimal) -> ExactDecimal? {
        let (product, overflow) = left.significand.multipliedReportingOverflow(by: right.significand)
        return overflow ? nil : ExactDecimal(product, exponent: left.exponent + right.exponent)
    }

    /// The nearest floating-point number to the quotient, where both are small enough to be exact in binary once they
    /// have the same exponent. `divisor` must not be zero.
    static func exactQuotient(_ dividend: ExactDecimal, _ divisor: ExactDecimal) -> Double? {
        guard let (a, b, _) = aligned(dividend, divisor), let a = exactDouble(a), let b = exactDouble(b) else {
            return nil
        }
        return a / b
    }

    /// At least 18 digits of the quotient. `divisor` must not be zero.
    static func quotient(_ dividend: ExactDecimal, _ divisor: ExactDecimal) -> ExactDecimal? {
        var scaled = dividend.significand
        var exponent = dividend.exponent - divisor.exponent
        while scaled != 0 {
            let (next, overflow) = scaled.multipliedReportingOverflow(by: 10)
            if overflow { break }
            scaled = next
            exponent -= 1
        }
        return ExactDecimal(scaled / divisor.significand, exponent: exponent)
    }

    /// The remainder with the divisor's sign. `divisor` must not be zero.
    static func remainder(_ dividend: ExactDecimal, _ divisor: ExactDecimal) -> ExactDecimal? {
        guard let (a, b, exponent) = aligned(dividend, divisor) else { return nil }
        let remainder = a % b
        let sameSign = remainder == 0 || (remainder < 0) == (b < 0)
        return ExactDecimal(sameSign ? remainder : remainder + b, exponent: exponent)
    }

    static func compare(_ left: ExactDecimal, _ right: ExactDecimal) -> Int? {
        guard let (a, b, _) = aligned(left, right) else { return nil }
        return a < b ? -1 : a == b ? 0 : 1
    }

    enum Rounding { case halfAwayFromZero, down, up }

    /// The value with `places` digits after the point (negative: zeros before it).
    func rounded(toPlaces requested: Int, _ rounding: Rounding) -> ExactDecimal {
        // No floating-point number has digits further from the point.
        let places = min(max(requested, -400), 400)
        let (sum, overflow) = exponent.addingReportingOverflow(places)
        guard !overflow, sum < 0 else { return self }
        guard let unit = ExactDecimal.power(-sum) else {
            let rest: Int128 =
                switch rounding {
                case .halfAwayFromZero: 0
                case .down: significand < 0 ? -1 : 0
                case .up: significand > 0 ? 1 : 0
                }
            return ExactDecimal(rest, exponent: -places)
        }
        var quotient = significand / unit
        let rest = significand % unit
        switch rounding {
        case .halfAwayFromZero:
            if rest.magnitude >= unit.magnitude - rest.magnitude { quotient += significand < 0 ? -1 : 1 }
        case .down: if rest < 0 { quotient -= 1 }
        case .up: if rest > 0 { quotient += 1 }
        }
        return ExactDecimal(quotient, exponent: -places)
    }

    /// The value as a whole number, when it is one that fits.
    var int: Int64? {
        if exponent >= 0 {
            guard let power = ExactDecimal.power(exponent) else { return significand == 0 ? 0 : nil }
            let (product, overflow) = significand.multipliedReportingOverflow(by: power)
            return overflow ? nil : Int64(exactly: product)
        }
        guard let power = ExactDecimal.power(-exponent), significand % power == 0 else { return nil }
        return Int64(exactly: significand / power)
    }
}
