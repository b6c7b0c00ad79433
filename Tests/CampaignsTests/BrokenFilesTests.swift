import Campaigns
import Foundation
import TestSupport
import Testing

/// Files with one mistake each, and beside each the text that a person gets to see.
///
/// With `UPDATE_SNAPSHOTS=1` in the environment the texts are written anew instead.
@Suite struct BrokenFilesTests {
    static let directory = Repository.path("Tests/CampaignsTests/Broken")

    static let names: [String] =
        (try? FileManager.default.contentsOfDirectory(atPath: directory))?
        .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted() ?? []

    private func read(_ name: String) throws -> CampaignFile {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Self.directory)/\(name).yaml")))
        return CampaignFile(path: "campaigns/\(name).yaml", bytes: bytes, root: "campaigns")
    }

    @Test func `there are more than forty broken files`() {
        #expect(Self.names.count > 40)
    }

    @Test(arguments: names)
    func `a broken file gives one diagnostic at the right place`(name: String) throws {
        let file = try read(name)
        #expect(file.campaign == nil)
        #expect(file.diagnostics.count == 1, "\(file.diagnostics)")
        let text = file.diagnostics.map(\.text).joined()
        let golden = "\(Self.directory)/\(name).txt"
        if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
            try Data(text.utf8).write(to: URL(fileURLWithPath: golden))
        }
        let expected = FileManager.default.contents(atPath: golden).map { String(decoding: $0, as: UTF8.self) }
        #expect(text == expected)
    }

    @Test func `a file of five megabytes is refused by its size`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 5 << 20)
        let file = CampaignFile(path: "large.yaml", bytes: bytes, root: "")
        #expect(
            file.diagnostics.map(\.description).first?.hasPrefix("large.yaml:1:1: error: the file has 5242880") == true)
        #expect(file.diagnostics.count == 1)
    }

    @Test func `of a file full of mistakes a hundred are shown and the others counted`() {
        let keys = (0..<5_000).map { "wrong\($0): 1\n" }.joined()
        let file = CampaignFile(path: "many.yaml", bytes: Array(keys.utf8), root: "")
        #expect(file.diagnostics.count == 101)
        #expect(file.diagnostics.last?.code == .moreProblems)
        #expect(file.diagnostics.last?.message == "4903 more problems are not shown")
    }

    @Test func `mutated broken files never crash the reader`() throws {
        let seeds = try Self.names.map {
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Self.directory)/\($0).yaml")))
        }
        .filter { $0.count < 2_000 }
        var generator = SeededGenerator(seed: 7)
        var errors = 0
        for _ in 0..<2_000 {
            guard var bytes = seeds.randomElement(using: &generator), let donor = seeds.randomElement(using: &generator)
            else { continue }
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                let length = Int.random(in: 0...24, using: &generator)
                if Bool.random(using: &generator), !donor.isEmpty {
                    let start = Int.random(in: 0..<donor.count, using: &generator)
                    bytes.insert(contentsOf: donor[start...].prefix(length), at: place)
                } else {
                    bytes.removeSubrange(place..<min(bytes.count, place + length))
                }
            }
            let file = CampaignFile(path: "campaigns/x.yaml", bytes: bytes, root: "campaigns")
            errors += file.diagnostics.count
            #expect(file.campaign != nil || file.diagnostics.containsErrors)
            for diagnostic in file.diagnostics { #expect(!diagnostic.text.isEmpty && diagnostic.place.line > 0) }
        }
        #expect(errors > 1_000)
    }
}
