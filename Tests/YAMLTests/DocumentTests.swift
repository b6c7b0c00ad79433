import Testing
import YAML

struct LargeText: Sendable, CustomTestStringConvertible {
    var text: String

    var testDescription: String { String(text.prefix(20)) }
}

@Suite struct DocumentTests {
    private func parse(_ text: String) throws -> YAMLDocument {
        try YAMLDocument(parsing: Array(text.utf8), file: "campaign.yaml")
    }

    /// `key@line:column=value@line:column` for every entry of a mapping.
    private func places(_ document: YAMLDocument) -> [String] {
        func place(_ range: SourceRange) -> String {
            let start = document.source.position(at: range.start)
            let end = document.source.position(at: range.end)
            return "\(start.line):\(start.column)-\(end.line):\(end.column)"
        }
        return document.root.mapping?.entries.map { "\($0.key)@\(place($0.keyRange)) \(place($0.value.range))" } ?? []
    }

    @Test(arguments: [
        ("a: b\n", ["a@1:1-1:2 1:4-1:5"]),
        ("\u{FEFF}a: b\n", ["a@1:1-1:2 1:4-1:5"]),
        ("a: 'b'\r\nc: \"d\"\r\n", ["a@1:1-1:2 1:4-1:7", "c@2:1-2:2 2:4-2:7"]),
        ("a: 1\rb: 2\r", ["a@1:1-1:2 1:4-1:5", "b@2:1-2:2 2:4-2:5"]),
        ("é: ü\n🎉: x # 🎉\n", ["é@1:1-1:2 1:4-1:5", "🎉@2:1-2:2 2:4-2:5"]),
        ("a:\n  - b\n  - c\n\n# end\nd: e\n", ["a@1:1-1:2 2:3-3:6", "d@6:1-6:2 6:4-6:5"]),
        ("a: {b: c}\n", ["a@1:1-1:2 1:4-1:10"]),
        ("a: &x !!str b\n", ["a@1:1-1:2 1:13-1:14"]),
        ("a: &x\n  # why\n  b: c\n", ["a@1:1-1:2 3:3-3:7"]),
        ("a:\nb: c\n", ["a@1:1-1:2 1:3-1:3", "b@2:1-2:2 2:4-2:5"]),
        ("a: &x b\nc: *x\n", ["a@1:1-1:2 1:7-1:8", "c@2:1-2:2 1:7-1:8"]),
    ])
    func `every key and value knows where it begins and ends`(text: String, expected: [String]) throws {
        #expect(places(try parse(text)) == expected)
    }

    @Test func `columns are right far into a file of wide characters`() throws {
        let text = String(repeating: "# 日本語テキスト 🎉🎉🎉\n", count: 50) + "日: 本\n"
        #expect(places(try parse(text)) == ["日@51:1-51:2 51:4-51:5"])
    }

    @Test func `a merge brings in keys and the mapping's own keys win`() throws {
        let document = try parse(
            """
            base: &base {x: 1, y: 2}
            more: &more {y: 3, z: 4}
            one: {<<: *base, x: 9}
            two: {<<: [*more, *base], w: 0}
            """)
        func show(_ key: String) -> [String]? {
            document.root.mapping?[key]?.mapping?.entries.map { "\($0.key)=\($0.value.scalar?.text ?? "")" }
        }
        #expect(show("one") == ["x=9", "y=2"])
        #expect(show("two") == ["w=0", "y=3", "z=4", "x=1"])
    }

    @Test func `a quoted merge key is an ordinary key`() throws {
        #expect(try parse("\"<<\": 1\n").root.mapping?.entries.map(\.key) == ["<<"])
    }

    @Test func `an anchor may be used inside a mapping that follows it and be given anew`() throws {
        let document = try parse("a: &x 1\nb: *x\nc: &x 2\nd: *x\n")
        #expect(document.root.mapping?.entries.map { $0.value.scalar?.text } == ["1", "1", "2", "2"])
    }

    @Test(arguments: ["---\na: 1\n", "---\na: 1\n...\n", "%YAML 1.2\n---\na: 1\n", "a: 1", "# x\n\na: 1\n# y\n"])
    func `one document may have its markers`(text: String) throws {
        #expect(try parse(text).root.mapping?["a"]?.scalar?.value == .int(1))
    }

    @Test func `depth and size have bounds that a file may come up to`() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        _ = try parse(deep)
        #expect(throws: YAMLError.self) { try parse("[" + deep + "]") }
        let large = "a: " + String(repeating: "x", count: (1 << 20) - 3)
        #expect(try parse(large).root.mapping?["a"]?.scalar?.text.utf8.count == (1 << 20) - 3)
        #expect(throws: YAMLError.self) { try parse(large + "x") }
    }

    @Test func `aliases add to the depth`() throws {
        func chain(_ length: Int) -> String {
            "a0: &a0 [x]\n" + (1..<length).map { "a\($0): &a\($0) [*a\($0 - 1)]\n" }.joined()
        }
        _ = try parse(chain(63))
        let error = #expect(throws: YAMLError.self) { try parse(chain(64)) }
        #expect(error?.code == .nesting)
    }

    /// Each text has about a megabyte and asks for work that must not grow with the square of it.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (0..<90_000).map { "k\($0): 1\n" }.joined(),
            "a: [" + String(repeating: "x, ", count: 340_000) + "]\n",
            "a: " + String(repeating: "word\n  ", count: 140_000) + "\n",
            "a: \"" + String(repeating: "\\x41", count: 260_000) + "\"\n",
            "a: |\n" + String(repeating: "  é 🎉 line\n", count: 69_000),
            String(repeating: "# comment\n", count: 100_000) + "a: 1\n",
            "a: &a 1\nb: [" + String(repeating: "*a, ", count: 9_000) + "]\n",
            String(repeating: "- ", count: 60) + "x\n" + String(repeating: "- y\n", count: 200_000),
            "a: {" + (0..<60_000).map { "k\($0): {}" }.joined(separator: ", ") + "}\n",
        ].map { LargeText(text: $0) })
    func `a large file is read in time`(large: LargeText) throws {
        #expect(large.text.utf8.count < 1 << 20)
        let document = try parse(large.text)
        let last = document.source.position(at: document.root.range.end)
        #expect(last.line >= 1)
    }

    @Test func `aliases may stand for ten thousand values and no more`() throws {
        let hundred = "a: &a [" + Array(repeating: "x", count: 99).joined(separator: ",") + "]\n"
        let aliases = "b: [" + Array(repeating: "*a", count: 100).joined(separator: ",") + "]\n"
        _ = try parse(hundred + aliases)
        #expect(throws: YAMLError.self) { try parse(hundred + aliases + "c: *a\n") }
    }
}
