import JSON
import TestSupport
import Testing

@testable import Commands

struct NextTests {
    private func project() throws -> CommandHarness {
        let harness = try CommandHarness()
        try harness.writeSampleProject()
        return harness
    }

    @Test(arguments: [
        (["next"], "next.txt"), (["next", "--format", "json"], "next.json"),
        (["next", "--per-campaign", "-n", "2"], "next-per-campaign.txt"),
        (["next", "weekly-digest", "--until", "2027-01-01"], "next-until.txt"),
        (["next", "ping", "--count", "2", "--now", "2026-10-25T00:58:30Z"], "next-now.txt"),
    ])
    func `upcoming occurrences are as reviewed`(_ words: [String], _ name: String) async throws {
        let result = try await project().run(words)
        #expect(result.exitCode == .success)
        let shown = result.output + result.errors
        #expect(shown == (try Snapshot.expected("Commands/\(name)", for: shown)))
    }

    @Test func `nothing to come is said, or is an empty list`() async throws {
        let harness = try project()
        let words = ["next", "launch-day", "--now", "2027-01-01"]
        #expect(await harness.run(words).errors == "Nothing is to come.\n")
        #expect(await harness.run(words + ["--format", "json"]).output == "[]\n")
    }

    @Test func `an unknown campaign is a usage error with a suggestion`() async throws {
        let result = try await project().run("next", "weekly-digset")
        #expect(result.exitCode == .usage)
        #expect(
            result.errors
                == "error: There is no campaign 'weekly-digset' in FOLDER/campaigns; did you mean 'weekly-digest'?\n")
    }

    @Test func `broken files are shown, and the others are listed all the same`() async throws {
        let harness = try project()
        try harness.write("campaigns/broken.yaml", "campaign: broken\n")
        let result = await harness.run("next")
        #expect(result.errors.contains("broken.yaml:1:1: error:"))
        #expect(result.output.contains("weekly-digest"))
        #expect(result.exitCode == .usage)
        for form in [["--format", "json"], ["--explain"], ["--month", "2026-12"], ["--ics"]] {
            let other = await harness.run(["next"] + form)
            #expect(other.exitCode == .usage && !other.output.isEmpty, "\(form)")
        }
        #expect(await harness.run("next", "weekly-digest").exitCode == .success)
        #expect(await harness.run("next", "broken").exitCode == .usage)
    }

    private func answers(_ lines: [String]) async throws -> [String] {
        let result = try await CommandHarness().run(
            ["next", "--jsonl"], input: TextInput(lines.joined(separator: "\n")))
        #expect(result.exitCode == .success)
        #expect(result.errors == "")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [
        (
            #"{"schedule":{"cron":"0 9 * * MON","timezone":"Europe/Berlin"},"after":"2026-12-01T00:00:00Z","count":2}"#,
            #"{"occurrences":["2026-12-07T09:00:00+01:00","2026-12-14T09:00:00+01:00"]}"#
        ),
        (
            #"{"schedule":{"cron":"30 2 * * *","timezone":"Europe/Berlin"},"after":"2026-03-28T12:00:00+01:00"}"#,
            #"{"occurrences":["2026-03-29T03:00:00+02:00"]}"#
        ),
        (
            #"{"schedule":[{"every":"6h"},{"at":"2026-12-01 10:00","timezone":"Asia/Tokyo"}],"after":"2026-12-01T00:00:00Z","count":2}"#,
            #"{"occurrences":["2026-12-01T10:00:00+09:00","2026-12-01T06:00:00Z"]}"#
        ),
        (#"{"schedule":{"at":"2020-01-01 00:00"},"after":"2026-12-01T00:00:00Z","count":9}"#, #"{"occurrences":[]}"#),
        (#"{"schedule":{"every":"1h"},"after":"2026-12-01T00:00:00Z","count":0}"#, #"{"occurrences":[]}"#),
        (#"{"after":"2026-12-01T00:00:00Z"}"#, #"{"error":"'schedule' is missing"}"#),
        (#"{"schedule":{"every":"1h"}}"#, #"{"error":"'after' is missing"}"#),
        (
            #"{"schedule":{"every":"1h"},"after":"2026-12-01T00:00:00Z","count":-1}"#,
            #"{"error":"'count' must be a whole number from 0 to 100000"}"#
        ),
        (
            #"{"schedule":{"every":"1h"},"after":"2026-12-01T00:00:00Z","cuont":1}"#,
            #"{"error":"'cuont' is not known; a request has schedule, after, count, campaign"}"#
        ),
        ("[]", #"{"error":"a request must be a JSON object"}"#),
    ])
    func `one line of JSON is answered by one`(_ line: String, _ answer: String) async throws {
        #expect(try await answers([line]) == [answer])
    }

    @Test func `answers come in the order of the questions, and a bad line does not stop them`() async throws {
        let good = #"{"schedule":{"every":"1h"},"after":"2026-12-01T00:00:00Z"}"#
        let bad = #"{"schedule":{"cron":"0 9 * * MNO","timezone":"Europe/Berln"},"after":"2026-12-01T00:00:00Z"}"#
        let read = try await answers([good, "{", bad, "", good])
        #expect(read.count == 4)
        #expect(read[0] == read[3])
        #expect(read[1].hasPrefix(#"{"error":"not JSON"#))
        #expect(read[2].contains("MNO") && read[2].contains("Europe/Berlin"))
    }

    @Test func `every answer is handed over before the next question is read`() async throws {
        let output = CollectedOutput()
        let line = #"{"schedule":{"every":"1h"},"after":"2026-12-01T00:00:00Z"}"# + "\n"
        let environment = CommandEnvironment(
            arguments: ["next", "--jsonl"], input: TextInput(String(repeating: line, count: 3)), output: output,
            errors: CollectedOutput(), workingDirectory: "/")
        #expect(await Carillon.run(environment) == .success)
        #expect(output.flushCount == 4)
    }

    @Test(arguments: [
        (Int64(-5), "now"), (0, "now"), (45, "in 45s"), (61, "in 1m 1s"), (720, "in 12m"), (12_000, "in 3h 20m"),
        (7_200, "in 2h"), (442_800, "in 5d 3h"),
    ])
    func `a wait is told in two units at the most`(_ seconds: Int64, _ text: String) {
        #expect(relative(seconds) == text)
    }
}
