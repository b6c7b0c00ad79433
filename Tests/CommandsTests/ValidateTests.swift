import TestSupport
import Testing

@testable import Commands

struct ValidateTests {
    private func brokenProject() throws -> CommandHarness {
        let harness = try CommandHarness()
        try harness.writeSampleProject()
        try harness.write(
            "campaigns/broken.yaml",
            """
            campaign: broken
            shedule: {cron: "0 9 * * MON"}
            filter: {platforms: [iPhone]}
            notification: {title: "{% if x %}"}

            """)
        return harness
    }

    @Test func `files without problems give one line and exit code 0`() async throws {
        let harness = try CommandHarness()
        try harness.writeSampleProject()
        let result = await harness.run("validate")
        #expect(result.exitCode == .success)
        #expect(result.output == "3 files, 3 campaigns: no problems\n")
        #expect(result.errors == "")
    }

    @Test(arguments: ["text", "json"])
    func `every problem is shown in one pass, with exit code 2`(_ format: String) async throws {
        let result = try await brokenProject().run("validate", "--format", format)
        #expect(result.exitCode == .usage)
        let shown = result.output + result.errors
        #expect(shown == (try Snapshot.expected("Commands/validate.\(format)", for: shown)))
        #expect(result.errors.isEmpty == (format == "json"))
    }

    @Test func `one file or one folder is checked by itself`() async throws {
        let harness = try brokenProject()
        let good = await harness.run("validate", "campaigns/weekly-digest.yaml", "campaigns/launch")
        #expect(good.output == "2 files, 2 campaigns: no problems\n")
        #expect(await harness.run("validate", "campaigns/broken.yaml").exitCode == .usage)
        let missing = await harness.run("validate", "campaigns/none.yaml")
        #expect(missing.exitCode == .usage)
        #expect(missing.errors == "error: There is no campaigns/none.yaml.\n")
    }

    @Test func `the configuration is checked too`() async throws {
        let harness = try CommandHarness()
        try harness.writeSampleProject()
        try harness.write("carillon.yaml", "stroe: sqlite:x\n")
        let result = await harness.run("validate")
        #expect(result.exitCode == .usage)
        #expect(result.errors.hasPrefix("FOLDER/carillon.yaml:1:1: error: "))
        #expect(result.errors.contains("did you mean \"store\"?"))
    }

    @Test func `a folder that is not there is an error, not an empty project`() async throws {
        let result = try await CommandHarness().run("validate")
        #expect(result.exitCode == .usage)
        #expect(
            result.errors == "error: The campaign directory FOLDER/campaigns cannot be read: there is no such folder.\n"
                + "--campaigns names another; 'carillon init' writes a first project.\n")
    }

    @Test func `a configuration that was named must be there`() async throws {
        let harness = try CommandHarness()
        try harness.writeSampleProject()
        let result = await harness.run("validate", "--config", "other.yaml")
        #expect(result.exitCode == .usage)
        #expect(result.errors.contains("other.yaml:1:1: error: the file cannot be read"))
    }

    @Test func `warnings are findings only where that is asked for`() async throws {
        let harness = try CommandHarness()
        try harness.write(
            "campaigns/month-end.yaml",
            """
            schedule: {cron: "0 9 31 * *"}
            filter: everyone
            notification: {title: Rent is due}

            """)
        let result = await harness.run("validate")
        #expect(result.exitCode == .success)
        #expect(result.output == "1 file, 1 campaign: 1 warning\n")
        #expect(await harness.run("validate", "--strict").exitCode == .findings)
    }

    @Test func `the starter project validates`() async throws {
        let harness = try CommandHarness()
        _ = await harness.run("init")
        let result = await harness.run("validate", "--strict")
        #expect(result.output == "2 files, 1 campaign: no problems\n")
        #expect(result.exitCode == .success)
    }

    @Test(arguments: [
        (["schema"], "campaign"), (["schema", "campaign"], "campaign"), (["schema", "config"], "config"),
    ])
    func `schemas are those of the repository`(_ words: [String], _ name: String) async throws {
        let result = try await CommandHarness().run(words)
        let file = try ChildProcess.run("/bin/cat", [Repository.path("schemas/\(name).schema.json")])
        #expect(result.output == file.standardOutput)
    }
}
