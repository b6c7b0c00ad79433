/// The shortest decimal digits that read back as the same floating-point number.
struct DecimalDigits {
    var isNegative: Bool
    /// The digits as a whole number, without zeros at its end.
    var significand: Int64
    /// The value is `significand` times ten to this power.
    var exponent: Int

    /// `nil` for infinities and not-a-number.
    init?(_ value: Double) {
        guard value.isFinite else { return nil }
        isNegative = value.sign == .minus
        significand = 0
        exponent = 0
        var sawPoint = false
        var written = value.description.utf8[...]
        if isNegative { written = written.dropFirst() }
        while let byte = written.popFirst() {
            switch byte {
            case UInt8(ascii: "."): sawPoint = true
            case UInt8(ascii: "e"):
                exponent += Int(String(bytes: written)) ?? 0
                written = written.suffix(0)
            default:
                significand = significand &* 10 &+ Int64(byte & 0x0F)
                if sawPoint { exponent -= 1 }
            }
        }
        while significand != 0, significand % 10 == 0 {
            significand /= 10
            exponent += 1
        }
        if significand == 0 { exponent = 0 }
    }
}

extension Double {
    /// The number without its fraction, when that fits.
    var wholePart: Int64? {
        self > -9.2e18 && self < 9.2e18 ? Int64(self) : nil
    }

    /// Prints as the reference does: fixed notation from 0.0001 to below 1e16, and always with a fraction.
    func appendText(to output: inout [UInt8]) {
        let magnitude = abs(self)
        if magnitude < 1e15, magnitude >= 0.0001 || magnitude == 0 {
            output.append(contentsOf: description.utf8)
            return
        }
        guard let digits = DecimalDigits(self) else {
            output.append(contentsOf: (isNaN ? "NaN" : self < 0 ? "-Infinity" : "Infinity").utf8)
            return
        }
        if digits.isNegative { output.append(UInt8(ascii: "-")) }
        let written = Array(String(digits.significand).utf8)
        let pointPosition = written.count + digits.exponent
        if pointPosition > 0, pointPosition <= 16 {
            let padding = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, pointPosition - written.count))
            let padded = written + padding
            output.append(contentsOf: padded[..<pointPosition])
            output.append(UInt8(ascii: "."))
            output.append(contentsOf: pointPosition < padded.count ? padded[pointPosition...] : [UInt8(ascii: "0")])
            return
        }
        output.append(written[0])
        output.append(UInt8(ascii: "."))
        output.append(contentsOf: written.count > 1 ? written[1...] : [UInt8(ascii: "0")])
        let power = pointPosition - 1
        output.append(contentsOf: power < 0 ? "e-".utf8 : "e+".utf8)
        if abs(power) < 10 { output.append(UInt8(ascii: "0")) }
        output.append(contentsOf: String(abs(power)).utf8)
    }
}
