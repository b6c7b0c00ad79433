import Testing
import YAML

/// A broken text, and where and how it is reported.
struct BrokenText: CustomTestStringConvertible, Sendable {
    var bytes: [UInt8]
    var code: YAMLError.Code
    var line: Int
    var column: Int
    var message: String

    init(_ text: String, _ code: YAMLError.Code, _ line: Int, _ column: Int, _ message: String) {
        self.init(Array(text.utf8), code, line, column, message)
    }

    init(_ bytes: [UInt8], _ code: YAMLError.Code, _ line: Int, _ column: Int, _ message: String) {
        self.bytes = bytes
        self.code = code
        self.line = line
        self.column = column
        self.message = message
    }

    var testDescription: String { String(decoding: bytes.prefix(40), as: UTF8.self).debugDescription }
}

@Suite struct ErrorTests {
    @Test(arguments: [
        BrokenText("", .empty, 1, 1, "the file is empty"),
        BrokenText("\u{FEFF}", .empty, 1, 1, "the file is empty"),
        BrokenText("# x\n", .empty, 1, 1, "nothing but comments"),
        BrokenText("a: 1\nb: \0\n", .binary, 2, 4, "byte 8 is NUL"),
        BrokenText([0x61, 0x3A, 0x20, 0xFF], .encoding, 1, 4, "0xFF is not UTF-8"),
        BrokenText([0x61, 0x3A, 0x0A, 0xC3, 0x28], .encoding, 2, 1, "0xC3 is not UTF-8"),
        BrokenText([0xFF, 0xFE, 0x61, 0x00], .encoding, 1, 1, "UTF-16"),
        BrokenText("a: \u{7}", .encoding, 1, 4, "U+0007"),
        BrokenText("a: 1\n<<<<<<< HEAD\n", .conflictMarker, 2, 1, "git conflict marker"),
        BrokenText("a:\n\tb: 1\n", .tab, 2, 1, "a tab cannot indent"),
        BrokenText("a:\n  b: 1\n \tc: 1\n", .tab, 3, 2, "a tab cannot indent"),
        BrokenText("a: 1\nb: 2\na: 3\n", .duplicateKey, 3, 1, "stands here and in line 1"),
        BrokenText("a: {b: 1, \"b\": 2}\n", .duplicateKey, 1, 11, "\"b\" stands here and in line 1"),
        BrokenText("<<: {a: 1}\n<<: {b: 1}\n", .duplicateKey, 2, 1, "\"<<\" stands here"),
        BrokenText("? [a]\n: b\n", .badKey, 1, 3, "a key must be a word"),
        BrokenText(": b\n", .badKey, 1, 1, "the key before this colon is missing"),
        BrokenText("title: {{ name }}\n", .badKey, 1, 8, "{{ begins a mapping in YAML"),
        BrokenText("a: *\n", .syntax, 1, 4, "put the whole value in quotes"),
        BrokenText("a: & b\n", .syntax, 1, 4, "put the whole value in quotes"),
        BrokenText("a: {\n{b: c}: d}\n", .badKey, 2, 1, "a key must be a word"),
        BrokenText("a: !!binary aGk=\n", .tag, 1, 4, "!!binary means nothing here"),
        BrokenText("a: !!int x\n", .tag, 1, 4, "does not fit"),
        BrokenText("a: !!seq {}\n", .tag, 1, 4, "!!seq means nothing here"),
        BrokenText("a: *x\n", .alias, 1, 4, "no anchor stands above it"),
        BrokenText("b: &y 1\na: *x\n", .alias, 2, 4, "above it there are &y"),
        BrokenText("a: &a\n  b: *a\n", .alias, 2, 6, "would never end"),
        BrokenText("<<: 1\n", .merge, 1, 1, "<< takes a mapping"),
        BrokenText("<<: [{a: 1}, 2]\n", .merge, 1, 1, "<< takes a mapping"),
        BrokenText("a: 1\n---\nb: 1\n", .multipleDocuments, 2, 1, "a second document begins here"),
        BrokenText("a: \"x\nb: 1\n", .syntax, 1, 4, "the quote that opens here is never closed"),
        BrokenText("a: [1,\n  2\nb: 1\n", .syntax, 3, 2, "expected ',' or ']'"),
        BrokenText("a: b: c\n", .syntax, 1, 5, "a colon too many"),
        BrokenText("a: @x\n", .syntax, 1, 4, "cannot begin with @"),
        BrokenText("a: `x\n", .syntax, 1, 4, "cannot begin with `"),
        BrokenText("a: 1\nb\nc: 1\n", .syntax, 2, 1, "neither a key with a colon"),
        BrokenText("a: \"\\q\"\n", .syntax, 1, 5, "no such escape"),
        BrokenText("a: \"\\ud83d\\ude00\"\n", .syntax, 1, 5, "no Unicode character"),
        BrokenText("a: \"\\xZZ\"\n", .syntax, 1, 5, "hexadecimal"),
        BrokenText("a: - b\n", .syntax, 1, 4, "a list item cannot stand here"),
        BrokenText("a: 1\n b: 1\n", .syntax, 2, 3, "a colon too many"),
        BrokenText("a:\n  - b\n  c: 1\n", .syntax, 3, 3, "begins with '-'"),
        BrokenText("a: 'x' y\n", .syntax, 1, 8, "expected a key here"),
    ])
    func `a broken text gives one error at one place`(broken: BrokenText) throws {
        let error = #expect(throws: YAMLError.self) { try YAMLDocument(parsing: broken.bytes, file: "x.yaml") }
        let position = error?.position
        #expect(error?.code == broken.code)
        #expect(position == SourcePosition(line: broken.line, column: broken.column))
        #expect(error?.message.contains(broken.message) == true, "\(error?.message ?? "")")
    }

    @Test func `a duplicate key's note shows the first one`() {
        let error = #expect(throws: YAMLError.self) {
            try YAMLDocument(parsing: Array("a: 1\nb: 2\na: 3\n".utf8), file: "x.yaml")
        }
        #expect(error?.note?.range == SourceRange(start: 0, end: 1))
    }

    @Test(
        .timeLimit(.minutes(1)), arguments: ["alias-bomb.yaml", "merge-bomb.yaml", "deep-flow.yaml", "deep-block.yaml"])
    func `a file that would expand without end is refused after a bounded amount of work`(file: String) throws {
        let bytes = try Corpus.bytes(of: file)
        let error = #expect(throws: YAMLError.self) { try YAMLDocument(parsing: bytes, file: file) }
        #expect(error?.code == .expansion || error?.code == .nesting)
    }
}
