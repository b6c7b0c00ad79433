import Campaigns
import Foundation
import JSON
import Scheduler
import Schedules
import Testing

/// Reloading, on real folders. A look is one call of `update`; a change is read at the second look that sees it.
struct CampaignDirectorySourceTests {
    /// A folder that goes when the test ends.
    private final class Folder {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.appendingPathComponent("carillon-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: path + "/campaigns", withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ id: String, cron: String = "0 9 * * *", in folder: String = "campaigns") throws {
            try write("\(folder)/\(id).yaml", text: text(id, cron: cron))
        }

        func text(_ id: String, cron: String = "0 9 * * *") -> String {
            """
            campaign: \(id)
            schedule: {cron: "\(cron)"}
            filter: everyone
            notification: {title: Hello}

            """
        }

        func write(_ name: String, text: String) throws {
            let file = URL(fileURLWithPath: "\(path)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }

        func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

        func link(_ name: String, to target: String) throws {
            let new = "\(path)/\(name).new"
            try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: "\(path)/\(target)")
            _ = unsafe rename(new, "\(path)/\(name)")
        }

        func source(_ name: String = "campaigns") -> CampaignDirectorySource {
            CampaignDirectorySource(path: "\(path)/\(name)")
        }
    }

    /// Looks twice, since a change is read once it has come to rest.
    private func settled(_ source: CampaignDirectorySource) async -> CampaignUpdate? {
        let first = await source.update()
        return first == nil ? await source.update() : first
    }

    @Test func `the first look reads, later ones say nothing while nothing changes`() async throws {
        let folder = try Folder()
        try folder.write("a")
        try folder.write("b")
        let source = folder.source()
        let update = try #require(await source.update())
        #expect(update.campaigns.map(\.id) == ["a", "b"])
        #expect(update.isComplete && update.diagnostics.isEmpty && update.treeProblem == nil)
        for _ in 0..<3 { #expect(await source.update() == nil) }
    }

    @Test func `campaigns are read again when the rules of their time zone were replaced`() async throws {
        let folder = try Folder()
        let zone = URL(fileURLWithPath: folder.path + "/zones/Test/Place")
        try FileManager.default.createDirectory(
            at: zone.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin")).write(to: zone)
        try folder.write(
            "campaigns/a.yaml",
            text: folder.text("a").replacing("\"0 9 * * *\"", with: "\"0 9 * * *\", timezone: Test/Place"))
        let source = CampaignDirectorySource(
            path: folder.path + "/campaigns",
            settings: CampaignSettings(timeZones: TimeZoneDatabase(directory: folder.path + "/zones")),
            timeZonePause: .zero)
        let midnight = try instant("2026-12-01T00:00:00Z")
        let before = try #require(await source.update())
        #expect(!before.timeZonesChanged)
        #expect(
            before.campaigns.first?.schedule.next(after: midnight)?.instant == (try instant("2026-12-01T08:00:00Z")))
        #expect(await source.update() == nil)

        try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/America/New_York"))
            .write(to: zone, options: .atomic)
        let after = try #require(await source.update())
        #expect(after.timeZonesChanged)
        #expect(
            after.campaigns.first?.schedule.next(after: midnight)?.instant == (try instant("2026-12-01T14:00:00Z")))
        #expect(await source.update() == nil)
    }

    @Test func `a change is read once it has come to rest`() async throws {
        let folder = try Folder()
        try folder.write("a")
        let source = folder.source()
        _ = await source.update()
        try folder.write("b")
        #expect(await source.update() == nil)
        try folder.write("c")
        #expect(await source.update() == nil)
        #expect(await source.update()?.campaigns.map(\.id) == ["a", "b", "c"])
        #expect(await source.update() == nil)
    }

    @Test func `a file rewritten with its size and time kept is noticed`() async throws {
        let folder = try Folder()
        try folder.write("a", cron: "0 9 * * *")
        let file = "\(folder.path)/campaigns/a.yaml"
        let time = try #require(FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date)
        let source = folder.source()
        let before = try #require(await source.update()?.campaigns.first)
        try folder.write("a", cron: "0 8 * * *")
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file)
        let after = try #require(await settled(source)?.campaigns.first)
        #expect(before.schedule.fingerprint != after.schedule.fingerprint)
    }

    @Test(arguments: ["", "campaign: [", "campaign: a\nschedule: {cron: \"61 9 * * *\"}\n", "\u{0}\u{1}"])
    func `a broken file keeps its last good version and takes nobody down`(_ text: String) async throws {
        let folder = try Folder()
        try folder.write("a")
        try folder.write("b")
        let source = folder.source()
        _ = await source.update()
        try folder.write("campaigns/a.yaml", text: text)
        try folder.write("b", cron: "0 7 * * *")
        let update = try #require(await settled(source))
        #expect(update.campaigns.map(\.id) == ["a", "b"])
        #expect(update.isComplete)
        #expect(!update.diagnostics.isEmpty && update.diagnostics.allSatisfy { $0.place.file.hasSuffix("/a.yaml") })
        // The problem is told once, and again when it comes back.
        try folder.write("b", cron: "0 6 * * *")
        #expect(await settled(source)?.diagnostics == [])
        try folder.write("a")
        #expect(await settled(source)?.diagnostics == [])
        try folder.write("campaigns/a.yaml", text: text)
        #expect(await settled(source)?.diagnostics.isEmpty == false)
    }

    @Test func `a file that was broken from the start is not known to be gone`() async throws {
        let folder = try Folder()
        try folder.write("a")
        try folder.write("campaigns/b.yaml", text: "campaign: [")
        let source = folder.source()
        let update = try #require(await source.update())
        #expect(update.campaigns.map(\.id) == ["a"])
        #expect(!update.isComplete && update.diagnostics.count == 1)
        try folder.write("b")
        let repaired = try #require(await settled(source))
        #expect(repaired.campaigns.map(\.id) == ["a", "b"] && repaired.isComplete)
    }

    @Test func `a removed file is a removed campaign`() async throws {
        let folder = try Folder()
        try folder.write("a")
        try folder.write("b")
        let source = folder.source()
        _ = await source.update()
        try folder.remove("campaigns/a.yaml")
        let update = try #require(await settled(source))
        #expect(update.campaigns.map(\.id) == ["b"] && update.isComplete)
    }

    @Test func `a folder that is missing or suddenly empty keeps every campaign and is told once`() async throws {
        let folder = try Folder()
        try folder.write("a")
        let source = folder.source()
        _ = await source.update()
        try folder.remove("campaigns")
        let missing = try #require(await source.update())
        #expect(missing.campaigns.map(\.id) == ["a"] && !missing.isComplete)
        #expect(missing.treeProblem?.hasSuffix("is not there.") == true)
        #expect(await source.update() == nil)

        try FileManager.default.createDirectory(atPath: folder.path + "/campaigns", withIntermediateDirectories: true)
        let empty = try #require(await settled(source))
        #expect(empty.campaigns.map(\.id) == ["a"] && !empty.isComplete)
        #expect(empty.treeProblem?.contains("holds no campaign files any more") == true)

        try folder.write("b")
        let back = try #require(await settled(source))
        #expect(back.campaigns.map(\.id) == ["b"] && back.isComplete && back.treeProblem == nil)
    }

    @Test func `a folder that comes back as it was is complete again`() async throws {
        let folder = try Folder()
        try folder.write("a")
        let source = folder.source()
        _ = await source.update()
        try FileManager.default.moveItem(atPath: folder.path + "/campaigns", toPath: folder.path + "/away")
        #expect(await source.update()?.isComplete == false)
        try FileManager.default.moveItem(atPath: folder.path + "/away", toPath: folder.path + "/campaigns")
        #expect(await settled(source)?.isComplete == true)
    }

    @Test func `a link that is switched to another tree is followed`() async throws {
        let folder = try Folder()
        try folder.write("a", in: "one")
        try folder.write("a", cron: "0 8 * * *", in: "two")
        try folder.write("b", in: "two")
        try folder.link("live", to: "one")
        let source = folder.source("live")
        #expect(await source.update()?.campaigns.map(\.id) == ["a"])
        try folder.link("live", to: "two")
        #expect(await settled(source)?.campaigns.map(\.id) == ["a", "b"])
        try folder.remove("two")
        #expect(await source.update()?.campaigns.map(\.id) == ["a", "b"])
        try folder.link("live", to: "one")
        #expect(await settled(source)?.campaigns.map(\.id) == ["a"])
        #expect(await source.update() == nil)
    }

    @Test func `two files that claim one campaign leave its last good version`() async throws {
        let folder = try Folder()
        try folder.write("a")
        let source = folder.source()
        _ = await source.update()
        try folder.write("campaigns/copy.yaml", text: folder.text("a", cron: "0 1 * * *"))
        let update = try #require(await settled(source))
        #expect(update.campaigns.map { $0.schedule.fingerprint.contains("0 1") } == [false])
        #expect(update.campaigns.map(\.file).map { $0.hasSuffix("/a.yaml") } == [true])
        #expect(!update.diagnostics.isEmpty)
    }

    @Test func `a changed data file is a change`() async throws {
        let folder = try Folder()
        try folder.write("campaigns/_data/x.json", text: "[1]")
        try folder.write("campaigns/a.yaml", text: folder.text("a") + "data: {x: {file: _data/x.json}}\n")
        let source = folder.source()
        #expect(await source.update()?.campaigns.first?.data.first?.value == .array([.int(1)]))
        try folder.write("campaigns/_data/x.json", text: "[2]")
        #expect(await settled(source)?.campaigns.first?.data.first?.value == .array([.int(2)]))
    }

    @Test func `a folder that never was there is no campaigns, not known to be complete`() async throws {
        let folder = try Folder()
        let update = try #require(await folder.source("nowhere").update())
        #expect(update.campaigns.isEmpty && !update.isComplete && update.treeProblem != nil)
    }

    @Test func `a tree that never comes to rest is read in the end`() async throws {
        let folder = try Folder()
        try folder.write("a")
        let source = folder.source()
        _ = await source.update()
        var found: CampaignUpdate?
        for round in 0..<20 where found == nil {
            try folder.write("b", cron: "\(round) 9 * * *")
            found = await source.update()
        }
        #expect(found?.campaigns.map(\.id) == ["a", "b"])
    }
}
