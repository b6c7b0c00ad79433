import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// Schedulers that are stopped, killed, or not alone, while a run is on the wire.
@Suite(.timeLimit(.minutes(3)))
struct InterruptedRunTests {
    private static let deviceCount = 2_000
    private static let pageSize = 200
    private static let due = ["run", "--once", "--now", "2026-12-01T08:00:00Z"]

    /// Two thousand devices and a stand-in that takes its time, so that a signal finds the run half done.
    private func makeWorkspace() throws -> (Workspace, ServerProcess) {
        let workspace = try Workspace()
        try workspace.makeCertificates()
        try workspace.write(
            """
            schedule: {cron: "0 8 * * *"}
            filter: {tags: [news]}
            notification: {title: "Hello {{ device.user }}"}

            """, to: "campaigns/news.yaml")
        let devices = (0..<Self.deviceCount).map { number in
            let digits = String(number, radix: 16)
            let token = "ab" + String(repeating: "0", count: 62 - digits.count) + digits
            return #"{"token":"\#(token)","platform":"iOS","user":"user-\#(number)","tags":["news"]}"#
        }
        try workspace.write(devices.joined(separator: "\n") + "\n", to: "devices.jsonl")
        let server = try ServerProcess(
            python: "Tests/Servers/apns_server.py",
            [
                "--certificates", workspace.path("certificates"), "--key-id", "ABC123DEFG", "--team-id", "DEF123GHIJ",
                "--topic", "com.example.app", "--log", workspace.path("apns.jsonl"), "--latency", "0.1",
                // The test starts anew within seconds, which Apple would not like.
                "--token-interval", "0",
            ])
        try workspace.write(
            """
            apps:
              default:
                apns:
                  key: {file: certificates/AuthKey.p8}
                  key_id: ABC123DEFG
                  team_id: DEF123GHIJ
                  bundle_id: com.example.app
                  endpoint: https://localhost:\(server.port)
                  ca_file: certificates/ca.pem
            engine: {page_size: \(Self.pageSize), streams: 100, connections: 1}

            """, to: "carillon.yaml")
        #expect(try workspace.carillon("devices", "import", "devices.jsonl").status == 0)
        return (workspace, server)
    }

    /// Sends a signal once some pages are done, and returns how the program ended.
    private func interrupt(_ workspace: Workspace, with signal: Int32) throws -> ChildOutput {
        let program = try RunningProgram(
            try CarillonProgram.path(), Self.due, environment: ["NO_COLOR": "1"], directory: workspace.directory)
        try workspace.waitForLines(3 * Self.pageSize, in: "apns.jsonl")
        program.send(signal)
        return try program.waitForEnd()
    }

    /// The message ids that each device token was sent.
    private func messages(_ workspace: Workspace) throws -> [String: [String]] {
        var messages: [String: [String]] = [:]
        for request in try workspace.lines(of: "apns.jsonl") {
            guard let token = request["path"]?.text?.split(separator: "/").last,
                let id = request["headers"]?["apns-id"]?.text
            else { continue }
            messages[String(token), default: []].append(id)
        }
        return messages
    }

    private func run(_ workspace: Workspace) throws -> JSON {
        let runs = try workspace.json(["history"]).elements
        #expect(runs.count == 1)
        return try #require(runs.first)
    }

    @Test func `a run whose process was killed goes on, loses nobody and repeats two pages at the most`() throws {
        let (workspace, server) = try makeWorkspace()
        #expect(try interrupt(workspace, with: SIGKILL).status == 128 + SIGKILL)
        #expect(try run(workspace)["state"]?.text == "sending")

        let resumed = try workspace.carillon("run", "--once", "--now", "2026-12-01T08:00:20Z")
        #expect(resumed.status == 0, "\(resumed.standardError)")
        server.stop()
        let messages = try messages(workspace)
        #expect(messages.count == Self.deviceCount)
        let repeated = messages.values.filter { $0.count > 1 }
        #expect(repeated.count <= 2 * Self.pageSize)
        #expect(repeated.allSatisfy { Set($0).count == 1 }, "what is sent again has the same message id")
        #expect(try run(workspace)["state"]?.text == "succeeded")
        #expect(try run(workspace)["counts"]?["sent"]?.number == Int64(Self.deviceCount))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a run that was stopped goes on later and nobody gets it twice`(_ signal: Int32) throws {
        let (workspace, server) = try makeWorkspace()
        let stopped = try interrupt(workspace, with: signal)
        #expect(stopped.status == 1)
        #expect(stopped.standardError.contains("news, run 1, was interrupted and goes on later"))
        let before = try run(workspace)
        #expect(before["state"]?.text == "sending")
        #expect(before["counts"]?["sent"]?.number == Int64(try messages(workspace).count))

        let resumed = try workspace.carillon("run", "--once", "--now", "2026-12-01T08:00:20Z")
        #expect(resumed.status == 0, "\(resumed.standardError)")
        server.stop()
        let messages = try messages(workspace)
        #expect(messages.count == Self.deviceCount)
        #expect(messages.values.allSatisfy { $0.count == 1 })
        #expect(try run(workspace)["counts"]?["sent"]?.number == Int64(Self.deviceCount))
    }

    @Test func `of two schedulers on one store each device hears from one`() throws {
        let (workspace, server) = try makeWorkspace()
        let programs = try (0..<2).map { _ in
            try RunningProgram(
                try CarillonProgram.path(), Self.due, environment: ["NO_COLOR": "1"], directory: workspace.directory)
        }
        let ends = try programs.map { try $0.waitForEnd() }
        #expect(ends.allSatisfy { $0.status == 0 }, "\(ends)")
        server.stop()
        let messages = try messages(workspace)
        #expect(messages.count == Self.deviceCount)
        #expect(messages.values.allSatisfy { $0.count == 1 })
        #expect(try run(workspace)["state"]?.text == "succeeded")
    }
}
