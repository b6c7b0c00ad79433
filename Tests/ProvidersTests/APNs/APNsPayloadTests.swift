import JSON
import Push
import Testing

@testable import Providers

@Suite struct APNsPayloadTests {
    private func body(_ fields: PushNotification.Fields, limit: Int = 4096) throws -> JSON? {
        try APNsPayload.body(for: fields, limit: limit).json
    }

    @Test(
        arguments: [
            (.init(title: "T", message: "M"), #"{"aps":{"alert":{"title":"T","body":"M"}}}"#),
            (.init(message: "M"), #"{"aps":{"alert":{"body":"M"}}}"#),
            (.init(title: "", message: "M", sound: "", deepLink: ""), #"{"aps":{"alert":{"body":"M"}}}"#),
            (.init(title: "T", apple: .init(subtitle: "S")), #"{"aps":{"alert":{"title":"T","subtitle":"S"}}}"#),
            // Nothing visible and not silent either: an empty aps, and the data beside it.
            (.init(data: ["k": "v"]), #"{"aps":{},"k":"v"}"#),
            (.init(title: "T", deepLink: "app://x"), #"{"aps":{"alert":{"title":"T"}},"deeplink":"app://x"}"#),
            // The data's own deeplink wins.
            (
                .init(title: "T", deepLink: "app://x", data: ["deeplink": "app://y"]),
                #"{"aps":{"alert":{"title":"T"}},"deeplink":"app://y"}"#
            ),
            (
                .init(
                    title: "T",
                    apple: .init(
                        threadID: "th", category: "CAT", mutableContent: true, contentAvailable: true,
                        interruptionLevel: .timeSensitive, relevanceScore: 0.5, targetContentID: "tc")),
                #"{"aps":{"alert":{"title":"T"},"content-available":1,"mutable-content":1,"category":"CAT","#
                    + #""thread-id":"th","interruption-level":"time-sensitive","relevance-score":0.5,"#
                    + #""target-content-id":"tc"}}"#
            ),
        ] as [(PushNotification.Fields, String)])
    func `the body holds what is set and nothing else, in a fixed order`(
        _ fields: PushNotification.Fields, _ expected: String
    ) throws {
        let bytes = try APNsPayload.body(for: fields, limit: 4096)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func `wire-reports 1: a badge of 0 is sent, no badge is not`() throws {
        #expect(try body(.init(title: "T", badge: 0))?["aps"]?["badge"] == 0)
        #expect(try body(.init(title: "T"))?["aps"]?["badge"] == nil)
        #expect(try body(.init(title: "T", badge: 7))?["aps"]?["badge"] == 7)
    }

    @Test func `wire-reports 3: a silent push carries content-available alone`() throws {
        let fields = PushNotification.Fields(
            badge: 1, sound: "default", data: ["sync": "inbox"],
            apple: .init(subtitle: "S", threadID: "t", category: "C", mutableContent: true, contentAvailable: true))
        #expect(try body(fields) == ["aps": ["content-available": 1], "sync": "inbox"])
    }

    @Test func `wire-reports 7: a named sound stays a string`() throws {
        for level in [nil] + ApplePushOptions.InterruptionLevel.allCases.map(Optional.some) {
            let fields = PushNotification.Fields(title: "T", sound: "chime.caf", apple: .init(interruptionLevel: level))
            #expect(try body(fields)?["aps"]?["sound"] == "chime.caf")
        }
    }

    @Test func `wire-reports 9: a push without alert text has no alert`() throws {
        #expect(try body(.init(badge: 3)) == ["aps": ["badge": 3]])
        #expect(try body(.init(title: "", message: "", sound: "default")) == ["aps": ["sound": "default"]])
    }

    @Test func `wire-reports 29: data values are strings, whatever they look like`() throws {
        let fields = PushNotification.Fields(title: "T", data: ["n": "1", "b": "true", "j": "{\"a\":1}", "e": ""])
        let payload = try body(fields)
        #expect(payload?["n"] == "1" && payload?["b"] == "true" && payload?["j"] == "{\"a\":1}" && payload?["e"] == "")
    }

    @Test func `equal fields give equal bytes, keys in a fixed order`() throws {
        let data = Dictionary(uniqueKeysWithValues: (0..<50).map { ("key\($0)", "v") })
        let fields = PushNotification.Fields(title: "T", data: data)
        let bytes = try APNsPayload.body(for: fields, limit: 4096)
        #expect(bytes.json?.objectValue?.keys == ["aps"] + data.keys.sorted())
    }

    @Test(
        arguments: [
            (.init(title: "T", data: ["aps": "x"]), "data.aps"), (.init(title: "T", badge: -1), "badge"),
            (.init(title: "T", apple: .init(relevanceScore: 1.1)), "apple.relevance_score"),
            (.init(title: "T", apple: .init(relevanceScore: .nan)), "apple.relevance_score"),
        ] as [(PushNotification.Fields, String)])
    func `what APNs would misread is refused by name`(_ fields: PushNotification.Fields, _ field: String) {
        let error = #expect(throws: NotificationRejection.self) { try APNsPayload.body(for: fields, limit: 4096) }
        #expect(error?.field == field)
    }

    @Test func `wire-reports 10: the body is measured in UTF-8 bytes to the last one`() throws {
        // {"aps":{"alert":{"body":"…"}}} is 30 bytes without its text.
        let overhead = try APNsPayload.body(for: .init(message: "x"), limit: 4096).count - 1
        let fits =
            String(repeating: "€", count: (4096 - overhead) / 3) + String(repeating: "x", count: (4096 - overhead) % 3)
        #expect(try APNsPayload.body(for: .init(message: fits), limit: 4096).count == 4096)
        let error = #expect(throws: NotificationRejection.self) {
            try APNsPayload.body(for: .init(title: "T", message: fits + "x", data: ["k": "v"]), limit: 4096)
        }
        #expect(error?.field == "message")
        #expect(
            error?.description == "message is the heaviest field, with 4078 bytes, of a payload of 4117 bytes; "
                + "APNs takes at most 4096, so shorten it by 21 or more.")
        let data = #expect(throws: NotificationRejection.self) {
            try APNsPayload.body(
                for: .init(title: "T", data: ["big": String(repeating: "\n", count: 2_100)]), limit: 4096)
        }
        #expect(data?.field == "data.big")
        #expect(throws: Never.self) { try APNsPayload.body(for: .init(message: fits + "x"), limit: 5120) }
    }
}
