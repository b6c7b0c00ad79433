import Foundation
import TestSupport
import Testing
import YAML

/// The nasty files that the tests begin from.
enum Corpus {
    static let directory = Repository.path("Tests/YAMLTests/Corpus")

    static func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }

    static func bytes(of file: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: directory + "/" + file)))
    }
}

@Suite struct FuzzTests {
    /// Reads the bytes, asks for every place, and checks that all of them lie in the file.
    private func read(_ bytes: [UInt8]) -> (nodes: Int, stray: Int) {
        do {
            let document = try YAMLDocument(parsing: bytes, file: "x.yaml")
            var nodes = 0
            var stray = 0
            var waiting = [document.root]
            while let node = waiting.popLast() {
                nodes += 1
                if node.range.end > bytes.count { stray += 1 }
                switch node.content {
                case .sequence(let items): waiting += items
                case .mapping(let mapping): waiting += mapping.entries.map(\.value)
                case .scalar(let scalar):
                    for offset in [0, scalar.text.utf8.count / 2, scalar.text.utf8.count] {
                        let place = document.source.offset(ofTextOffset: offset, in: scalar, at: node.range)
                        if place < 0 || place > bytes.count { stray += 1 }
                    }
                }
            }
            return (nodes, stray)
        } catch {
            let stray = error.range.start > bytes.count || error.message.isEmpty || error.position.line < 1
            return (0, stray ? 1 : 0)
        }
    }

    @Test func `every file of the corpus is read or refused with a place`() throws {
        let files = try Corpus.files()
        #expect(files.count >= 60)
        for file in files {
            #expect(read(try Corpus.bytes(of: file)).stray == 0, "\(file)")
        }
    }

    @Test func `four thousand mutated files are read or refused with a place`() throws {
        let seeds = try Corpus.files().map { try Corpus.bytes(of: $0) }.filter { $0.count < 4_000 }
        let alphabet = Array("{}[]:,-?&*!|>'\"%@`#<~ \t\r\n\\a0é🎉\u{FEFF}\u{2028}".utf8) + [0x00, 0x85, 0xC2, 0xFF]
        var generator = SeededGenerator(seed: 20_261_130)
        var readable = 0
        for _ in 0..<4_000 {
            guard var bytes = seeds.randomElement(using: &generator) else { continue }
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where place < bytes.count: bytes.remove(at: place)
                case 1 where place < bytes.count: bytes[place] = alphabet.randomElement(using: &generator) ?? 0
                case 2: bytes.insert(contentsOf: bytes.suffix(from: place).prefix(12), at: place)
                default: bytes.insert(alphabet.randomElement(using: &generator) ?? 0, at: place)
                }
            }
            let outcome = read(bytes)
            if outcome.nodes > 0 { readable += 1 }
            #expect(outcome.stray == 0, "\(bytes)")
        }
        #expect(readable > 300)
    }
}
