import FoundationEssentials
import HTTPClient
import Push
import Testing

@testable import Providers

@Suite struct WNSRequestBuilderTests {
    private func body(_ fields: PushNotification.Fields) throws -> String {
        String(decoding: try WNSPayload.body(for: fields), as: UTF8.self)
    }

    private func headers(_ fields: PushNotification.Fields) throws -> [String: String] {
        let message = try WNSRequestBuilder().shared(for: PushNotification(fields), now: Date(timeIntervalSince1970: 0))
        return Dictionary(uniqueKeysWithValues: message.headers.map { ($0.name, $0.value) })
    }

    @Test(
        arguments: [
            (
                .init(title: "T", message: "M"),
                "<toast><visual><binding template=\"ToastGeneric\"><text>T</text><text>M</text></binding></visual></toast>"
            ),
            (
                .init(title: "a<b> & \"c\"", sound: "none", deepLink: "app://x?a=1&b=\"2\"\n"),
                "<toast launch=\"app://x?a=1&amp;b=&quot;2&quot;&#10;\"><visual><binding template=\"ToastGeneric\">"
                    + "<text>a&lt;b&gt; &amp; &quot;c&quot;</text></binding></visual><audio silent=\"true\"/></toast>"
            ),
            (
                .init(title: "T", deepLink: "app://x", windows: .init(launch: "app://y")),
                "<toast launch=\"app://y\"><visual><binding template=\"ToastGeneric\"><text>T</text></binding></visual></toast>"
            ),
            (.init(badge: 7, windows: .init(kind: .badge)), "<badge value=\"7\"/>"),
            (.init(windows: .init(kind: .badge)), "<badge value=\"0\"/>"),
            (.init(title: "T", windows: .init(kind: .tile, payload: "<tile/>")), "<tile/>"),
            (
                .init(title: "T", message: "M", deepLink: "d", data: ["b": "2", "a": "1"], windows: .init(kind: .raw)),
                #"{"title":"T","message":"M","a":"1","b":"2","deeplink":"d"}"#
            ),
        ] as [(PushNotification.Fields, String)])
    func `the body fits its kind`(_ fields: PushNotification.Fields, _ expected: String) throws {
        #expect(try body(fields) == expected)
    }

    @Test(
        arguments: [
            (.init(title: "T", windows: .init(kind: .tile)), "windows.payload"),
            (.init(title: "T", data: ["title": "x"], windows: .init(kind: .raw)), "data.title"),
            (.init(title: "a\u{1}b"), "title"), (.init(message: String(repeating: "x", count: 5_000)), "message"),
            (.init(windows: .init(kind: .raw, payload: String(repeating: "é", count: 2_501))), "windows.payload"),
        ] as [(PushNotification.Fields, String)])
    func `what WNS would refuse is refused by name`(_ fields: PushNotification.Fields, _ field: String) {
        let error = #expect(throws: NotificationRejection.self) { try body(fields) }
        #expect(error?.field == field)
    }

    @Test func `the headers say kind, urgency and life`() throws {
        #expect(
            try headers(.init(title: "T")) == [
                "x-wns-type": "wns/toast", "content-type": "text/xml", "x-wns-requestforstatus": "true",
                "x-wns-priority": "1",
            ])
        let raw = try headers(
            .init(title: "T", collapseID: "c", timeToLive: .seconds(60), priority: .normal, windows: .init(kind: .raw)))
        #expect(raw["x-wns-type"] == "wns/raw" && raw["content-type"] == "application/octet-stream")
        #expect(raw["x-wns-priority"] == "3" && raw["x-wns-ttl"] == "60" && raw["x-wns-cache-policy"] == "cache")
        #expect(raw["x-wns-tag"] == nil)
    }

    @Test func `wire-reports 45: a time to live of zero goes with no caching`() throws {
        let headers = try headers(.init(title: "T", timeToLive: .zero))
        #expect(headers["x-wns-ttl"] == "0" && headers["x-wns-cache-policy"] == "no-cache")
    }

    @Test func `a collapse id becomes a tag of at most 16 letters and digits`() throws {
        #expect(try headers(.init(title: "T", collapseID: "Weekly1"))["x-wns-tag"] == "Weekly1")
        let hashed = try #require(try headers(.init(title: "T", collapseID: "weekly-digest"))["x-wns-tag"])
        #expect(hashed.utf8.count == 16 && hashed.allSatisfy { $0.isHexDigit })
    }
}
