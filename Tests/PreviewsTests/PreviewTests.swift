import Campaigns
import FoundationEssentials
import JSON
import Push
import Scheduler
import Schedules
import Testing

@testable import Previews

/// Serves iOS and Android, and refuses to build a request for the title `bad`.
private struct ShowingProvider: PushRequestPreviewing {
    struct Refusal: Error, CustomStringConvertible { let description = "the title is bad" }

    let identifier = "showing"

    func canDeliver(to registration: Registration) -> Bool { registration.platform != .windows }

    func send(_ messages: [PushMessage]) async throws -> [PushOutcome] {
        Issue.record("a preview must not send")
        return []
    }

    func previewRequest(for message: PushMessage) throws -> ProviderRequest {
        if message.notification.title == "bad" { throw Refusal() }
        let isBinary = message.registration.platform == .android
        return ProviderRequest(
            method: "POST", origin: "https://push.example.com", path: "/\(message.registration.token)",
            headers: [.init("authorization", "<redacted>"), .init("message-id", message.messageID)],
            body: isBinary ? [0xFF, 0x00] : Array(#"{"title":"\#(message.notification.title ?? "")"}"#.utf8))
    }
}

/// A provider that cannot show what it would send.
private struct SilentProvider: PushProvider {
    let identifier = "silent"
    func canDeliver(to registration: Registration) -> Bool { registration.platform == .macOS }
    func send(_ messages: [PushMessage]) async throws -> [PushOutcome] { [] }
}

private struct SkipTagged: PushInterceptor {
    let name = "skip_tagged"
    func beforeSend(_ context: inout PushSendContext) async throws -> InterceptorResult {
        context.registration.tags.isEmpty ? .proceed : .skip(reason: "has a tag")
    }
}

private struct UserTitles: NotificationSource {
    var nothing: String?

    func content(of campaign: Campaign, at occurrence: Occurrence) async throws -> RunContent {
        if let nothing { return .nothing(reason: nothing) }
        return .notifications(
            make: { PushNotification(title: $0.userID) }, interceptors: [SkipTagged()])
    }
}

struct PreviewTests {
    private func preview(_ devices: [Registration], nothing: String? = nil) async throws -> CampaignPreview {
        let text = """
            campaign: hello
            schedule: {at: 2026-12-07 09:00, timezone: Europe/Berlin}
            filter: everyone
            notification: {title: Hello}

            """
        let campaign = try #require(CampaignFile(path: "hello.yaml", bytes: Array(text.utf8), root: ".").campaign)
        let occurrence = try #require(campaign.schedule.next(after: Instant(secondsSinceEpoch: 0)))
        let pipeline = try PushPipeline(providers: [SilentProvider(), ShowingProvider()])
        return try await Previewer(notifications: UserTitles(nothing: nothing), pipeline: pipeline)
            .preview(campaign, at: occurrence, for: devices)
    }

    private func device(
        _ token: String, _ platform: Platform = .iOS, user: String = "ada", tags: [String] = [], id: Int64 = 0
    ) -> Registration {
        Registration(
            id: .init(rawValue: id), token: token, platform: platform, userID: user, tags: tags,
            registeredAt: Date(timeIntervalSince1970: 0))
    }

    @Test func `every device has what it would get, in order`() async throws {
        let preview = try await preview([
            device("a", id: 7), device("b", tags: ["opted-out"]), device("c", .windows), device("d", user: "bad"),
            device("e", .macOS), device("f", .android),
        ])
        #expect(
            preview.devices.map(\.text) == [
                """
                device 7 · iOS · ada · via showing
                  POST https://push.example.com/a
                  authorization: <redacted>
                  message-id: 00000000-0000-4000-8000-000000000000
                  {
                    "title": "ada"
                  }
                """,
                "made-up device · iOS · ada · via showing\n  skipped: has a tag",
                "made-up device · Windows · ada\n  no_provider: no provider serves Windows for the default app",
                "made-up device · iOS · bad · via showing\n  message_rejected: the title is bad",
                "made-up device · MacOS · ada · via silent\n  silent shows no request",
                """
                made-up device · Android · ada · via showing
                  POST https://push.example.com/f
                  authorization: <redacted>
                  message-id: 00000000-0000-4000-8000-000000000000
                  (2 bytes)
                """,
            ])
    }

    @Test func `the JSON holds the exact request`() async throws {
        let preview = try await preview([device("a", id: 7), device("f", .android)])
        #expect(
            JSON.object(preview.json) == [
                "campaign": "hello", "occurrence": "2026-12-07T09:00:00+01:00", "nothing": .null,
                "devices": [
                    [
                        "device": ["id": 7, "token": "a", "platform": "iOS", "user": "ada"], "provider": "showing",
                        "status": "would_send",
                        "request": [
                            "method": "POST", "origin": "https://push.example.com", "path": "/a",
                            "headers": [
                                "authorization": "<redacted>",
                                "message-id": "00000000-0000-4000-8000-000000000000",
                            ],
                            "body": ["title": "ada"],
                        ],
                    ],
                    [
                        "device": ["id": .null, "token": "f", "platform": "Android", "user": "ada"],
                        "provider": "showing", "status": "would_send",
                        "request": [
                            "method": "POST", "origin": "https://push.example.com", "path": "/f",
                            "headers": [
                                "authorization": "<redacted>",
                                "message-id": "00000000-0000-4000-8000-000000000000",
                            ],
                            "body_base64": "/wA=",
                        ],
                    ],
                ],
            ])
    }

    @Test func `devices that get nothing say why in JSON too`() async throws {
        let preview = try await preview([device("b", tags: ["x"]), device("c", .windows), device("e", .macOS)])
        let devices = preview.json["devices"]?.arrayValue ?? []
        #expect(devices.map { $0["status"]?.stringValue } == ["skipped", "no_provider", "would_send"])
        #expect(devices.map { $0["reason"]?.stringValue != nil } == [true, true, false])
        #expect(devices.last?["request"] == .null)
    }

    @Test func `a condition that does not hold sends nothing to anybody`() async throws {
        let preview = try await preview([device("a")], nothing: "the condition does not hold")
        #expect(preview.nothing == "the condition does not hold")
        #expect(preview.devices.isEmpty)
        #expect(preview.json["nothing"] == "the condition does not hold")
    }

    @Test func `a preview is the same each time`() async throws {
        let devices = [device("a"), device("f", .android)]
        let first = try await preview(devices)
        let second = try await preview(devices)
        #expect(first.json == second.json)
    }
}
