import JSON
import TestSupport
import Testing

@testable import Commands

struct RunTests {
    private func project() async throws -> CommandHarness {
        let harness = try CommandHarness()
        try harness.writeSampleProject()
        try await harness.importSampleDevices()
        return harness
    }

    /// Half a minute after the digest is due.
    private let due = ["--now", "2026-12-07T09:00:30+01:00"]

    @Test func `what is due is sent once, to those whom nobody left out`() async throws {
        let harness = try await project()
        let result = await harness.run(["run", "--once"] + due)
        #expect(result.exitCode == .success)
        #expect(result.output == "run 1 · weekly-digest · 2026-12-07T08:00:00Z: succeeded, 2 sent, 1 skipped\n")
        #expect(result.errors == "3 campaigns\n")
        let pushes = try harness.read("outbox/pushes.jsonl").split(separator: "\n").map {
            try JSON(parsing: String($0))
        }
        #expect(pushes.map { $0["registration"]?.intValue } == [1, 2])
        #expect(pushes.first?["body"]?["aps"]?["alert"]?["title"] == "Hello Ada")
        #expect(pushes.last?["body"]?["message"]?["notification"]?["title"] == "Hallo Konrad")

        let again = await harness.run(["run", "--once"] + due)
        #expect(again.output == "")
        #expect(again.errors == "3 campaigns\nNothing is due.\n")
        #expect(try harness.read("outbox/pushes.jsonl").split(separator: "\n").count == 2)
    }

    @Test func `the runs as JSON are one object a line, as in the history`() async throws {
        let harness = try await project()
        let result = await harness.run(["run", "--once", "--format", "json", "--quiet"] + due)
        #expect(result.errors == "")
        let run = try JSON(parsing: result.output)
        #expect(run["counts"] == ["sent": 2, "failed": 0, "tokens_removed": 0, "skipped": 1, "uncertain": 0])
        let history = try JSON(parsing: await harness.run("history", "--format", "json").output)
        #expect(history == [run])
    }

    @Test func `failed deliveries give exit code 1 and the reason`() async throws {
        let harness = try await project()
        try harness.write("carillon.yaml", "apps: {consumer: {log: {path: outbox/consumer.jsonl}}}\n")
        let result = await harness.run(["run", "--once"] + due)
        #expect(result.exitCode == .findings)
        #expect(
            result.output == "run 1 · weekly-digest · 2026-12-07T08:00:00Z: failed, 0 sent, 3 failed; "
                + "2 no_provider (no provider serves Android for the default app), "
                + "1 no_provider (no provider serves iOS for the default app)\n")
    }

    @Test func `a store in which nothing can be claimed gives exit code 3, and nothing is said to be due or not`()
        async throws
    {
        let harness = try await project()
        // Where the locks of the runs would be kept.
        try harness.write("carillon.sqlite-runs/in-the-way", "")
        let result = await harness.run(["run", "--once"] + due)
        #expect(result.exitCode == .unreachable)
        #expect(result.errors.hasPrefix("3 campaigns\nerror: The store failed: Cannot claim a run"), "\(result.errors)")
        #expect(!result.errors.contains("Nothing is due."))
        #expect(!harness.exists("outbox"))
    }

    @Test func `a broken file is told, keeps the others running, and is a finding`() async throws {
        let harness = try await project()
        try harness.write("campaigns/broken.yaml", "campaign: broken\n")
        let result = await harness.run(["run", "--once"] + due)
        #expect(result.exitCode == .findings)
        #expect(result.errors.contains("broken.yaml:1:1: error:"))
        #expect(result.output.contains("weekly-digest"))
    }

    @Test(arguments: ["text", "json"])
    func `a dry run tells what would be sent and records nothing`(_ format: String) async throws {
        let harness = try await project()
        let result = await harness.run(
            ["run", "--dry-run", "--until", "2026-12-25", "--format", format] + due)
        #expect(result.exitCode == .success)
        #expect(result.output == (try Snapshot.expected("Commands/run-dry-run.\(format)", for: result.output)))
        #expect(!harness.exists("outbox"))
        #expect(await harness.run("history", "--format", "json").output == "[]\n")
        #expect(await harness.run(["run", "--once"] + due).output.contains("2 sent"))
    }

    @Test func `a broken file is a finding of a dry run, which tells the others`() async throws {
        let harness = try await project()
        try harness.write("campaigns/broken.yaml", "campaign: broken\n")
        let result = await harness.run(["run", "--dry-run"] + due)
        #expect(result.exitCode == .findings)
        #expect(result.errors.contains("broken.yaml:1:1: error:"))
        #expect(result.output.contains("2 of 3 devices would get it"))
    }

    @Test func `devices that would fail are a finding of a dry run`() async throws {
        let harness = try await project()
        try harness.write("carillon.yaml", "apps: {consumer: {log: {path: outbox/consumer.jsonl}}}\n")
        let result = await harness.run(["run", "--dry-run"] + due)
        #expect(result.exitCode == .findings)
        #expect(result.output.contains("0 of 3 devices would get it"))
    }

    @Test func `a dry run makes no store`() async throws {
        let harness = try CommandHarness()
        try harness.writeSampleProject()
        let result = await harness.run(["run", "--dry-run"] + due)
        #expect(result.output.contains("0 of 0 devices would get it"))
        #expect(!harness.exists("carillon.sqlite"))
    }

    @Test func `the loop ends when everything up to an instant was dealt with`() async throws {
        let harness = try await project()
        let result = await harness.run("run", "--until", "2026-12-07T08:00:00Z")
        #expect(result.exitCode == .success)
        #expect(result.errors == "3 campaigns\n")
    }

    @Test func `a terminal sees how far a run has come, and the line is gone at the end`() async throws {
        let harness = try await project()
        harness.isTerminal = true
        let result = await harness.run(["run", "--once", "--color", "never"] + due)
        #expect(result.errors.contains("\r\u{1B}[Kweekly-digest · 2 sent · 100% of 3"))
        #expect(result.errors.hasSuffix("\r\u{1B}[K"))
        harness.isTerminal = false
        #expect(!result.output.contains("\u{1B}"))
    }

    @Test(arguments: [
        (["--once", "--until", "2026-12-08"], "--once and --until exclude each other"),
        (["--now", "2026-12-08"], "--now goes with --once or --dry-run"),
    ])
    func `options that make no sense together are usage errors`(_ options: [String], _ message: String) async throws {
        let result = try await project().run(["run"] + options)
        #expect(result.exitCode == .usage)
        #expect(result.errors.hasPrefix("error: \(message)\n"))
    }

    @Test func `a folder of campaigns that is not there is a usage error`() async throws {
        let result = try await CommandHarness().run(["run", "--once"] + due)
        #expect(result.exitCode == .usage)
        #expect(
            result.errors
                == "error: The campaign directory FOLDER/campaigns cannot be read: there is no such folder.\n"
                + "--campaigns names another; 'carillon init' writes a first project.\n")
    }
}
