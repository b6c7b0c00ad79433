import Foundation
import JSON
import TestSupport
import Testing
import YAML

/// ruamel.yaml, which is other people's code, must make the same of every text that both can read.
@Suite struct OracleTests {
    private static let seeds = [
        "a: 1\nb: [x, 'y', \"z\\n\"]\nc: {d: e, f: ~}\n",
        "a: |\n  one\n  two\n\n   three\nb: >-\n  four\n  five\n\n  six\n",
        "x: &x {a: 1, b: 2}\ny: &y {b: 3}\nz: {<<: *x, c: 4}\nw: {<<: [*y, *x], b: 5}\nv: [*x, *y]\n",
        "a: no\nb: on\nc: 012\nd: 0o17\ne: 0x1F\nf: 1.50\ng: .5\nh: 1e3\ni: -7\nj: +7\nk: true\nl: False\nm: NULL\n",
        "a: 08:30\nb: 22:30:10\nc: 2026-12-01\nd: 2026-12-01 09:00\ne: '2026'\nf: 5m\ng: 1.2.3\nh: ~x\n",
        "- a\n- - b\n  - c\n-\n  d: e\n- f: g\n  h: i\n",
        "a: \"two\n  lines\n\n  gap\"\nb: 'it''s\n   here'\nc: plain\n  goes\n  on\n",
        "é: ü\n日本: \"\\u00e9\\x41\\U0001F389\"\nz: 🎉 # comment\n# end\n",
        "a: !!str 12\nb: !!int 5\nd: !!map {e: !!seq [f]}\n",
        "---\na: >+\n  x\n\n\nb: |2-\n    y\n   z\n...\n", "? a\n: b\n? 'c'\n: - d\n  - e\n",
        "{a: [b, {c: d}], \"e\": 'f', g: }\n",
    ]

    private func texts() -> [String] {
        let pieces = [
            "a: ", "b: ", "- ", "  ", "\n", "\n  ", "\"", "'", ": ", ", ", "[", "]", "{", "}", "# x", "|\n", ">\n",
            "*x", "&x ",
            "<<: ", "~", "0", "1.", "-", "é", "🎉", "\\n", "!!str ", "true", "\r\n", "\n\n",
        ]
        var generator = SeededGenerator(seed: 42)
        var texts = Self.seeds
        while texts.count < 3_000 {
            var scalars = Array((Self.seeds.randomElement(using: &generator) ?? "").unicodeScalars)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0...scalars.count, using: &generator)
                if Bool.random(using: &generator) {
                    scalars.insert(
                        contentsOf: (pieces.randomElement(using: &generator) ?? "").unicodeScalars, at: place)
                } else {
                    scalars.removeSubrange(place..<min(scalars.count, place + Int.random(in: 1...4, using: &generator)))
                }
            }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            texts.append(String(text))
        }
        return texts
    }

    private func json(_ node: YAMLNode) -> JSON {
        switch node.content {
        case .scalar(let scalar):
            switch scalar.value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .int(let number): .int(number)
            case .double(let number) where number.isFinite: .double(number)
            case .double(let number): .string(number.isNaN ? "nan" : number > 0 ? "inf" : "-inf")
            case .string: .string(scalar.text)
            }
        case .sequence(let items): .array(items.map(json))
        case .mapping(let mapping): .object(JSONObject(mapping.entries.map { ($0.key, json($0.value)) }))
        }
    }

    /// Numbers are compared by their value: a JSON text may have lost that 1.0 is no whole number.
    private func comparable(_ value: JSON) -> JSON {
        switch value {
        case .int(let number): .double(Double(number))
        case .array(let items): .array(items.map(comparable))
        case .object(let object): .object(JSONObject(object.members.map { ($0.key, comparable($0.value)) }))
        default: value
        }
    }

    @Test func `what both read is the same`() throws {
        let texts = texts()
        let input = JSON.array(texts.map(JSON.string)).serialized(pretty: false)
        let output = try ChildProcess.python("Tests/YAMLTests/yaml_oracle.py", input: Data(input.utf8))
        let answers = try #require(try JSON(parsing: Array(output.utf8)).arrayValue)
        #expect(answers.count == texts.count)
        var compared = 0
        for (text, answer) in zip(texts, answers) {
            // ruamel reads `! 1` as a number; by section 6.9.1 of YAML 1.2 the tag makes it a text.
            guard !text.contains("! "), !text.contains("!\n") else { continue }
            guard let expected = answer["value"],
                let document = try? YAMLDocument(parsing: Array(text.utf8), file: "x.yaml")
            else { continue }
            compared += 1
            #expect(comparable(json(document.root)) == comparable(expected), "\(text.debugDescription)")
        }
        #expect(compared > 800)
    }
}
