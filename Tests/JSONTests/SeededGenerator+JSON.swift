import JSON
import TestSupport

extension SeededGenerator {
    mutating func json(depth: Int = 0) -> JSON {
        switch Int.random(in: 0..<(depth > 4 ? 6 : 8), using: &self) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &self))
        case 2: return .int(Int64(truncatingIfNeeded: next()) >> Int64.random(in: 0..<64, using: &self))
        case 3: return .double(finiteDouble())
        case 4, 5: return .string(text())
        case 6: return .array((0..<Int.random(in: 0..<6, using: &self)).map { _ in json(depth: depth + 1) })
        default:
            return .object(
                JSONObject((0..<Int.random(in: 0..<20, using: &self)).map { _ in (text(), json(depth: depth + 1)) }))
        }
    }

    private mutating func finiteDouble() -> Double {
        let number = Double(bitPattern: next())
        return number.isFinite ? number : 0.25
    }

    private mutating func text() -> String {
        let ranges: [ClosedRange<UInt32>] = [0...0x7F, 0x20...0x7E, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0x1_F9FF]
        var text = ""
        for _ in 0..<Int.random(in: 0..<12, using: &self) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &self)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
