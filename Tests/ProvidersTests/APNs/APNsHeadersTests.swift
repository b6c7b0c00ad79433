import FoundationEssentials
import HTTPClient
import Push
import Testing

@testable import Providers

@Suite struct APNsHeadersTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000.9)

    private func headers(_ fields: PushNotification.Fields) throws -> [String: String] {
        let type = try APNsHeaders.pushType(fields)
        let headers = try APNsHeaders.fields(for: fields, type: type, bundleID: "com.example.app", now: now)
        return Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value) })
    }

    @Test func `an ordinary push has topic, type and priority, and nothing it does not need`() throws {
        #expect(
            try headers(.init(title: "T")) == [
                "apns-topic": "com.example.app", "apns-push-type": "alert", "apns-priority": "10",
                "content-type": "application/json",
            ])
    }

    @Test(
        arguments: [
            (.init(title: "T"), "alert", "10"),
            (.init(title: "T", priority: .normal), "alert", "5"),
            (.init(title: "T", apple: .init(contentAvailable: true)), "alert", "10"),
            (.init(message: "M", apple: .init(contentAvailable: true)), "alert", "10"),
            (.init(badge: 3), "alert", "10"),
            // wire-reports 5: a silent push never goes out with 10.
            (.init(apple: .init(contentAvailable: true)), "background", "5"),
            (.init(title: "", priority: .high, apple: .init(contentAvailable: true)), "background", "5"),
            (.init(priority: .high, apple: .init(contentAvailable: true, pushTypeOverride: "alert")), "alert", "5"),
            (.init(title: "T", priority: .high, apple: .init(pushTypeOverride: "background")), "background", "5"),
            (.init(title: "T", apple: .init(pushTypeOverride: "voip")), "voip", "10"),
        ] as [(PushNotification.Fields, String, String)])
    func `wire-reports 5: type and priority fit the payload`(
        _ fields: PushNotification.Fields, _ type: String, _ priority: String
    ) throws {
        #expect(try headers(fields)["apns-push-type"] == type)
        #expect(try headers(fields)["apns-priority"] == priority)
    }

    @Test(arguments: [
        ("alert", ""), ("background", ""), ("voip", ".voip"), ("complication", ".complication"),
        ("fileprovider", ".pushkit.fileprovider"), ("location", ".location-query"), ("pushtotalk", ".voip-ptt"),
        ("controls", ".push-type.controls"), ("widgets", ".push-type.widgets"),
    ])
    func `the topic has the suffix of the push type`(_ type: String, _ suffix: String) throws {
        let fields = PushNotification.Fields(title: "T", apple: .init(pushTypeOverride: type))
        #expect(try headers(fields)["apns-topic"] == "com.example.app" + suffix)
        let overridden = PushNotification.Fields(
            title: "T", apple: .init(topicOverride: "com.example.other", pushTypeOverride: type))
        #expect(try headers(overridden)["apns-topic"] == "com.example.other")
    }

    @Test(
        arguments: [
            (nil, nil), (.zero, "0"), (.seconds(60), "1800000060"), (.milliseconds(1), "1800000001"),
            (.seconds(4_000_000_000), "5800000000"), (.seconds(Int64.max), "9223372036854775807"),
        ] as [(Duration?, String?)])
    func `the expiration is an absolute time, 0 for now or never, and absent without a time to live`(
        _ timeToLive: Duration?, _ expiration: String?
    ) throws {
        #expect(try headers(.init(title: "T", timeToLive: timeToLive))["apns-expiration"] == expiration)
    }

    @Test func `wire-reports 13: a collapse id is measured in bytes`() throws {
        let longest = String(repeating: "é", count: 32)
        #expect(try headers(.init(title: "T", collapseID: longest))["apns-collapse-id"] == longest)
        let error = #expect(throws: NotificationRejection.self) {
            try headers(.init(title: "T", collapseID: longest + "x"))
        }
        #expect(error?.description == "collapse_id is 65 bytes long; APNs takes at most 64, so shorten it.")
        #expect(try headers(.init(title: "T", collapseID: ""))["apns-collapse-id"] == nil)
    }

    @Test(
        arguments: [
            (.init(title: "T", collapseID: "a\r\nx-injected: 1"), "collapse_id"),
            (.init(title: "T", collapseID: " a"), "collapse_id"),
            (.init(title: "T", timeToLive: .seconds(-1)), "time_to_live"),
            (.init(title: "T", apple: .init(topicOverride: "a\nb")), "apple.topic_override"),
            (.init(title: "T", apple: .init(pushTypeOverride: "Alert")), "apple.push_type_override"),
            (.init(title: "T", apple: .init(pushTypeOverride: "liveactivity")), "apple.push_type_override"),
            (.init(title: "T", apple: .init(pushTypeOverride: "mdm")), "apple.topic_override"),
        ] as [(PushNotification.Fields, String)])
    func `a value that no header may have is refused by name`(_ fields: PushNotification.Fields, _ field: String) {
        let error = #expect(throws: NotificationRejection.self) { try headers(fields) }
        #expect(error?.field == field)
    }
}
