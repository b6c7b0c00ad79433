import JSON
import TestSupport
import Testing

@testable import Commands

struct PreviewVerbTests {
    private func project(withDevices: Bool = true) async throws -> CommandHarness {
        let harness = try CommandHarness()
        try harness.writeSampleProject()
        if withDevices { try await harness.importSampleDevices() }
        return harness
    }

    @Test(arguments: [
        (["preview", "weekly-digest"], "preview.txt"),
        (["preview", "weekly-digest", "--format", "json"], "preview.json"),
        (
            [
                "preview", "weekly-digest", "--platform", "Android", "--locale", "de-CH", "--data", "name=Heidi",
                "--tag", "digest",
            ], "preview-made-up.txt"
        ),
    ])
    func `previews are as reviewed`(_ words: [String], _ name: String) async throws {
        let result = try await project().run(words)
        #expect(result.exitCode == .success)
        let shown = result.output + result.errors
        #expect(shown == (try Snapshot.expected("Commands/\(name)", for: shown)))
    }

    @Test func `without a store the devices are made up, one a platform, and no store is made`() async throws {
        let harness = try await project(withDevices: false)
        let result = await harness.run("preview", "weekly-digest", "--format", "json")
        let devices = try JSON(parsing: result.output)["devices"]?.arrayValue ?? []
        #expect(devices.map { $0["device"]?["platform"]?.stringValue } == ["iOS", "Android"])
        #expect(devices.allSatisfy { $0["device"]?["id"] == .null && $0["status"] == "would_send" })
        #expect(!harness.exists("carillon.sqlite") && !harness.exists("outbox"))
    }

    @Test(arguments: [
        (["--device", "2"], [2]), (["--device", "android-3", "--device", "1"], [4, 1]), (["--limit", "1"], [1]),
    ])
    func `real devices are chosen by id, token or number`(_ options: [String], _ ids: [Int64]) async throws {
        let result = try await project().run(["preview", "weekly-digest", "--format", "json"] + options)
        let answer = try JSON(parsing: result.output)
        #expect(answer["devices"]?.arrayValue?.map { $0["device"]?["id"]?.intValue } == ids)
        #expect(answer["audience"] == 3)
    }

    @Test(arguments: [
        (["--at", "2026-12-21T09:00:00+01:00"], "2026-12-21T09:00:00+01:00", ""),
        (
            ["--at", "2026-12-20T08:00:00Z"], "2026-12-20T09:00:00+01:00",
            "warning: weekly-digest does not fire at 2026-12-20T09:00:00+01:00.\n"
        ),
        (["--now", "2026-12-07T08:00:00Z"], "2026-12-14T09:00:00+01:00", ""),
    ])
    func `the occurrence can be chosen`(_ options: [String], _ occurrence: String, _ warning: String) async throws {
        let result = try await project().run(["preview", "weekly-digest", "--format", "json"] + options)
        #expect(try JSON(parsing: result.output)["occurrence"]?.stringValue == occurrence)
        #expect(result.errors == warning)
    }

    @Test func `a campaign that is over is previewed as of now`() async throws {
        let result = try await project().run("preview", "launch-day", "--now", "2027-01-01T00:00:00Z")
        #expect(result.exitCode == .success)
        #expect(
            result.errors == "warning: launch-day will not fire any more; this is what it would send now.\n")
    }

    @Test func `a device outside of the audience is previewed with a warning`() async throws {
        let result = try await project().run("preview", "weekly-digest", "--device", "4", "--device", "1")
        #expect(result.exitCode == .success)
        #expect(result.errors == "warning: Device 4 is not in the audience; this is what it would get.\n")
    }

    @Test func `a campaign that is not found may be the one whose file cannot be read`() async throws {
        let harness = try await project()
        try harness.write("campaigns/sale.yaml", "campaign: sale\nnotification: {title: {{ x }}}\n")
        let result = await harness.run("preview", "sale")
        #expect(result.exitCode == .usage)
        #expect(result.errors.hasPrefix("FOLDER/campaigns/sale.yaml:2:"), "\(result.errors)")
        #expect(result.errors.hasSuffix("error: There is no campaign 'sale' in FOLDER/campaigns.\n"))
    }

    @Test func `a campaign that is not enabled is previewed and says so`() async throws {
        let result = try await project().run("preview", "ping", "--limit", "1")
        #expect(result.output.contains("not enabled: it will not fire\n"))
    }

    @Test(arguments: [
        (["preview"], "CAMPAIGN is missing"),
        (["preview", "weekly-digest", "--device", "99"], "No device with the id or token '99' is registered."),
        (["preview", "weekly-digest", "--device", "1", "--platform", "iOS"], "--device goes with none of the options"),
        (["preview", "digest"], "There is no campaign 'digest'"),
    ])
    func `what cannot be previewed says why, with exit code 2`(_ words: [String], _ message: String) async throws {
        let result = try await project().run(words)
        #expect(result.exitCode == .usage)
        #expect(result.errors.hasPrefix("error: \(message)"), "\(result.errors)")
    }

    @Test func `a preview needs no secret, and shows each app's own provider`() async throws {
        let harness = try await project(withDevices: false)
        try harness.write(
            "carillon.yaml",
            """
            apps:
              default:
                apns: {key: {env: NO_SUCH_KEY}, key_id: ABC123DEFG, team_id: DEF123GHIJ, bundle_id: com.example.real}
                fcm: {service_account: {file: none.json}, project_id: real-project}

            """)
        let result = await harness.run("preview", "weekly-digest", "--format", "json")
        #expect(result.exitCode == .success)
        let devices = try JSON(parsing: result.output)["devices"]?.arrayValue ?? []
        #expect(devices.map { $0["provider"]?.stringValue } == ["apns", "fcm"])
        #expect(devices.first?["request"]?["headers"]?["apns-topic"] == "com.example.real")
        #expect(devices.last?["request"]?["path"] == "/v1/projects/real-project/messages:send")
    }

    @Test func `the starter project previews at once`() async throws {
        let harness = try CommandHarness()
        _ = await harness.run("init")
        let result = await harness.run("preview", "welcome", "--locale", "de", "--data", "first_name=Ada")
        #expect(result.exitCode == .success)
        #expect(result.output.contains("Guten Morgen, Ada"))
    }
}
