import Foundation
import JSON
import TestSupport
import Testing

/// A campaign file, ten thousand registrations, an injected clock and an APNs stand-in that other people's libraries
/// make up: what the file says is what the wire shows.
@Suite(.timeLimit(.minutes(3)))
struct ScheduledBroadcastTests {
    /// A device of the test's population, and what must become of it.
    struct Device {
        enum Fate: String, CaseIterable {
            case delivered, unregistered, badToken, tooManyRequests, unavailable, silent
            /// Selected by the filter and dropped by the interceptor.
            case optedOut
            /// Not selected.
            case otherPlatform, otherApp, otherTag, sandbox
        }

        var number: Int
        var fate: Fate

        /// What the stand-in reads its answer from.
        var token: String {
            let prefix =
                switch fate {
                case .unregistered: "410"
                case .badToken: "400"
                case .tooManyRequests: "429"
                case .unavailable: "503"
                case .silent: "511e"
                default: "ab"
                }
            let digits = String(number, radix: 16)
            return prefix + String(repeating: "0", count: 64 - prefix.count - digits.count) + digits
        }

        var isSelected: Bool { ![.otherPlatform, .otherApp, .otherTag, .sandbox].contains(fate) }
        var isSent: Bool { isSelected && fate != .optedOut }

        var line: String {
            let platform = fate == .otherPlatform ? "Android" : "iOS"
            let app = fate == .otherApp ? "driver" : "consumer"
            let tags = fate == .optedOut ? #"["news","opted-out"]"# : fate == .otherTag ? #"["sport"]"# : #"["news"]"#
            let environment = fate == .sandbox ? "sandbox" : "production"
            return
                #"{"token":"\#(token)","platform":"\#(platform)","app_id":"\#(app)","environment":"\#(environment)","#
                + #""user":"user-\#(number)","device_id":"device-\#(number)","tags":\#(tags),"locale":"de-AT","#
                + #""data":{"first_name":"Zoë \"\#(number)\""}}"#
        }
    }

    static let population: [Device] = {
        let shares: [(Device.Fate, Int)] = [
            (.unregistered, 120), (.badToken, 80), (.tooManyRequests, 40), (.unavailable, 40), (.optedOut, 300),
            (.otherPlatform, 500), (.otherApp, 500), (.otherTag, 500), (.sandbox, 200),
        ]
        var fates = shares.flatMap { Array(repeating: $0.0, count: $0.1) }
        fates += Array(repeating: .delivered, count: 9_990 - fates.count)
        // Spread over all pages, the same way in every run; those without an answer last, so that one page waits for them.
        let spread = (0..<9_990).map { Device(number: $0, fate: fates[$0 * 7_919 % 9_990]) }
        return spread + (9_990..<10_000).map { Device(number: $0, fate: .silent) }
    }()

    static func count(_ fate: Device.Fate) -> Int { population.count { $0.fate == fate } }

    static let campaign = """
        campaign: morning-news
        schedule:
          cron: "0 9 * * MON-FRI"
          timezone: Europe/Berlin
        filter:
          platforms: [iOS]
          tags: [news]
          app_id: consumer
          environment: production
        notification:
          title: "Good morning, {{ device.data.first_name }}"
          message: Five stories are waiting.
          collapse_id: morning-news
          time_to_live: 2h
          data: {kind: news}
          apple: {thread_id: news}
          locales:
            de: {title: "Guten Morgen, {{ device.data.first_name }}"}
        interceptors:
          - skip_tagged: [opted-out]

        """

    static func configuration(port: Int, topic: String = "com.example.consumer") -> String {
        """
        store: sqlite:carillon.sqlite
        apps:
          consumer:
            apns:
              key: {file: certificates/AuthKey.p8}
              key_id: ABC123DEFG
              team_id: DEF123GHIJ
              bundle_id: \(topic)
              endpoint: https://localhost:\(port)
              ca_file: certificates/ca.pem
        engine:
          timeout: 15s

        """
    }

    func makeWorkspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.makeCertificates()
        try workspace.write(Self.campaign, to: "campaigns/morning-news.yaml")
        let devices = Self.population.map(\.line).joined(separator: "\n") + "\n"
        try workspace.write(devices, to: "devices.jsonl")
        return workspace
    }

    func startServer(_ workspace: Workspace, _ arguments: [String]) throws -> ServerProcess {
        try ServerProcess(
            python: "Tests/Servers/apns_server.py",
            [
                "--certificates", workspace.path("certificates"), "--key-id", "ABC123DEFG", "--team-id", "DEF123GHIJ",
                "--topic", "com.example.consumer", "--log", workspace.path("apns.jsonl"),
            ] + arguments)
    }

    @Test func `a cron campaign reaches each selected device exactly once, whatever the provider answers`() throws {
        let workspace = try makeWorkspace()
        let server = try startServer(workspace, ["--silent", "511e", "--goaway-every", "2500"])
        try workspace.write(Self.configuration(port: server.port), to: "carillon.yaml")

        let imported = try workspace.carillon("devices", "import", "devices.jsonl")
        #expect(imported.status == 0, "\(imported.standardError)")
        #expect(try workspace.json(["devices", "count"])["count"]?.number == 10_000)

        // 09:00 in Berlin is 08:00 UTC in winter; a minute earlier nothing is due.
        let early = try workspace.carillon("run", "--once", "--now", "2026-12-01T07:59:00Z")
        #expect(early.status == 0, "\(early.standardError)")
        #expect(try workspace.json(["history"]).elements.isEmpty)

        let due = try workspace.carillon("run", "--once", "--now", "2026-12-01T08:00:00Z")
        #expect(due.status == 1, "failed deliveries are exit code 1: \(due.standardError)")
        // A second scheduler, or a second look within the same minute, finds the occurrence taken.
        let again = try workspace.carillon("run", "--once", "--now", "2026-12-01T08:00:30Z")
        #expect(again.status == 0, "\(again.standardError)")
        server.stop()

        let requests = try workspace.lines(of: "apns.jsonl").filter { $0["verdict"]?.text != "refused" }
        let tokens = requests.compactMap { $0["path"]?.text?.split(separator: "/").last.map(String.init) }
        let expected = Set(Self.population.filter(\.isSent).map(\.token))
        #expect(tokens.count == Set(tokens).count, "no device was sent to twice")
        #expect(Set(tokens) == expected)
        #expect(requests.allSatisfy { $0["note"] == nil }, "the stand-in found fault with no header and no payload")
        checkPayload(requests)

        let runs = try workspace.json(["history"]).elements
        let run = try #require(runs.first)
        #expect(runs.count == 1)
        #expect(run["campaign"]?.text == "morning-news")
        #expect(run["occurrence"]?.text?.hasPrefix("2026-12-01T") == true)
        #expect(run["state"]?.text == "partial")
        let failures: [Device.Fate] = [.unregistered, .badToken, .tooManyRequests, .unavailable]
        let counts = run["counts"]
        #expect(counts?["sent"]?.number == Int64(Self.count(.delivered)))
        #expect(counts?["failed"]?.number == Int64(failures.map(Self.count).reduce(0, +)))
        #expect(counts?["skipped"]?.number == Int64(Self.count(.optedOut)))
        #expect(counts?["uncertain"]?.number == Int64(Self.count(.silent)))
        let dead = Self.count(.unregistered) + Self.count(.badToken)
        #expect(counts?["tokens_removed"]?.number == Int64(dead))

        // Every dead token is gone, and nothing else is.
        let left = try workspace.carillon("devices", "export").standardOutput.split(separator: "\n").map {
            try JSON(parsing: Array($0.utf8))["token"]?.text
        }
        let kept = Self.population.filter { ![.unregistered, .badToken].contains($0.fate) }.map(\.token)
        #expect(Set(left.compactMap(\.self)) == Set(kept))
        #expect(left.count == kept.count)
    }

    func checkPayload(_ requests: [JSON]) {
        let device = Self.population.first { $0.fate == .delivered }
        let request = requests.first { $0["path"]?.text?.hasSuffix(device?.token ?? "none") == true }
        let body = request?["body"]
        let alert = body?["aps"]?["alert"]
        #expect(alert?["title"]?.text == "Guten Morgen, Zoë \"\(device?.number ?? -1)\"")
        #expect(alert?["body"]?.text == "Five stories are waiting.")
        #expect(body?["aps"]?["thread-id"]?.text == "news")
        #expect(body?["kind"]?.text == "news")
        #expect(request?["headers"]?["apns-collapse-id"]?.text == "morning-news")
        #expect(request?["headers"]?["apns-topic"]?.text == "com.example.consumer")
        #expect(request?["headers"]?["apns-push-type"]?.text == "alert")
    }

    @Test func `a wrong bundle id stops the run after a bounded number of requests and removes no token`() throws {
        let workspace = try makeWorkspace()
        let server = try startServer(workspace, [])
        try workspace.write(
            Self.configuration(port: server.port, topic: "com.example.mistyped"), to: "carillon.yaml")
        #expect(try workspace.carillon("devices", "import", "devices.jsonl").status == 0)

        let run = try workspace.carillon("run", "--once", "--now", "2026-12-01T08:00:00Z")
        #expect(run.status == 1, "\(run.standardError)")
        server.stop()

        #expect(try workspace.lines(of: "apns.jsonl").count < 2_500)
        let recorded = try #require(try workspace.json(["history"]).elements.first)
        #expect(recorded["state"]?.text == "failed")
        #expect(recorded["counts"]?["sent"]?.number == 0)
        #expect(recorded["counts"]?["tokens_removed"]?.number == 0)
        #expect(recorded["reason"]?.text?.contains("Topic") == true, "\(recorded["reason"]?.text ?? "no reason")")
        #expect(try workspace.json(["devices", "count"])["count"]?.number == 10_000)
    }

    @Test func `programs that are started one after the other send with one provider token`() throws {
        let workspace = try makeWorkspace()
        let server = try startServer(workspace, ["--plain"])
        try workspace.write(Self.configuration(port: server.port), to: "carillon.yaml")
        let devices = Self.population.filter { $0.fate == .delivered }.prefix(5).map(\.line).joined(separator: "\n")
        #expect(try workspace.carillon("devices", "import", "-", input: devices).status == 0)
        for number in 1...3 {
            let sent = try workspace.carillon("send", "--everyone", "--message", "Number \(number)")
            #expect(sent.status == 0, "\(sent.standardError)")
        }
        server.stop()

        let requests = try workspace.lines(of: "apns.jsonl")
        #expect(requests.count == 15)
        #expect(requests.allSatisfy { $0["status"]?.number == 200 })
        #expect(Set(requests.compactMap { $0["headers"]?["authorization"]?.text }).count == 1)
    }
}
