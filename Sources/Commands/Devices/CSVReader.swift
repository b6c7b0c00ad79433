/// Rows of comma-separated values (RFC 4180), one at a time, in memory that does not grow with the input.
///
/// Quoted fields may hold commas, doubled quotes and line breaks. A byte order mark and `\r\n` are understood.
struct CSVReader {
    struct Row: Equatable {
        /// The line on which the row begins, counted from 1.
        var line: Int
        var fields: [String]
    }

    /// A row that cannot be understood; reading goes on with the next line.
    struct RowError: Error, Equatable, CustomStringConvertible {
        var line: Int
        var problem: String

        var description: String { problem }
    }

    private enum State {
        case fieldStart, unquoted, quoted, quoteInQuoted
    }

    private let input: any ByteInput
    private let maximumRowLength: Int
    private var chunk: ArraySlice<UInt8> = []
    private var isAtEnd = false
    private var line = 1
    private var isFirstByte = true

    init(_ input: any ByteInput, maximumRowLength: Int = 1 << 20) {
        self.input = input
        self.maximumRowLength = maximumRowLength
    }

    /// The next row that is not empty, or `nil` at the end.
    mutating func next() throws(InputFailure) -> Result<Row, RowError>? {
        while let row = try readRow() {
            if case .success(let row) = row, row.fields == [""] { continue }
            return row
        }
        return nil
    }

    private mutating func readRow() throws(InputFailure) -> Result<Row, RowError>? {
        let start = line
        var row = RowBuilder()
        var state = State.fieldStart
        var hasBegun = false
        var length = 0
        while let byte = try nextByte() {
            hasBegun = true
            length += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            guard length <= maximumRowLength else {
                let quoted = state == .quoted
                try skipLine(after: byte)
                let problem = "the row is longer than \(maximumRowLength) bytes"
                return .failure(RowError(line: start, problem: problem + (quoted ? "; is a quote left open?" : "")))
            }
            switch (state, byte) {
            case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
            case (.quoted, _): row.field.append(byte)
            case (.quoteInQuoted, UInt8(ascii: "\"")):
                row.field.append(byte)
                state = .quoted
            case (_, UInt8(ascii: "\n")): return row.finished(line: start, dropsCarriageReturn: state != .quoteInQuoted)
            case (_, UInt8(ascii: ",")):
                row.endField()
                state = .fieldStart
            case (.fieldStart, UInt8(ascii: "\"")): state = .quoted
            case (.quoteInQuoted, UInt8(ascii: "\r")): break
            case (.quoteInQuoted, _):
                try skipLine(after: byte)
                return .failure(RowError(line: start, problem: "only a comma may follow a closing quote"))
            default:
                row.field.append(byte)
                state = .unquoted
            }
        }
        guard hasBegun else { return nil }
        if state == .quoted { return .failure(RowError(line: start, problem: "a quote is left open")) }
        return row.finished(line: start, dropsCarriageReturn: state != .quoteInQuoted)
    }

    private mutating func skipLine(after byte: UInt8) throws(InputFailure) {
        var byte: UInt8? = byte
        while let current = byte, current != UInt8(ascii: "\n") {
            byte = try nextByte()
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
    }

    private mutating func skipByteOrderMark() throws(InputFailure) {
        while !chunk.isEmpty, chunk.count < 3 {
            let more = try input.read(upTo: 3)
            if more.isEmpty { return }
            chunk += more
        }
        if chunk.starts(with: [0xEF, 0xBB, 0xBF]) { chunk = chunk.dropFirst(3) }
        if chunk.isEmpty { chunk = try input.read(upTo: 1 << 16)[...] }
    }

    private mutating func nextByte() throws(InputFailure) -> UInt8? {
        if chunk.isEmpty {
            guard !isAtEnd else { return nil }
            chunk = try input.read(upTo: 1 << 16)[...]
            if isFirstByte { try skipByteOrderMark() }
            isFirstByte = false
            isAtEnd = chunk.isEmpty
        }
        return chunk.popFirst()
    }
}

/// The fields of a row while it is read.
private struct RowBuilder {
    var field: [UInt8] = []
    private var fields: [String] = []
    private var isText = true

    mutating func endField() {
        if let text = String(validating: field, as: UTF8.self) { fields.append(text) } else { isText = false }
        field.removeAll(keepingCapacity: true)
    }

    mutating func finished(line: Int, dropsCarriageReturn: Bool) -> Result<CSVReader.Row, CSVReader.RowError> {
        if dropsCarriageReturn, field.last == UInt8(ascii: "\r") { field.removeLast() }
        endField()
        guard isText else { return .failure(.init(line: line, problem: "the row is not UTF-8 text")) }
        return .success(.init(line: line, fields: fields))
    }
}

/// One row of comma-separated values, quoted where it must be.
func csvRow(_ fields: [String]) -> String {
    fields.map { field in
        let needsQuotes = field.utf8.contains {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 10 || $0 == 13
        }
        guard needsQuotes else { return field }
        return "\"" + field.reduce(into: "") { $0 += $1 == "\"" ? "\"\"" : String($1) } + "\""
    }.joined(separator: ",")
}
