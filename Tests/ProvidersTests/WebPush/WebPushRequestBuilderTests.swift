import FoundationEssentials
import HTTPClient
import JSON
import Push
import Testing

@testable import Providers

@Suite struct WebPushRequestBuilderTests {
    private func headers(_ fields: PushNotification.Fields) throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try WebPushHeaders.fields(for: fields).map { ($0.name, $0.value) })
    }

    @Test(
        arguments: [
            (nil, "2419200"), (.zero, "0"), (.seconds(60), "60"), (.milliseconds(1), "1"),
        ] as [(Duration?, String)])
    func `wire-reports 46: there is always a TTL`(_ timeToLive: Duration?, _ expected: String) throws {
        #expect(try headers(.init(title: "T", timeToLive: timeToLive))["ttl"] == expected)
    }

    @Test(
        arguments: [
            (.init(title: "T"), "high"), (.init(title: "T", priority: .normal), "normal"),
            (.init(title: "T", web: .init(urgency: .veryLow)), "very-low"),
        ] as [(PushNotification.Fields, String)])
    func `urgency follows the priority unless it is given`(_ fields: PushNotification.Fields, _ expected: String) throws
    {
        #expect(try headers(fields)["urgency"] == expected)
    }

    @Test(arguments: ["weekly", "a-b_c0", String(repeating: "x", count: 32)])
    func `a collapse id that is a topic stays as it is`(_ collapseID: String) throws {
        #expect(try headers(.init(title: "T", collapseID: collapseID))["topic"] == collapseID)
    }

    @Test(arguments: [
        "free text", "weekly-digest/2026", "é", String(repeating: "x", count: 34),
        // No base64 has a length of 4n + 1, and Apple decodes topics.
        "abcde", "a",
    ])
    func `wire-reports 48: any other collapse id is hashed to 32 characters`(_ collapseID: String) throws {
        let topic = try #require(try headers(.init(title: "T", collapseID: collapseID))["topic"])
        #expect(topic.utf8.count == 32)
        #expect(topic.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        #expect(topic == WebPushHeaders.topic(collapseID) && topic != WebPushHeaders.topic(collapseID + "!"))
    }

    @Test func `the plaintext holds what is set and nothing else`() throws {
        let fields = PushNotification.Fields(
            title: "T", message: "M", badge: 1, deepLink: "https://x", data: ["b": "2", "a": "1"], web: .init(icon: "i")
        )
        #expect(
            String(decoding: try WebPushPayload.plaintext(for: fields), as: UTF8.self)
                == #"{"title":"T","body":"M","deeplink":"https://x","icon":"i","data":{"a":"1","b":"2"}}"#)
        #expect(try WebPushPayload.plaintext(for: .init()) == Array("{}".utf8))
    }

    @Test func `wire-reports 10: a plaintext that does not fit into one record is refused`() throws {
        let overhead = try WebPushPayload.plaintext(for: .init(message: "x")).count - 1
        let most = String(repeating: "x", count: 3993 - overhead)
        #expect(try WebPushPayload.plaintext(for: .init(message: most)).count == 3993)
        let error = #expect(throws: NotificationRejection.self) {
            try WebPushPayload.plaintext(for: .init(message: most + "x"))
        }
        #expect(error?.field == "message")
    }

    @Test(arguments: [
        "http://push.example.com/1", "https://", "https://user@push.example.com/1", "https://a/#b", "https://a\\b/c",
        "javascript:alert(1)", "https://a/ b", "https://a/" + String(repeating: "x", count: 2_048), "",
    ])
    func `a subscription that is no plain https URL is refused`(_ token: String) {
        #expect(throws: NotificationRejection.self) {
            try WebPushRequestBuilder().previewRequest(
                for: Messages.message(PushNotification(title: "T"), token: token, platform: .web), now: Date())
        }
    }
}
