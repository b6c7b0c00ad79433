extension LiquidValue {
    /// How deep the printer follows arrays and objects inside each other.
    static let printedDepth = 128

    /// Appends what `{{ value }}` prints. Arrays print their elements one after the other.
    func appendOutput(to output: inout [UInt8], depth: Int = 0) {
        switch self {
        case .array(let elements):
            guard depth < LiquidValue.printedDepth else { return }
            for element in elements { element.appendOutput(to: &output, depth: depth + 1) }
        default: appendText(to: &output)
        }
    }

    /// Appends the value as the text that filters work on.
    func appendText(to output: inout [UInt8]) {
        switch self {
        case .null, .empty, .blank: break
        case .string(let text): output.append(contentsOf: text.utf8)
        case .int(let number): appendDecimal(number, to: &output)
        case .bool(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
        case .double(let number): number.appendText(to: &output)
        case .range(let first, let last):
            appendDecimal(first, to: &output)
            output.append(contentsOf: "..".utf8)
            appendDecimal(last, to: &output)
        case .array, .object: appendInspected(to: &output, depth: 0)
        }
    }

    /// The value as the text that filters work on.
    package var text: String {
        switch self {
        case .string(let text): return text
        case .null, .empty, .blank: return ""
        case .int(let number): return String(number)
        default:
            var bytes: [UInt8] = []
            appendText(to: &bytes)
            return String(bytes: bytes)
        }
    }

    /// Appends the value in the notation that arrays and objects print their insides in.
    private func appendInspected(to output: inout [UInt8], depth: Int) {
        guard depth < LiquidValue.printedDepth else {
            output.append(contentsOf: "...".utf8)
            return
        }
        switch self {
        case .null: output.append(contentsOf: "nil".utf8)
        case .string(let text): appendQuoted(text, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(contentsOf: ", ".utf8) }
                element.appendInspected(to: &output, depth: depth + 1)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            for (index, key) in object.keys.enumerated() {
                if index > 0 { output.append(contentsOf: ", ".utf8) }
                appendQuoted(key, to: &output)
                output.append(contentsOf: "=>".utf8)
                (object.value(forKey: key) ?? .null).appendInspected(to: &output, depth: depth + 1)
            }
            output.append(UInt8(ascii: "}"))
        default: appendText(to: &output)
        }
    }

    private func appendQuoted(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0x1B: output.append(contentsOf: "\\e".utf8)
            case 0..<0x20, 0x7F:
                let digits = String(byte, radix: 16, uppercase: true)
                output.append(contentsOf: "\\x\(digits.utf8.count == 1 ? "0" : "")\(digits)".utf8)
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private func appendDecimal(_ number: Int64, to output: inout [UInt8]) {
        if number >= 0, number < 10 {
            output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number))
        } else {
            output.append(contentsOf: String(number).utf8)
        }
    }
}
