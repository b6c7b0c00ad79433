import Foundation
import Glibc
import JSON
import TestSupport
import Testing

@testable import Campaigns

@Suite struct CampaignDirectoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let valid = "schedule: {every: 5m}\nfilter: everyone\nnotification: {title: A}\n"

    private func load() throws -> CampaignDirectory { try CampaignDirectory.load(folder.path) }

    private func names(_ directory: CampaignDirectory) -> [String] {
        directory.files.map { String($0.path.dropFirst(folder.path.count + 1)) }
    }

    @Test func `files of the folder and its folders are read in the order of their paths`() throws {
        for name in [
            "b.yaml", "a.yml", "growth/c.yaml", "growth/deep/d.yaml", "Z.txt", "readme.md", "_partials/p.yaml",
            ".hidden/h.yaml", ".h.yaml", "tests/t.yaml", "growth/_data/x.yaml", "growth/tests/u.yaml", "_draft.yaml",
        ] { try folder.write(name, Self.valid) }
        let directory = try load()
        #expect(names(directory) == ["_draft.yaml", "a.yml", "b.yaml", "growth/c.yaml", "growth/deep/d.yaml"])
        #expect(directory.campaigns.map(\.id) == ["a", "b", "c", "d"])
        #expect(directory.diagnostics.map(\.code) == [.invalidCampaignID])
    }

    @Test func `a broken file takes no other down`() throws {
        try folder.write("a.yaml", Self.valid)
        try folder.write("b.yaml", "")
        try folder.write(
            "c.yaml", "campaign: kept\nschedule: {cron: nonsense}\nfilter: everyone\nnotification: {title: A}\n")
        try folder.write("d.yaml", Self.valid)
        let directory = try load()
        #expect(directory.campaigns.map(\.id) == ["a", "d"])
        #expect(directory.files.filter { $0.campaign == nil }.map(\.id) == [nil, "kept"])
        #expect(directory.diagnostics.map(\.place.file) == ["b.yaml", "c.yaml"].map { "\(folder.path)/\($0)" })
    }

    @Test func `two files with one id are both left out and both named`() throws {
        try folder.write("a.yaml", "campaign: same\n" + Self.valid)
        try folder.write("b/same.yaml", Self.valid)
        try folder.write("c.yaml", Self.valid)
        let directory = try load()
        #expect(directory.campaigns.map(\.id) == ["c"])
        let diagnostic = try #require(directory.diagnostics.first)
        #expect(directory.diagnostics.count == 1)
        #expect(diagnostic.code == .duplicateCampaign)
        #expect(diagnostic.place.file == "\(folder.path)/b/same.yaml")
        #expect(diagnostic.message.contains("\(folder.path)/a.yaml"))
        #expect(diagnostic.note?.place.line == 1 && diagnostic.note?.place.column == 11)
    }

    @Test func `a file that cannot be read is a problem of that file alone`() throws {
        try folder.write("a.yaml", Self.valid)
        try folder.link("gone.yaml", to: "/nowhere/at/all.yaml")
        try folder.link("loop.yaml", to: "loop.yaml")
        let made = unsafe mkfifo(folder.path + "/pipe.yaml", 0o600)
        #expect(made == 0)
        try folder.write("secret.yaml", Self.valid)
        let closed = unsafe chmod(folder.path + "/secret.yaml", 0)
        #expect(closed == 0)
        let directory = try load()
        // Whoever may read everything may read the file without permissions too.
        #expect(directory.campaigns.map(\.id) == (geteuid() == 0 ? ["a", "secret"] : ["a"]))
        let unreadable = directory.diagnostics.filter { $0.code == .unreadableFile }
        #expect(
            unreadable.map { String($0.place.file.dropFirst(folder.path.count + 1)) }
                .filter { $0 != "secret.yaml" } == ["gone.yaml", "loop.yaml", "pipe.yaml"])
        #expect(unreadable.first?.message == "the file cannot be read: no such file or directory")
    }

    @Test func `links to folders are followed, each folder once`() throws {
        let other = try TemporaryFolder()
        try other.write("linked.yaml", Self.valid)
        try folder.write("growth/a.yaml", Self.valid)
        try folder.link("more", to: other.path)
        try folder.link("growth/round", to: "..")
        try folder.link("growth/twin.yaml", to: "a.yaml")
        let directory = try load()
        #expect(names(directory) == ["growth/a.yaml", "growth/twin.yaml", "more/linked.yaml"])
        #expect(directory.campaigns.map(\.id) == ["a", "twin", "linked"])
    }

    @Test func `a folder that is a link keeps the name that it was asked for by`() throws {
        try folder.write("tree-1/a.yaml", Self.valid)
        try folder.link("current", to: "tree-1")
        let directory = try CampaignDirectory.load(folder.path + "/current/")
        #expect(directory.files.map(\.path) == [folder.path + "/current/a.yaml"])
    }

    @Test func `a folder that is missing or no folder is an error and not an empty list`() throws {
        let missing = #expect(throws: CampaignDirectoryError.self) {
            try CampaignDirectory.load(folder.path + "/nowhere")
        }
        #expect(missing?.description.hasSuffix("nowhere cannot be read: there is no such folder.") == true)
        try folder.write("file", "")
        let file = #expect(throws: CampaignDirectoryError.self) { try CampaignDirectory.load(folder.path + "/file") }
        #expect(file?.reason == "it is not a folder")
        #expect(try load().files.isEmpty)
    }

    // MARK: Data files

    private func withData(_ path: String) -> String { Self.valid + "data: {stories: {file: \"\(path)\"}}\n" }

    @Test func `data files are JSON or YAML beside the campaign`() throws {
        try folder.write("_data/a.json", "[{\"n\": 1}]")
        try folder.write("growth/_data/b.yaml", "- {n: 012, no: no, x: .inf, y: ~, z: 1.5, t: true}\n")
        try folder.write("a.yaml", withData("_data/a.json"))
        try folder.write("growth/b.yaml", withData("_data/b.yaml"))
        try folder.write("growth/c.yaml", withData("../_data/a.json"))
        try folder.write("growth/d.yaml", withData("./../growth/../_data/a.json"))
        let directory = try load()
        #expect(directory.diagnostics.map(\.description) == [])
        #expect(
            directory.campaigns.map { $0.data.first?.value.serialized(pretty: false) ?? "" } == [
                #"[{"n":1}]"#, #"[{"n":12,"no":"no","x":".inf","y":null,"z":1.5,"t":true}]"#, #"[{"n":1}]"#,
                #"[{"n":1}]"#,
            ])
    }

    @Test(arguments: [
        ("/etc/hostname.json", "relative to the campaign's file"), ("../outside.json", "lies within the folder"),
        ("_data/../../outside.json", "lies within the folder"), (".", "JSON or YAML"), ("a.csv", "JSON or YAML"),
        ("missing.json", "no such file or directory"), ("folder.json", "it is a folder"),
    ])
    func `a data file that may not or cannot be read is refused`(path: String, message: String) throws {
        try folder.write("folder.json/x", "")
        try folder.write("a.yaml", withData(path))
        let directory = try load()
        #expect(directory.diagnostics.map(\.code) == [.invalidDataSource])
        #expect(directory.diagnostics.first?.message.contains(message) == true, "\(directory.diagnostics)")
        #expect(directory.diagnostics.first?.place.line == 4)
    }

    @Test func `a broken data file is shown where it is broken, with the campaign that names it`() throws {
        try folder.write("_data/a.json", "[1,\n  2,,\n]")
        try folder.write("_data/b.yaml", "a: 1\na: 2\n")
        try folder.write("a.yaml", withData("_data/a.json"))
        try folder.write("b.yaml", withData("_data/b.yaml"))
        let problems = try load().diagnostics
        #expect(problems.map(\.place.file) == ["_data/a.json", "_data/b.yaml"].map { "\(folder.path)/\($0)" })
        #expect(problems.map(\.place.line) == [2, 2])
        #expect(problems.map { $0.note?.place.file } == ["a.yaml", "b.yaml"].map { "\(folder.path)/\($0)" })
    }

    @Test func `two hundred files are read in order`() throws {
        for index in 0..<200 { try folder.write("c\(1_000 + index).yaml", Self.valid) }
        let directory = try load()
        #expect(directory.campaigns.map(\.id) == (0..<200).map { "c\(1_000 + $0)" })
    }
}
