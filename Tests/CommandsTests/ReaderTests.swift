import Testing

@testable import Commands

struct ReaderTests {
    private func lines(_ text: String, pieceSize: Int = 1 << 16, maximumLength: Int = 100) throws -> [LineReader.Line] {
        var reader = LineReader(TextInput(text, pieceSize: pieceSize), maximumLength: maximumLength)
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    private func texts(_ lines: [LineReader.Line]) -> [String] {
        lines.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test(arguments: 1...7)
    func `lines are found wherever the pieces of the input end`(_ pieceSize: Int) throws {
        let read = try lines("one\r\n\ntwo\nthrée", pieceSize: pieceSize)
        #expect(texts(read) == ["one", "", "two", "thrée"])
        #expect(read.map(\.number) == [1, 2, 3, 4])
    }

    @Test func `an empty input has no line, and a line break at the end begins none`() throws {
        #expect(try lines("").isEmpty)
        #expect(texts(try lines("a\n")) == ["a"])
        #expect(texts(try lines("\n")) == [""])
    }

    @Test func `a byte order mark is no part of the first line`() throws {
        #expect(texts(try lines("\u{FEFF}a\n\u{FEFF}b")) == ["a", "\u{FEFF}b"])
    }

    @Test func `a line that is too long is cut and marked, and the next one is whole`() throws {
        let read = try lines(String(repeating: "x", count: 300) + "\nshort", pieceSize: 64)
        #expect(read.map(\.isTooLong) == [true, false])
        #expect(read[0].bytes.count == 100)
        #expect(texts(read)[1] == "short")
    }

    private func rows(_ text: String, pieceSize: Int = 1 << 16) throws -> [Result<CSVReader.Row, CSVReader.RowError>] {
        var reader = CSVReader(TextInput(text, pieceSize: pieceSize), maximumRowLength: 200)
        var rows: [Result<CSVReader.Row, CSVReader.RowError>] = []
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    @Test(arguments: [
        ("a,b\nc,d\n", [(1, ["a", "b"]), (2, ["c", "d"])]),
        ("a,\r\n,b", [(1, ["a", ""]), (2, ["", "b"])]),
        ("\"a,b\",\"say \"\"hi\"\"\"\n", [(1, ["a,b", "say \"hi\""])]),
        ("\"two\nlines\",x\r\ny,z", [(1, ["two\nlines", "x"]), (3, ["y", "z"])]),
        ("\"quoted\"\r\nnext", [(1, ["quoted"]), (2, ["next"])]),
        ("\"\",x", [(1, ["", "x"])]),
        ("\u{FEFF}a\n\n\nb", [(1, ["a"]), (4, ["b"])]),
        ("a b\"c,d", [(1, ["a b\"c", "d"])]),
        ("", []),
    ])
    func `rows are read as RFC 4180 says`(_ text: String, _ expected: [(Int, [String])]) throws {
        for pieceSize in [1, 2, 3, 1 << 16] {
            let read = try rows(text, pieceSize: pieceSize)
            #expect(read == expected.map { .success(.init(line: $0.0, fields: $0.1)) })
        }
    }

    @Test(arguments: [
        ("a,\"b\"c\nd,e", 1, "only a comma may follow a closing quote"),
        ("ok\na,\"open", 2, "a quote is left open"),
        ("ok\n\"" + String(repeating: "x\n", count: 200), 2, "the row is longer than 200 bytes; is a quote left open?"),
    ])
    func `a row that cannot be understood is told with its line`(_ text: String, _ line: Int, _ problem: String) throws
    {
        #expect(try rows(text).contains(.failure(.init(line: line, problem: problem))))
    }

    @Test func `reading goes on after a bad row`() throws {
        #expect(
            try rows("\"a\"b\nc,d\n") == [
                .failure(.init(line: 1, problem: "only a comma may follow a closing quote")),
                .success(.init(line: 2, fields: ["c", "d"])),
            ])
    }

    @Test func `bytes that are no text are an error of their row`() throws {
        var reader = CSVReader(TextInput(bytes: [0x61, 0xFF, 0x0A, 0x62]))
        #expect(try reader.next() == .failure(.init(line: 1, problem: "the row is not UTF-8 text")))
        #expect(try reader.next() == .success(.init(line: 2, fields: ["b"])))
    }

    @Test(arguments: ["plain", "with,comma", "say \"hi\"", "two\nlines", "", "ünï"])
    func `a row that was written reads back`(_ field: String) throws {
        let row = csvRow([field, "x"])
        #expect(try rows(row) == [.success(.init(line: 1, fields: [field, "x"]))])
    }
}
