/// Filters for URLs and Base64.
let encodingFilters: [LiquidFilter] = [
    LiquidFilter("url_encode") { input, _, _ in input.isNull ? .null : .string(formEncoded(input.text)) },
    LiquidFilter("url_decode") { input, _, _ throws(FilterFailure) in
        input.isNull ? .null : .string(try formDecoded(input.text))
    },
    LiquidFilter("base64_encode") { input, _, _ in .string(base64(input.text, alphabet: standardAlphabet)) },
    LiquidFilter("base64_decode") { input, _, _ throws(FilterFailure) in
        .string(try fromBase64(input.text, alphabet: standardAlphabet, needsPadding: true, "base64_decode"))
    },
    LiquidFilter("base64_url_safe_encode") { input, _, _ in .string(base64(input.text, alphabet: urlSafeAlphabet)) },
    LiquidFilter("base64_url_safe_decode") { input, _, _ throws(FilterFailure) in
        .string(try fromBase64(input.text, alphabet: urlSafeAlphabet, needsPadding: false, "base64_url_safe_decode"))
    },
]

private let hexDigits = Array("0123456789ABCDEF".utf8)

private func formEncoded(_ text: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
        if byte.isWord || "-.~".utf8.contains(byte) {
            result.append(byte)
        } else if byte == 0x20 {
            result.append(UInt8(ascii: "+"))
        } else {
            result.append(contentsOf: [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]])
        }
    }
    return String(bytes: result)
}

private func formDecoded(_ text: String) throws(FilterFailure) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
        if bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
            let high = hexValue(bytes[position + 1]), let low = hexValue(bytes[position + 2])
        {
            result.append(high << 4 | low)
            position += 3
        } else {
            result.append(bytes[position] == UInt8(ascii: "+") ? 0x20 : bytes[position])
            position += 1
        }
    }
    guard let decoded = String(validating: result, as: UTF8.self) else {
        throw FilterFailure("url_decode gives bytes that are no text")
    }
    return decoded
}

private func hexValue(_ byte: UInt8) -> UInt8? {
    if byte.isASCIIDigit { return byte & 0x0F }
    let letter = byte | 0x20
    return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : nil
}

private let standardAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
private let urlSafeAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

private func base64(_ text: String, alphabet: [UInt8]) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let rest = bytes.count - start
        let second = rest > 1 ? bytes[start + 1] : 0
        let third = rest > 2 ? bytes[start + 2] : 0
        result.append(alphabet[Int(bytes[start] >> 2)])
        result.append(alphabet[Int((bytes[start] & 3) << 4 | second >> 4)])
        result.append(rest > 1 ? alphabet[Int((second & 15) << 2 | third >> 6)] : UInt8(ascii: "="))
        result.append(rest > 2 ? alphabet[Int(third & 63)] : UInt8(ascii: "="))
    }
    return String(bytes: result)
}

private func fromBase64(
    _ text: String, alphabet: [UInt8], needsPadding: Bool, _ filter: String
) throws(FilterFailure) -> String {
    var digits = Array(text.utf8)
    let padded = digits.count
    while digits.last == UInt8(ascii: "="), padded - digits.count < 2 { digits.removeLast() }
    let isWhole = padded % 4 == 0 || !needsPadding && padded == digits.count
    guard isWhole, digits.count % 4 != 1 else { throw FilterFailure("the input of \(filter) is not Base64") }
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount = 0
    for digit in digits {
        guard let value = alphabet.firstIndex(of: digit) else {
            throw FilterFailure("the input of \(filter) is not Base64")
        }
        bits = (bits << 6 | UInt32(value)) & 0xFFFF
        bitCount += 6
        if bitCount >= 8 {
            bitCount -= 8
            result.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        }
    }
    return String(bytes: result)
}
