/// Lines of an input, one at a time, in memory that does not grow with the input.
struct LineReader {
    struct Line {
        /// Counted from 1.
        var number: Int
        /// Without the line break (`\n` or `\r\n`).
        var bytes: [UInt8]
        /// The line was longer than the limit; `bytes` holds only its beginning.
        var isTooLong: Bool
    }

    private let input: any ByteInput
    private let maximumLength: Int
    private var chunk: ArraySlice<UInt8> = []
    private var number = 0
    private var isAtEnd = false

    init(_ input: any ByteInput, maximumLength: Int = 1 << 20) {
        self.input = input
        self.maximumLength = maximumLength
    }

    /// The next line, or `nil` at the end. A last line without a line break counts.
    mutating func next() throws(InputFailure) -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        var hasBegun = false
        while true {
            if chunk.isEmpty {
                if !isAtEnd { chunk = try input.read(upTo: 1 << 16)[...] }
                isAtEnd = isAtEnd || chunk.isEmpty
                if isAtEnd { return hasBegun ? finished(line, isTooLong) : nil }
            }
            hasBegun = true
            let end = chunk.firstIndex(of: UInt8(ascii: "\n"))
            let part = chunk[..<(end ?? chunk.endIndex)]
            let room = maximumLength - line.count
            line += part.prefix(room)
            isTooLong = isTooLong || part.count > room
            chunk = chunk[(end.map { $0 + 1 } ?? chunk.endIndex)...]
            if end != nil { return finished(line, isTooLong) }
        }
    }

    private mutating func finished(_ bytes: [UInt8], _ isTooLong: Bool) -> Line {
        number += 1
        var bytes = bytes
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        return Line(number: number, bytes: bytes, isTooLong: isTooLong)
    }
}
