import TestSupport
import Testing

@testable import Commands

struct InitTests {
    @Test func `init writes its files and lists them`() async throws {
        let harness = try CommandHarness()
        let result = await harness.run("init", "pushes")
        #expect(result.exitCode == .success)
        #expect(result.output == "carillon.yaml\ncampaigns/welcome.yaml\ndevices.jsonl\n.gitignore\n")
        for file in StarterProject.files { #expect(try harness.read("pushes/" + file.path) == file.text) }
    }

    @Test func `init never overwrites, and then writes nothing at all`() async throws {
        let harness = try CommandHarness()
        try harness.write("carillon.yaml", "mine")
        let result = await harness.run("init")
        #expect(result.exitCode == .usage)
        #expect(result.errors == "error: . holds carillon.yaml already; nothing was written.\n")
        #expect(try harness.read("carillon.yaml") == "mine")
        #expect(!harness.exists("campaigns"))
    }

    @Test func `init leaves a .gitignore as it is`() async throws {
        let harness = try CommandHarness()
        try harness.write(".gitignore", "mine")
        #expect(await harness.run("init").exitCode == .success)
        #expect(try harness.read(".gitignore") == "mine")
        #expect(harness.exists("carillon.yaml"))
    }

    @Test func `init says when it cannot write`() async throws {
        let harness = try CommandHarness()
        try harness.write("file", "no folder")
        let result = await harness.run("init", "file")
        #expect(result.exitCode == .unreachable)
        #expect(result.errors == "error: FOLDER/file/carillon.yaml cannot be written: file exists.\n")
    }
}
