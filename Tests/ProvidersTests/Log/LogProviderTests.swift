import Foundation
import JSON
import Push
import Testing

@testable import Providers

@Suite struct LogProviderTests {
    private let clock = WallClock.fixed(Date(timeIntervalSince1970: 1_700_000_000.25))

    /// A path in a folder that does not exist yet.
    private func newPath() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("carillon-\(UUID().uuidString)/a/b.jsonl").path
    }

    private func lines(_ path: String) throws -> [JSON] {
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        #expect(text.hasSuffix("\n"))
        return try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
    }

    @Test func `a line is the request that would go on the wire`() async throws {
        let path = newPath()
        let provider = LogProvider(path: path, clock: clock)
        let note = PushNotification(
            title: "T", message: "M", deepLink: "app://x", collapseID: "weekly", timeToLive: .seconds(60))
        let messages = [
            Messages.message(note, token: "AB12", platform: .iOS, environment: .sandbox, number: 1),
            Messages.message(note, token: "f:1", platform: .android, number: 2),
            Messages.message(note, token: "https://push.example.com/sub/1?k=v", platform: .web, number: 3),
            Messages.message(note, token: "https://a.notify.windows.com/?token=x", platform: .windows, number: 4),
        ]
        let outcomes = try await provider.send(messages)
        #expect(outcomes == messages.map { PushOutcome(.success, providerMessageID: $0.messageID) })
        let lines = try lines(path)
        #expect(lines.count == 4)
        #expect(lines.map { $0["provider"]?.stringValue } == ["apns", "fcm", "webpush", "wns"])
        #expect(lines.map { $0["platform"]?.stringValue } == ["iOS", "Android", "WebBrowser", "Windows"])
        #expect(lines.map { $0["registration"]?.intValue } == [1, 2, 3, 4])
        #expect(lines.map { $0["message_id"]?.stringValue } == messages.map(\.messageID))
        #expect(Set(lines.compactMap { $0["time"]?.stringValue }) == ["2023-11-14T22:13:20Z"])
        #expect(Set(lines.compactMap { $0["headers"]?["authorization"]?.stringValue }) == ["<redacted>"])

        #expect(lines[0]["origin"] == "https://api.sandbox.push.apple.com" && lines[0]["path"] == "/3/device/ab12")
        #expect(lines[0]["headers"]?["apns-id"]?.stringValue == messages[0].messageID)
        #expect(lines[0]["headers"]?["apns-expiration"] == "1700000060")
        #expect(lines[0]["body"]?["aps"]?["alert"]?["title"] == "T")
        #expect(lines[1]["path"] == "/v1/projects/example-project/messages:send")
        #expect(lines[1]["body"]?["message"]?["token"] == "f:1")
        #expect(lines[2]["origin"] == "https://push.example.com" && lines[2]["path"] == "/sub/1?k=v")
        #expect(lines[2]["headers"]?["ttl"] == "60" && lines[2]["headers"]?["urgency"] == "high")
        #expect(lines[2]["body"] == ["title": "T", "body": "M", "deeplink": "app://x"])
        #expect(lines[3]["headers"]?["x-wns-type"] == "wns/toast")
        #expect(lines[3]["body"]?.stringValue?.hasPrefix("<toast launch=\"app://x\">") == true)

        for (message, line) in zip(messages, lines) {
            let preview = try provider.previewRequest(for: message)
            #expect(preview.path == line["path"]?.stringValue && preview.method == line["method"]?.stringValue)
        }
    }

    @Test func `it serves every platform of its apps`() {
        let note = PushNotification(title: "T")
        let (main, other) = (Messages.message(note).registration, Messages.message(note, app: "b").registration)
        let path = newPath()
        for platform in Platform.allCases {
            #expect(
                LogProvider(path: path).canDeliver(
                    to: Messages.message(note, platform: platform, app: "x").registration))
        }
        let ofMain = LogProvider(path: path, apps: .one(nil))
        #expect(ofMain.identifier == "log" && ofMain.canDeliver(to: main) && !ofMain.canDeliver(to: other))
        let ofOther = LogProvider(path: path, apps: .one("b"))
        #expect(ofOther.identifier == "log:b" && !ofOther.canDeliver(to: main) && ofOther.canDeliver(to: other))
    }

    @Test func `pages that are written at once never mix`() async throws {
        let path = newPath()
        let providers = [LogProvider(path: path, clock: clock), LogProvider(path: path, clock: clock)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let page = Messages.page(200, PushNotification(title: "page \(number)"))
                    _ = try await providers[number % 2].send(page)
                }
            }
            try await group.waitForAll()
        }
        let lines = try lines(path)
        #expect(lines.count == 3_200)
        // Each page lies in one piece.
        let titles = lines.map { $0["body"]?["aps"]?["alert"]?["title"]?.stringValue ?? "" }
        let changes = zip(titles, titles.dropFirst()).filter { $0 != $1 }.count
        #expect(changes == 15)
    }

    @Test func `what the real transport would refuse is refused`() async throws {
        let path = newPath()
        let note = PushNotification(title: "T")
        let outcomes = try await LogProvider(path: path).send([
            Messages.message(PushNotification(title: "T", collapseID: String(repeating: "x", count: 65))),
            Messages.message(note, token: "a/b"), Messages.message(note, token: "not a url", platform: .web),
            Messages.message(note),
        ])
        #expect(outcomes.map(\.status) == [.messageRejected, .error, .error, .success])
        #expect(try lines(path).count == 1)
    }

    @Test func `a Windows payload given verbatim stays on its line`() async throws {
        let path = newPath()
        let token = "https://a.notify.windows.com/?token=x"
        let payloads = ["{\n \"a\": 1\n}", "{broken\n", "<toast>\n</toast>"]
        _ = try await LogProvider(path: path).send(
            payloads.map {
                Messages.message(
                    PushNotification(windows: .init(kind: .raw, payload: $0)), token: token, platform: .windows)
            })
        #expect(try lines(path).map { $0["body"] } == [["a": 1], "{broken\n", "<toast>\n</toast>"])
    }

    @Test func `a file that cannot be written is a configuration error`() async throws {
        let outcomes = try await LogProvider(path: "/proc/carillon/x.jsonl").send(Messages.page(3))
        #expect(outcomes.allSatisfy { $0.status == .configurationError })
        #expect(outcomes[0].reason?.hasPrefix("the log provider's file") == true)
    }

    @Test func `a page of which nothing is sent makes no file`() async throws {
        let path = newPath()
        _ = try await LogProvider(path: path).send([])
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
