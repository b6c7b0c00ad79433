import Foundation
import TestSupport
import Testing

@testable import Commands

struct DevicesTests {
    private let lines = """
        {"token":"aaaaaaaaaaaaaaaaaaaaaaaa","platform":"iOS","user":"ada","tags":["beta","digest"],"locale":"en-GB"}
        {"token":"b","platform":"Android","app_id":"consumer","topics":["news"],"data":{"name":"Bob"}}
        {"token":"c","platform":"web","locale":"de-AT","tags":["beta"]}

        """

    private func harness(importing lines: String) async throws -> CommandHarness {
        let harness = try CommandHarness()
        try harness.write("devices.jsonl", lines)
        #expect(await harness.run("devices", "import", "devices.jsonl", "--quiet").exitCode == .success)
        return harness
    }

    @Test func `an import tells what was new and what was renewed`() async throws {
        let harness = try await harness(importing: lines)
        let again = await harness.run("devices", "import", "-", "--as", "jsonl", input: lines)
        #expect(again.output == "3 devices imported (0 new, 3 renewed)\n")
        #expect(again.exitCode == .success)
        #expect(await harness.run("devices", "count").output == "3\n")
    }

    @Test func `lines that are no device are told with their numbers, and the others are saved`() async throws {
        let harness = try CommandHarness()
        try harness.write(
            "devices.jsonl",
            """
            {"token":"a","platform":"iOS"}
            not JSON
            {"token":"b"}
            {"token":"c","platform":"iOS"}
            """)
        let result = await harness.run("devices", "import", "devices.jsonl")
        #expect(result.exitCode == .findings)
        #expect(result.output == "2 devices imported (2 new, 0 renewed), 2 lines refused\n")
        #expect(
            result.errors.split(separator: "\n").map { $0.prefix(40) } == [
                "error: devices.jsonl:2: column 1: a valu", "error: devices.jsonl:3: 'platform' is mi",
            ])
    }

    @Test func `only the first bad lines are shown, the rest is counted`() async throws {
        let harness = try CommandHarness()
        let result = await harness.run(
            "devices", "import", "-", "--as", "jsonl", "--format", "json",
            input: String(repeating: "{}\n", count: 30) + #"{"token":"a","platform":"iOS"}"#)
        #expect(result.errors.split(separator: "\n").count == 21)
        #expect(result.errors.hasSuffix("error: 10 more lines are no device\n"))
        #expect(
            result.output == """
                {
                  "accepted": 1,
                  "refused": 30,
                  "new": 1,
                  "renewed": 0
                }

                """)
    }

    @Test func `devices in unknown time zones are imported with a warning`() async throws {
        let zones = ["Europe/Berlin", "Mars/Base", "UTC", "Mars/Camp", "US/Pacific"]
        let lines = zones.map { #"{"token":"\#($0)","platform":"iOS","timezone":"\#($0)"}"# }
        let harness = try CommandHarness()
        try harness.write("devices.jsonl", lines.joined(separator: "\n"))
        let result = await harness.run("devices", "import", "devices.jsonl")
        #expect(result.exitCode == .success)
        #expect(result.output == "5 devices imported (5 new, 0 renewed)\n")
        #expect(
            result.errors == "warning: 2 devices have a time zone that is not known here, the first at "
                + "devices.jsonl:2: 'Mars/Base'\n")
    }

    @Test func `a dry run saves nothing`() async throws {
        let harness = try CommandHarness()
        let result = await harness.run("devices", "import", "-", "--as", "jsonl", "--dry-run", input: lines)
        #expect(result.output == "3 devices would be imported\n")
        #expect(!harness.exists("carillon.sqlite"))
    }

    @Test(arguments: [
        ("\n {\"token\":\"a\",\"platform\":\"iOS\"}", "1 device imported (1 new, 0 renewed)\n"),
        ("\u{FEFF}{\"token\":\"a\",\"platform\":\"iOS\"}", "1 device imported (1 new, 0 renewed)\n"),
        ("platform,token\niOS,a\niOS,b\n", "2 devices imported (2 new, 0 renewed)\n"),
    ])
    func `where the name does not tell the format, the beginning does`(_ text: String, _ output: String) async throws {
        let harness = try CommandHarness()
        let words = ["devices", "import", "-"]
        #expect(await harness.run(words, input: TextInput(text, pieceSize: 7)).output == output)
    }

    @Test func `a CSV file is imported by its name`() async throws {
        let harness = try CommandHarness()
        try harness.write("devices.csv", "token,platform,tags\r\na,iOS,beta;digest\r\nb,Android,\r\n")
        #expect(
            await harness.run("devices", "import", "devices.csv").output == "2 devices imported (2 new, 0 renewed)\n")
        #expect(await harness.run("devices", "count", "--tag", "digest").output == "1\n")
    }

    @Test(arguments: [
        (["devices", "import", "none.jsonl"], "error: none.jsonl cannot be read: no such file or directory\n"),
        (["devices", "import", "devices.csv"], "error: devices.csv:1: 'tokne' is not known; did you mean 'token'?\n"),
        (
            ["devices", "import", "-"],
            "error: standard input:1: the first line must name the columns, and 'token' is not among them\n"
        ),
    ])
    func `an import that cannot begin says why`(_ words: [String], _ message: String) async throws {
        let harness = try CommandHarness()
        try harness.write("devices.csv", "tokne,platform\na,iOS\n")
        let result = await harness.run(words)
        #expect(result.exitCode == .usage)
        #expect(result.errors == message)
    }

    @Test func `the sample devices are imported whole`() async throws {
        let harness = try CommandHarness()
        let sample = try ChildProcess.python("scripts/sample-devices", ["1000"])
        let result = await harness.run(
            ["devices", "import", "-", "--as", "jsonl"], input: TextInput(sample, pieceSize: 777))
        #expect(result.output == "1,000 devices imported (1,000 new, 0 renewed)\n")
        #expect(await harness.run("devices", "count", "--format", "json").output == "{\"count\": 1000}\n")
    }

    @Test(arguments: [
        ([], 3), (["--platform", "ios"], 1), (["--platform", "iOS", "--platform", "Android"], 2),
        (["--tag", "beta"], 2), (["--tag", "beta", "--tag", "digest", "--tag-match", "all"], 1),
        (["--exclude-tag", "digest"], 2), (["--app", "consumer"], 1), (["--default-app"], 2), (["--user", "ada"], 1),
        (["--token", "b"], 1), (["--topic", "news"], 1), (["--locale", "de"], 1), (["--environment", "sandbox"], 0),
        (["--tag", "none"], 0), (["--token-kind", "live_activity_start"], 0),
    ])
    func `every filter option narrows the audience down`(_ options: [String], _ count: Int) async throws {
        let harness = try await harness(importing: lines)
        let result = await harness.run(["devices", "count", "--format", "json"] + options)
        #expect(result.output == "{\"count\": \(count)}\n")
    }

    @Test(arguments: [
        (["--default-app", "--app", "x"], "--app and --default-app exclude each other"),
        (["--tag-match", "all"], "--tag-match needs --tag"),
        (["--platform", "palm"], "--platform cannot be 'palm': expected iOS, MacOS, Android, Windows or WebBrowser"),
    ])
    func `filter options that make no sense are usage errors`(_ options: [String], _ message: String) async throws {
        let result = try await CommandHarness().run(["devices", "count"] + options)
        #expect(result.exitCode == .usage)
        #expect(result.errors.hasPrefix("error: \(message)\n"))
    }

    @Test(arguments: ["text", "json"])
    func `the list of devices is as reviewed`(_ format: String) async throws {
        let harness = try await harness(importing: lines)
        let result = await harness.run("devices", "list", "--format", format)
        #expect(result.output == (try Snapshot.expected("Commands/devices-list.\(format)", for: result.output)))
        #expect(result.errors == "")
    }

    @Test func `a list is cut at its limit and says how to go on`() async throws {
        let harness = try await harness(importing: lines)
        let first = await harness.run("devices", "list", "--limit", "2", "--format", "json")
        #expect(first.errors == "The first 2 devices; --after 2 shows the next.\n")
        let rest = await harness.run("devices", "list", "--limit", "2", "--after", "2", "--format", "json")
        #expect(rest.errors == "")
        #expect(rest.output.contains(#""token": "c""#))
        #expect(await harness.run("devices", "list", "--limit", "0").output.split(separator: "\n").count == 4)
        #expect(await harness.run("devices", "list", "--tag", "none").errors == "No devices.\n")
        #expect(await harness.run("devices", "list", "--tag", "none", "--format", "json").output == "[]\n")
    }

    @Test(arguments: ["jsonl", "csv"])
    func `what is exported imports into another store as the same devices`(_ format: String) async throws {
        let harness = try await harness(importing: lines)
        let exported = await harness.run("devices", "export", "--as", format)
        #expect(exported.exitCode == .success)
        let store = ["--store", "sqlite:other.sqlite"]
        let imported = await harness.run(
            ["devices", "import", "-", "--as", format] + store, input: TextInput(exported.output))
        #expect(imported.output == "3 devices imported (3 new, 0 renewed)\n")
        #expect(await harness.run(["devices", "export", "--as", format] + store).output == exported.output)
    }

    @Test func `an export can be filtered`() async throws {
        let harness = try await harness(importing: lines)
        let result = await harness.run("devices", "export", "--user", "ada")
        #expect(
            result.output == """
                {"token":"aaaaaaaaaaaaaaaaaaaaaaaa","platform":"iOS","environment":"production","user":"ada",\
                "tags":["beta","digest"],"topics":[],"locale":"en-GB","registered_at":"2026-12-07T08:30:00Z"}

                """)
    }

    @Test func `one device is added with everything that it has`() async throws {
        let harness = try CommandHarness()
        let result = await harness.run(
            "devices", "add", "token-1", "--platform", "iOS", "--environment", "sandbox", "--app", "consumer", "--user",
            "ada", "--device-id", "phone", "--tag", "a", "--tag", "b", "--topic", "news", "--locale", "de",
            "--timezone", "Europe/Berlin", "--app-version", "2.1", "--data", "first_name=Ada", "--data", "x=1=2",
            "--data", "streak=9")
        #expect(result.output == "1 device registered\n")
        #expect(
            await harness.run("devices", "export").output == """
                {"token":"token-1","platform":"iOS","environment":"sandbox","app_id":"consumer","user":"ada",\
                "device_id":"phone","tags":["a","b"],"topics":["news"],"locale":"de","timezone":"Europe/Berlin",\
                "app_version":"2.1","data":{"first_name":"Ada","streak":9,"x":"1=2"},"registered_at":"2026-12-07T08:30:00Z"}

                """)
    }

    @Test(arguments: [
        (["add", "t"], "--platform is missing"), (["add", "", "--platform", "iOS"], "TOKEN is empty"),
        (["add", "--platform", "iOS"], "TOKEN is missing"),
        (["add", "t", "--platform", "iOS", "--data", "x"], "--data cannot be 'x': write it like KEY=VALUE"),
        (
            ["add", "t", "--platform", "iOS", "--timezone", "Europe/Berln"],
            "--timezone cannot be 'Europe/Berln': there is no time zone 'Europe/Berln'; did you mean 'Europe/Berlin'?"
        ),
        (
            ["add", "t", "--platform", "iOS", "--timezone", "Mars/Base"],
            "--timezone cannot be 'Mars/Base': there is no time zone 'Mars/Base'; write an IANA name such as "
                + "'Europe/Berlin' or 'UTC'"
        ),
        (["remove"], "name the devices by their tokens or by a filter option such as --tag"),
        (["remove", "--token-kind", "device"], "name the devices by their tokens or by a filter option such as --tag"),
    ])
    func `adding and removing refuse what is incomplete`(_ words: [String], _ message: String) async throws {
        let result = try await CommandHarness().run(["devices"] + words)
        #expect(result.exitCode == .usage)
        #expect(result.errors.hasPrefix("error: \(message)\n"))
    }

    @Test func `devices are removed by token or by filter`() async throws {
        let harness = try await harness(importing: lines)
        #expect(
            await harness.run("devices", "remove", "--tag", "beta", "--dry-run").output
                == "2 devices would be removed\n")
        #expect(await harness.run("devices", "count").output == "3\n")
        #expect(await harness.run("devices", "remove", "b", "unknown").output == "1 device removed\n")
        #expect(await harness.run("devices", "remove", "c", "--tag", "none").exitCode == .findings)
        let rest = await harness.run("devices", "remove", "--tag", "beta", "--format", "json")
        #expect(rest.output == "{\n  \"removed\": 2\n}\n")
        #expect(await harness.run("devices", "count").output == "0\n")
    }

    @Test(arguments: [
        ("postgresql://localhost/x", ExitCode.usage, "PostgreSQL is not available in this version"),
        ("carillon.sqlite", .usage, "a store is written like sqlite:carillon.sqlite"),
        ("sqlite:", .usage, "a store is written like sqlite:carillon.sqlite"),
        ("redis:x", .usage, "a store is written like sqlite:carillon.sqlite"),
        ("sqlite:no/such/folder/x.sqlite", .unreachable, "the file cannot be opened or created."),
        ("sqlite:devices.jsonl", .usage, "the file is not an SQLite database."),
    ])
    func `a store that cannot be opened says why`(_ url: String, _ code: ExitCode, _ message: String) async throws {
        let harness = try CommandHarness()
        try harness.write("devices.jsonl", String(repeating: lines, count: 100))
        let result = await harness.run("devices", "count", "--store", url)
        #expect(result.exitCode == code)
        #expect(result.errors.contains(message), "\(result.errors)")
    }
}
