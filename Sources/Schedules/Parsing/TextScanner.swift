/// Walks over the UTF-8 bytes of a short text and knows where it is.
struct TextScanner {
    let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { position == bytes.count }
    var next: UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func advance() { if !isAtEnd { position += 1 } }

    mutating func skip(oneOf characters: String) -> Bool {
        guard let next, characters.utf8.contains(next) else { return false }
        position += 1
        return true
    }

    mutating func skipDigits() -> Int {
        let start = position
        while let next, next.isDigit { position += 1 }
        return position - start
    }

    mutating func expect(_ character: Character, remedy: String) throws(TextError) {
        guard let next, next == character.asciiValue else { throw error("'\(character)' is missing", remedy: remedy) }
        position += 1
    }

    mutating func expectEnd() throws(TextError) {
        guard isAtEnd else {
            throw TextError(
                offset: position, length: bytes.count - position, problem: "this is more than was expected",
                remedy: "leave it out")
        }
    }

    mutating func scanNumber(digits: Int, named name: String, remedy: String) throws(TextError) -> Int {
        let start = position
        var number = 0
        while position - start < digits, let next, next.isDigit {
            number = number * 10 + Int(next - UInt8(ascii: "0"))
            position += 1
        }
        guard position - start == digits, !(next?.isDigit ?? false) else {
            throw error("exactly \(digits) digits are needed for the \(name)", from: start, remedy: remedy)
        }
        return number
    }

    /// An error about the part from `start` to where the scanner is, or about the character that comes next.
    func error(_ problem: String, from start: Int? = nil, remedy: String) -> TextError {
        let begin = start ?? position
        var end = position
        if end == begin, end < bytes.count {
            end += 1
            while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        }
        return TextError(offset: begin, length: end - begin, problem: problem, remedy: remedy)
    }
}

extension UInt8 {
    var isDigit: Bool { UInt8(ascii: "0") <= self && self <= UInt8(ascii: "9") }
}
