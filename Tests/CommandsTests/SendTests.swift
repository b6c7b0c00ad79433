import JSON
import Testing

@testable import Commands

struct SendTests {
    private func project() async throws -> CommandHarness {
        let harness = try CommandHarness()
        try await harness.importSampleDevices()
        return harness
    }

    private func lines(_ text: String) throws -> [JSON] {
        try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
    }

    @Test func `a notification goes to the devices that the options select`() async throws {
        let harness = try await project()
        let result = await harness.run(
            "send", "--title", "Back at 9", "--message", "Sorry", "--tag", "beta", "--data", "kind=status",
            "--collapse-id", "outage", "--time-to-live", "1h", "--priority", "normal", "--deep-link", "app://status")
        #expect(result.exitCode == .success)
        #expect(result.output == "2 sent\n")
        #expect(result.errors.hasPrefix("Batch "))
        let pushes = try lines(try harness.read("outbox/pushes.jsonl"))
        #expect(pushes.map { $0["registration"]?.intValue } == [2, 4])
        let message = pushes.first?["body"]?["message"]
        #expect(message?["token"] == "android-1")
        #expect(message?["data"]?["kind"] == "status")
    }

    @Test func `a dry run counts and sends nothing`() async throws {
        let harness = try await project()
        let text = await harness.run("send", "--message", "x", "--everyone", "--dry-run")
        #expect(text.output == "4 devices would get it\n")
        let json = await harness.run("send", "--message", "x", "--platform", "iOS", "--dry-run", "--format", "json")
        #expect(try JSON(parsing: json.output)["would_send"] == 1)
        #expect(!harness.exists("outbox"))
    }

    @Test func `tokens that nobody registered are failures with their reason`() async throws {
        let harness = try await project()
        let result = await harness.run("send", "--title", "x", "--token", "android-1", "--token", "unknown")
        #expect(result.exitCode == .findings)
        #expect(result.output == "1 sent, 1 failed\n  1 × not_registered: no registration has this token\n")
    }

    @Test func `the result as JSON has the batch, the counts and the failures`() async throws {
        let harness = try await project()
        try harness.write("carillon.yaml", "apps: {consumer: {log: {path: outbox/consumer.jsonl}}}\n")
        let result = await harness.run("send", "--title", "x", "--user", "ada", "--format", "json")
        #expect(result.exitCode == .findings)
        let answer = try JSON(parsing: result.output)
        #expect(answer["counts"] == ["sent": 0, "failed": 1, "tokens_removed": 0, "skipped": 0, "uncertain": 0])
        #expect(answer["failures"]?.arrayValue?.first?["status"] == "no_provider")
        #expect(answer["batch_id"]?.stringValue?.count == 36)
        #expect(answer["stopped_because"] == .null)
    }

    @Test func `a silent push has neither title nor message`() async throws {
        let harness = try await project()
        #expect(await harness.run("send", "--silent", "--data", "sync=inbox", "--user", "ada").exitCode == .success)
        let push = try lines(try harness.read("outbox/pushes.jsonl")).first
        #expect(push?["body"]?["aps"] == ["content-available": 1])
        #expect(push?["headers"]?["apns-push-type"] == "background")
    }

    @Test(arguments: [
        (["--title", "x"], "say who gets it: with a filter option such as --tag, or with --everyone"),
        (["--title", "x", "--everyone", "--tag", "a"], "--everyone goes with no filter option"),
        (["--everyone"], "--title or --message is missing (or --silent)"),
        (
            ["--silent", "--title", "x", "--everyone"],
            "--silent shows nothing, so it goes with neither --title nor --message nor --sound"
        ),
        (["--title", "x", "--everyone", "--now", "2026-12-07"], "--now is for verbs that send nothing"),
        (["--title", "x", "--everyone", "--time-to-live", "soon"], "--time-to-live cannot be 'soon':"),
    ])
    func `what is not said clearly is not sent`(_ words: [String], _ message: String) async throws {
        let result = try await project().run(["send"] + words)
        #expect(result.exitCode == .usage)
        #expect(result.errors.hasPrefix("error: \(message)"), "\(result.errors)")
    }

    @Test(arguments: [
        (["--message", "Hello {{ device.user }}"], "--message has '{{', and send renders no templates"),
        (["--title", "{% if x %}a{% endif %}", "--message", "x"], "--title has '{%', and send renders no templates"),
    ])
    func `a template is not sent as it stands unless that is asked for`(
        _ words: [String], _ message: String
    ) async throws {
        let harness = try await project()
        let send = ["send", "--everyone"] + words
        for words in [send, send + ["--dry-run"]] {
            let refused = await harness.run(words)
            #expect(refused.exitCode == .usage)
            #expect(refused.errors.hasPrefix("error: \(message)"), "\(refused.errors)")
        }
        #expect(!harness.exists("outbox"))
        let sent = await harness.run(send + ["--literal"])
        #expect(sent.exitCode == .success)
        #expect(sent.output == "4 sent\n")
        #expect(try harness.read("outbox/pushes.jsonl").contains(words[1]))
    }

    @Test func `a secret that cannot be read names the app, and only sending needs it`() async throws {
        let harness = try await project()
        try harness.write(
            "carillon.yaml",
            """
            apps:
              default:
                apns: {key: {file: none.p8}, key_id: ABC123DEFG, team_id: DEF123GHIJ, bundle_id: com.example.app}

            """)
        let words = ["send", "--title", "x", "--user", "ada"]
        let result = await harness.run(words)
        #expect(result.exitCode == .usage)
        #expect(
            result.errors == """
                error: The app default cannot be served: the file FOLDER/none.p8 cannot be read: no such file or directory

                """)
        #expect(await harness.run(words + ["--dry-run"]).output == "1 device would get it\n")
    }
}
