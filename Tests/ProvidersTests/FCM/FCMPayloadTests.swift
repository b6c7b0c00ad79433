import JSON
import Push
import Testing

@testable import Providers

@Suite struct FCMPayloadTests {
    private func body(_ fields: PushNotification.Fields, token: String = "t") throws -> String {
        var writer = JSONWriter()
        return String(decoding: try FCMPayload(fields).body(token: token, using: &writer), as: UTF8.self)
    }

    @Test(
        arguments: [
            (
                .init(title: "T", message: "M"),
                #"{"message":{"token":"t","notification":{"title":"T","body":"M"},"android":{"priority":"HIGH"}}}"#
            ),
            (
                .init(message: "M", priority: .normal),
                #"{"message":{"token":"t","notification":{"body":"M"},"android":{"priority":"NORMAL"}}}"#
            ),
            // A data message: no notification, whatever else is set.
            (
                .init(title: "", sound: "default", data: ["b": "2", "a": "1"], android: .init(channelID: "c")),
                #"{"message":{"token":"t","data":{"a":"1","b":"2"},"android":{"priority":"HIGH"}}}"#
            ),
            // The deep link is data; click_action would name an intent.
            (
                .init(title: "T", deepLink: "app://x"),
                #"{"message":{"token":"t","notification":{"title":"T"},"data":{"deeplink":"app://x"},"#
                    + #""android":{"priority":"HIGH"}}}"#
            ),
            (
                .init(title: "T", deepLink: "app://x", data: ["deeplink": "app://y"]),
                #"{"message":{"token":"t","notification":{"title":"T"},"data":{"deeplink":"app://y"},"#
                    + #""android":{"priority":"HIGH"}}}"#
            ),
            (
                .init(
                    title: "T", badge: 3, sound: "s", collapseID: "k", timeToLive: .seconds(60),
                    android: .init(channelID: "c", icon: "i", color: "#e76f51", imageURL: "https://x/y", tag: "g")),
                #"{"message":{"token":"t","notification":{"title":"T"},"android":{"priority":"HIGH","ttl":"60s","#
                    + ##""collapse_key":"k","notification":{"channel_id":"c","icon":"i","color":"#e76f51","##
                    + #""image":"https://x/y","tag":"g","sound":"s","notification_count":3}}}}"#
            ),
        ] as [(PushNotification.Fields, String)])
    func `the body holds what is set and nothing else, in a fixed order`(
        _ fields: PushNotification.Fields, _ expected: String
    ) throws {
        #expect(try body(fields) == expected)
    }

    @Test func `a token is data, never syntax`() throws {
        let token = "a\"},\"topic\":\"all\\é\n"
        let json = try JSON(parsing: try body(.init(title: "T"), token: token))
        #expect(json["message"]?["token"] == .string(token))
        #expect(json["message"]?.objectValue?.keys == ["token", "notification", "android"])
    }

    @Test(
        arguments: [
            (.zero, "0s"), (.seconds(3600), "3600s"), (.milliseconds(1500), "2s"), (.seconds(2_419_200), "2419200s"),
            (nil, nil),
        ] as [(Duration?, String?)])
    func `wire-reports 32: the time to live is whole seconds as text, 0 included`(
        _ timeToLive: Duration?, _ expected: String?
    ) throws {
        let json = try JSON(parsing: try body(.init(title: "T", timeToLive: timeToLive)))
        #expect(json["message"]?["android"]?["ttl"]?.stringValue == expected)
    }

    @Test(
        arguments: [
            // wire-reports 31: the key is named.
            (.init(title: "T", data: ["from": "x"]), "data.from"),
            (.init(title: "T", data: ["message_type": "x"]), "data.message_type"),
            (.init(title: "T", data: ["google.a": "x"]), "data.google.a"),
            (.init(title: "T", data: ["gcm.b": "x", "ok": "y"]), "data.gcm.b"),
            (.init(title: "T", data: ["collapse_key": "x"]), "data.collapse_key"),
            // wire-reports 32: above four weeks.
            (.init(title: "T", timeToLive: .seconds(2_419_201)), "time_to_live"),
            (.init(title: "T", timeToLive: .seconds(-1)), "time_to_live"), (.init(title: "T", badge: -1), "badge"),
            (.init(title: "T", android: .init(color: "red")), "android.color"),
            (.init(title: "T", android: .init(color: "#12345g")), "android.color"),
        ] as [(PushNotification.Fields, String)])
    func `wire-reports 31 and 32: what FCM refuses is refused first, by name`(
        _ fields: PushNotification.Fields, _ field: String
    ) {
        let error = #expect(throws: NotificationRejection.self) { try FCMPayload(fields) }
        #expect(error?.field == field)
    }

    @Test func `wire-reports 10: keys and values are measured in bytes`() throws {
        // title (5 + 1), body (4), k (1 + 1).
        let most = String(repeating: "é", count: 2_042)
        #expect(throws: Never.self) { try FCMPayload(.init(title: "T", message: most, data: ["k": "v"])) }
        let error = #expect(throws: NotificationRejection.self) {
            try FCMPayload(.init(title: "T", message: most + "x", data: ["k": "v"]))
        }
        #expect(
            error?.description == "message is the heaviest field, with 4089 bytes, of a payload of 4097 bytes; "
                + "FCM takes at most 4096, so shorten it by 1 or more.")
    }
}
