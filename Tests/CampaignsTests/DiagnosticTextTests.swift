import Foundation
import JSON
import Testing
import YAML

@testable import Campaigns

@Suite struct DiagnosticTextTests {
    private func snippet(_ text: String, marking word: String) throws -> String {
        let source = SourceText(file: "x.yaml", bytes: Array(text.utf8))
        let range = try #require(text.range(of: word))
        let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
        let place = Diagnostic.Place(SourceRange(start: start, end: start + word.utf8.count), in: source)
        return Diagnostic(.error, .unknownKey, "m", at: place).text
    }

    @Test(arguments: [
        ("a: b\n", "b", "x.yaml:1:4: error: m\n  a: b\n     ^\n"),
        ("a: word\n", "word", "x.yaml:1:4: error: m\n  a: word\n     ^^^^\n"),
        ("a:\t\tword\n", "word", "x.yaml:1:5: error: m\n  a:\t\tword\n    \t\t^^^^\n"),
        ("a: 日本 word\n", "word", "x.yaml:1:7: error: m\n  a: 日本 word\n          ^^^^\n"),
        ("a: 日本\n", "日本", "x.yaml:1:4: error: m\n  a: 日本\n     ^^^^\n"),
        ("a: 🎉 word\n", "word", "x.yaml:1:6: error: m\n  a: 🎉 word\n        ^^^^\n"),
        ("a: e\u{301} word\n", "word", "x.yaml:1:7: error: m\n  a: e\u{301} word\n       ^^^^\n"),
        ("a: word\r\nb: c\r\n", "word", "x.yaml:1:4: error: m\n  a: word\n     ^^^^\n"),
        ("a: b\r\nb: word\r\n", "word", "x.yaml:2:4: error: m\n  b: word\n     ^^^^\n"),
        ("\u{FEFF}a: word\n", "word", "x.yaml:1:4: error: m\n  a: word\n     ^^^^\n"),
        ("a: \u{1B}[31mword\n", "word", "x.yaml:1:9: error: m\n  a: \u{FFFD}[31mword\n          ^^^^\n"),
    ])
    func `the caret stands under what is meant`(text: String, word: String, expected: String) throws {
        #expect(try snippet(text, marking: word) == expected)
    }

    @Test func `a range over several lines is underlined to the end of its first`() {
        let source = SourceText(file: "x.yaml", bytes: Array("a: |\n  b\n  c\n".utf8))
        let place = Diagnostic.Place(SourceRange(start: 3, end: 13), in: source)
        #expect(place.snippet == "  a: |\n     ^\n")
    }

    @Test func `a place at the end of a line has a caret behind it`() {
        let source = SourceText(file: "x.yaml", bytes: Array("a: b\n".utf8))
        #expect(Diagnostic.Place(SourceRange(start: 4, end: 4), in: source).snippet == "  a: b\n      ^\n")
    }

    @Test func `a very long line is shown in part`() throws {
        let text = "a: " + String(repeating: "x", count: 5_000) + " word " + String(repeating: "y", count: 5_000) + "\n"
        let lines = try snippet(text, marking: "word").split(separator: "\n")
        #expect(lines[0] == "x.yaml:1:5005: error: m")
        #expect(lines[1].count < 200)
        let carets = try #require(lines[2].firstIndex(of: "^"))
        let column = lines[2].distance(from: lines[2].startIndex, to: carets)
        #expect(lines[1].dropFirst(column).hasPrefix("word "))
    }

    @Test func `the text form shows suggestion and note`() throws {
        let source = SourceText(file: "x.yaml", bytes: Array("a: b\nc: d\n".utf8))
        let diagnostic = Diagnostic(
            .warning, .unknownKey, "m", at: .init(SourceRange(start: 5, end: 6), in: source), suggestion: "e",
            note: .init(message: "n", place: .init(SourceRange(start: 0, end: 1), in: source)))
        #expect(
            diagnostic.text == """
                x.yaml:2:1: warning: m; did you mean "e"?
                  c: d
                  ^
                x.yaml:1:1: note: n
                  a: b
                  ^

                """)
    }

    @Test func `the JSON form has every part under its own name`() throws {
        let source = SourceText(file: "x.yaml", bytes: Array("a: b\nc: d\n".utf8))
        let diagnostic = Diagnostic(
            .error, .unknownKey, "m", at: .init(SourceRange(start: 5, end: 6), in: source), suggestion: "e",
            note: .init(message: "n", place: .init(SourceRange(start: 0, end: 1), in: source)))
        #expect(
            diagnostic.json.serialized(pretty: false)
                == #"{"file":"x.yaml","line":2,"column":1,"length":1,"severity":"error","code":"unknown-key","#
                + #""message":"m","suggestion":"e","source":"c: d","#
                + #""note":{"file":"x.yaml","line":1,"column":1,"message":"n"}}"#)
    }
}
