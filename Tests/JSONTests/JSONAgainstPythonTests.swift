import Foundation
import JSON
import TestSupport
import Testing

/// Compares with Python's json, which shares no code with this module.
@Suite struct JSONAgainstPythonTests {
    private func verdicts(on documents: [[UInt8]]) throws -> [Substring] {
        let input = documents.map { Data($0).base64EncodedString() + "\n" }.joined()
        return try ChildProcess.python("Tests/Peers/json_oracle.py", input: Data(input.utf8))
            .split(separator: "\n", omittingEmptySubsequences: true)
    }

    @Test func `generated values survive both ways`() throws {
        var generator = SeededGenerator(seed: 20_261_130)
        let values = (0..<2_000).map { _ in generator.json() }
        let documents = values.enumerated().map { $1.serializedBytes(pretty: $0.isMultiple(of: 2)) }
        let answers = try verdicts(on: documents)
        try #require(answers.count == values.count)
        for (index, value) in values.enumerated() {
            #expect(try JSON(parsing: documents[index]) == value)
            #expect(try JSON(parsing: String(answers[index])) == value)
        }
    }

    @Test func `mutated documents are accepted or refused alike`() throws {
        var generator = SeededGenerator(seed: 7)
        let tokens: [[UInt8]] = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "0", "-", ".", "e", "1e999", "true", "nul", " ",
            "\n", "NaN", "\u{0}",
        ].map { Array($0.utf8) }
        var documents: [[UInt8]] = []
        for _ in 0..<6_000 {
            var document = generator.json(depth: 3).serializedBytes()
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0...document.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: document.insert(contentsOf: tokens.randomElement(using: &generator) ?? [], at: place)
                case 1: document.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                case 2 where place < document.count: document.remove(at: place)
                case 3 where place < document.count: document[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                default: document.removeSubrange(place...)
                }
            }
            documents.append(document)
        }
        let answers = try verdicts(on: documents)
        try #require(answers.count == documents.count)
        var accepted = 0
        for (document, answer) in zip(documents, answers) {
            let ours = try? JSON(parsing: document)
            let theirs = answer == "invalid" ? nil : try JSON(parsing: String(answer))
            #expect(ours == theirs, "\(String(decoding: document, as: UTF8.self))")
            if ours != nil { accepted += 1 }
        }
        #expect(accepted > 300 && accepted < documents.count - 300)
    }
}
