import Testing
import YAML

@Suite struct ScalarPlacesTests {
    /// For each letter of the value, where it stands in the file.
    private func letters(_ text: String) throws -> [String] {
        let document = try YAMLDocument(parsing: Array(text.utf8), file: "x.yaml")
        guard let entry = document.root.mapping?.entries.first, let scalar = entry.value.scalar else { return [] }
        return scalar.text.utf8.enumerated().compactMap { offset, byte in
            guard byte > UInt8(ascii: " ") else { return nil }
            let place = document.source.offset(ofTextOffset: offset, in: scalar, at: entry.value.range)
            let found = document.source.bytes[place]
            return found == byte
                ? nil : "\(offset): \(Unicode.Scalar(byte)) is not \(Unicode.Scalar(found)) at \(place)"
        }
    }

    @Test(arguments: [
        "a: plain text\n", "a: &x plain\n", "a: plain over\n  two lines\n", "a: plain\n\n\n  with  gaps\n",
        "a: ünïcödé 🎉 x\n",
        "a: 'it''s quoted'\n", "a: 'over\n  lines\n\n  three'\n", "a: \"double {{ x }}\"\n",
        "a: \"over\n   lines\n\n\n  x\"\n",
        "a: \"joined \\\n    here\"\n", "a: |\n  one\n  two\n\n   three\n", "a: |-\n  one\n", "a: |+\n  one\n\n\n",
        "a: |2\n    one\n   two\n", "a: |\n\n\n  one\n  two\n", "a: >\n  one\n  two\n\n  three\n",
        "a: >-\n  one\n   two\n  three\n",
        "a: >\n\n  one\n\n\n  two\n", "a: >2\n    one\n  two\n", "a: | # note\n  one\n", "a: \"x\r\n  y\"\r\n",
        "a: |\r\n  one\r\n  two\r\n", "a: >\r\n  one\r\n  two\r\n", "a:\n  b\n", "a: !!str\n  b c\n",
        "a: >\n  日本 語\n  本\n",
    ])
    func `every letter of a value is found in the file`(text: String) throws {
        #expect(try letters(text) == [])
    }

    @Test(arguments: [
        ("a: \"x\\ty\\u00e9z\"\n", "z", 1, 15), ("a: \"\\U0001F389!\"\n", "!", 1, 15),
        ("a: \"\\\"q\\\\r\"\n", "r", 1, 10),
        ("a: \"\\x41B\"\n", "B", 1, 9), ("a: |\n  é{\n", "{", 2, 4), ("a: >\n  one\n  two\n", "t", 3, 3),
        ("a: 'x\n   y'\n", "y", 2, 4),
    ])
    func `a character behind escapes and folds has its line and column`(
        text: String, character: Character, line: Int, column: Int
    ) throws {
        let document = try YAMLDocument(parsing: Array(text.utf8), file: "x.yaml")
        let entry = try #require(document.root.mapping?.entries.first)
        let scalar = try #require(entry.value.scalar)
        let index = try #require(scalar.text.firstIndex(of: character))
        let offset = scalar.text.utf8.distance(from: scalar.text.startIndex, to: index)
        #expect(
            document.source.position(ofTextOffset: offset, in: scalar, at: entry.value.range)
                == SourcePosition(line: line, column: column))
    }

    @Test func `an offset outside the text stays inside the value`() throws {
        for text in ["a: b\n", "a: 'b'\n", "a: \"\"\n", "a: |\n", "a: >\n  x\n", "a:\n", "a: \"\\\n\"\n"] {
            let document = try YAMLDocument(parsing: Array(text.utf8), file: "x.yaml")
            let value = try #require(document.root.mapping?.entries.first?.value)
            let scalar = try #require(value.scalar)
            for offset in [-1, 0, 1, 1_000_000] {
                let place = document.source.offset(ofTextOffset: offset, in: scalar, at: value.range)
                #expect(place >= value.range.start && place <= document.source.bytes.count)
            }
        }
    }
}
