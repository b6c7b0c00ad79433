import Foundation
import JSON
import TestSupport
import Testing

/// One app with APNs and FCM, against both stand-ins.
@Suite(.timeLimit(.minutes(3)))
struct TwoProvidersTests {
    private static let campaign = """
        schedule: {cron: "0 8 * * *"}
        filter: everyone
        notification:
          title: "Hello {{ device.user }}"
          message: "{{ device.data.story }}"
          data: {kind: news}
          android: {channel_id: news}

        """

    private func makeWorkspace(topic: String) throws -> (Workspace, [ServerProcess]) {
        let workspace = try Workspace()
        try workspace.makeCertificates()
        let certificates = ["--certificates", workspace.path("certificates")]
        let apns = try ServerProcess(
            python: "Tests/Servers/apns_server.py",
            certificates + [
                "--key-id", "ABC123DEFG", "--team-id", "DEF123GHIJ", "--topic", "com.example.app", "--log",
                workspace.path("apns.jsonl"),
            ])
        let fcm = try ServerProcess(
            python: "Tests/Servers/fcm_server.py", certificates + ["--log", workspace.path("fcm.jsonl")])
        try workspace.write(Self.campaign, to: "campaigns/news.yaml")
        try workspace.write(
            """
            apps:
              default:
                apns:
                  key: {file: certificates/AuthKey.p8}
                  key_id: ABC123DEFG
                  team_id: DEF123GHIJ
                  bundle_id: \(topic)
                  endpoint: https://localhost:\(apns.port)
                  ca_file: certificates/ca.pem
                fcm:
                  service_account: {file: certificates/service-account.json}
                  endpoint: https://localhost:\(fcm.port)
                  token_endpoint: https://localhost:\(fcm.port)/token
                  ca_file: certificates/ca.pem
            engine: {page_size: 50}

            """, to: "carillon.yaml")
        let devices = (0..<200).map { number in
            let story = number == Self.tooLong ? String(repeating: "word ", count: 1_000) : "A story"
            return #"{"token":"\#(Self.token(number))","platform":"\#(number % 2 == 0 ? "Android" : "iOS")","#
                + #""user":"user-\#(number)","data":{"story":"\#(story)"}}"#
        }
        let imported = try workspace.carillon(
            "devices", "import", "-", "--as", "jsonl", input: devices.joined(separator: "\n"))
        #expect(imported.status == 0, "\(imported.standardError)")
        return (workspace, [apns, fcm])
    }

    /// The device whose story is longer than APNs takes.
    private static let tooLong = 101
    private static let dead = [40, 80]

    private static func token(_ number: Int) -> String {
        let digits = String(number + 100_000)
        if dead.contains(number) { return "UNREGISTERED" + digits }
        return number % 2 == 0 ? "registration-token-" + digits : "ab" + String(repeating: "0", count: 56) + digits
    }

    private func sendAll(topic: String) throws -> (run: JSON, workspace: Workspace) {
        let (workspace, servers) = try makeWorkspace(topic: topic)
        let sent = try workspace.carillon("run", "--once", "--now", "2026-12-01T08:00:00Z")
        #expect(sent.status == 1, "\(sent.standardError)")
        for server in servers { server.stop() }
        return (try #require(try workspace.json(["history"]).elements.first), workspace)
    }

    /// The tokens that FCM's stand-in was asked to send to, each checked as Google does.
    private func tokensAtFCM(_ workspace: Workspace) throws -> [String] {
        try workspace.lines(of: "fcm.jsonl").compactMap { $0["body"]?["message"]?["token"]?.text }.sorted()
    }

    private static let android = (0..<200).filter { $0 % 2 == 0 }.map(token).sorted()

    @Test func `each platform's devices hear from their provider, and one that cannot be told stops nobody`() throws {
        let (run, workspace) = try sendAll(topic: "com.example.app")
        #expect(run["state"]?.text == "partial")
        #expect(run["counts"]?["sent"]?.number == Int64(200 - 1 - Self.dead.count))
        #expect(run["counts"]?["failed"]?.number == Int64(1 + Self.dead.count))
        #expect(run["counts"]?["tokens_removed"]?.number == Int64(Self.dead.count))
        #expect(run["reason"]?.text?.contains("1 message_rejected") == true, "\(run["reason"]?.text ?? "")")
        #expect(try tokensAtFCM(workspace) == Self.android)
        let apns = try workspace.lines(of: "apns.jsonl")
        #expect(apns.count == 99, "the message that is too long is not even sent")
        #expect(apns.allSatisfy { $0["status"]?.number == 200 })
        let message = try workspace.lines(of: "fcm.jsonl").compactMap { $0["body"]?["message"] }
            .first { $0["token"]?.text == Self.token(0) }
        #expect(message?["notification"]?["title"]?.text == "Hello user-0")
        #expect(message?["android"]?["notification"]?["channel_id"]?.text == "news")
        #expect(message?["data"]?["kind"]?.text == "news")
    }

    @Test func `a provider that is misconfigured is given up while the other goes on`() throws {
        let (run, workspace) = try sendAll(topic: "com.example.mistyped")
        #expect(run["state"]?.text == "partial")
        #expect(run["reason"]?.text?.contains("TopicDisallowed") == true, "\(run["reason"]?.text ?? "")")
        #expect(run["counts"]?["sent"]?.number == Int64(100 - Self.dead.count))
        #expect(run["counts"]?["tokens_removed"]?.number == Int64(Self.dead.count))
        #expect(try tokensAtFCM(workspace) == Self.android)
        #expect(try workspace.lines(of: "apns.jsonl").count <= 50, "no more than the first pages ask APNs")
        #expect(try workspace.json(["devices", "count", "--platform", "iOS"])["count"]?.number == 100)
    }
}
