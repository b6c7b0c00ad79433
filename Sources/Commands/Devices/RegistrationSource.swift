import JSON
import Push

/// The two formats that devices are exchanged in.
enum RegistrationFormat: String, CaseIterable, Sendable {
    case jsonl, csv

    /// What the name of a file says of its format.
    init?(fileName: String) {
        let name = fileName.lowercased()
        if name.hasSuffix(".csv") {
            self = .csv
        } else if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") || name.hasSuffix(".json") {
            self = .jsonl
        } else {
            return nil
        }
    }
}

extension RegistrationFormat {
    /// What the beginning of an input says of its format: JSON lines begin with a brace, names of columns do not.
    init(beginning: [UInt8]) {
        let first = beginning.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
        self = first == UInt8(ascii: "{") ? .jsonl : .csv
    }
}

/// One record of an input: a device, or why it is none.
struct RegistrationRecord {
    /// Counted from 1.
    var line: Int
    var result: Result<Registration, RecordError>
}

/// Devices of an input, one at a time.
enum RegistrationSource {
    case jsonLines(LineReader, RegistrationDecoder)
    case csv(CSVReader, columns: [String], RegistrationDecoder)

    /// Reads the heading of a CSV file at once, so that a column that is not known is told before anything is saved.
    init(_ input: any ByteInput, format: RegistrationFormat, decoder: RegistrationDecoder) throws {
        switch format {
        case .jsonl: self = .jsonLines(LineReader(input), decoder)
        case .csv:
            var reader = CSVReader(input)
            let heading = try reader.next()?.get().fields ?? []
            self = .csv(reader, columns: try Self.columns(heading, decoder), decoder)
        }
    }

    private static func columns(_ heading: [String], _ decoder: RegistrationDecoder) throws(RecordError) -> [String] {
        var columns: [String] = []
        for name in heading {
            var name = Substring(name)
            while name.last == " " { name.removeLast() }
            while name.first == " " { name.removeFirst() }
            if !decoder.ignoresUnknown, RegistrationColumn(rawValue: String(name)) == nil {
                throw unknownColumn(String(name))
            }
            guard !columns.contains(String(name)) else { throw RecordError("the column '\(name)' occurs twice") }
            columns.append(String(name))
        }
        for needed in [RegistrationColumn.token, .platform] where !columns.contains(needed.rawValue) {
            throw RecordError("the first line must name the columns, and '\(needed.rawValue)' is not among them")
        }
        return columns
    }

    /// The next record, or `nil` at the end. Empty lines are passed over.
    mutating func next() throws(InputFailure) -> RegistrationRecord? {
        switch self {
        case .jsonLines(var reader, let decoder):
            defer { self = .jsonLines(reader, decoder) }
            while let line = try reader.next() {
                if line.bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { continue }
                return RegistrationRecord(line: line.number, result: Self.decode(line, decoder))
            }
            return nil
        case .csv(var reader, let columns, let decoder):
            defer { self = .csv(reader, columns: columns, decoder) }
            switch try reader.next() {
            case nil: return nil
            case .failure(let error):
                return RegistrationRecord(line: error.line, result: .failure(.init(error.problem)))
            case .success(let row):
                return RegistrationRecord(line: row.line, result: Self.decode(row, columns, decoder))
            }
        }
    }

    private static func decode(
        _ line: LineReader.Line, _ decoder: RegistrationDecoder
    ) -> Result<Registration, RecordError> {
        guard !line.isTooLong else { return .failure(RecordError("the line is longer than \(line.bytes.count) bytes")) }
        do throws(JSONSyntaxError) {
            guard let object = try JSON(parsing: line.bytes).objectValue else {
                return .failure(RecordError("a device must be a JSON object"))
            }
            return Result { () throws(RecordError) in try decoder.registration(from: object) }
        } catch {
            return .failure(RecordError("column \(error.column): \(error.message)"))
        }
    }

    private static func decode(
        _ row: CSVReader.Row, _ columns: [String], _ decoder: RegistrationDecoder
    ) -> Result<Registration, RecordError> {
        guard row.fields.count == columns.count else {
            return .failure(
                RecordError("the row has \(row.fields.count) fields, but there are \(columns.count) columns"))
        }
        return Result { () throws(RecordError) in
            var object = JSONObject()
            for (name, text) in zip(columns, row.fields) where !text.isEmpty {
                object[name] = try jsonValue(text, column: RegistrationColumn(rawValue: name))
            }
            return try decoder.registration(from: object)
        }
    }

    /// Lists stand in a cell with `;`, `|` or `,` between their words, or as a JSON array; data is a JSON object.
    private static func jsonValue(_ text: String, column: RegistrationColumn?) throws(RecordError) -> JSON {
        guard let column, column.isList || column == .data else { return .string(text) }
        if column == .data || text.hasPrefix("[") {
            do throws(JSONSyntaxError) {
                return try JSON(parsing: text)
            } catch {
                throw RecordError("'\(column.rawValue)' is not JSON: \(error.message)")
            }
        }
        let words = text.split { $0 == ";" || $0 == "|" || $0 == "," }
        return .array(
            words.compactMap { word in
                let trimmed = word.drop { $0 == " " }
                let text = String(trimmed.reversed().drop { $0 == " " }.reversed())
                return text.isEmpty ? nil : .string(text)
            })
    }
}
