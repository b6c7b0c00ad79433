import FoundationEssentials
import HTTPClient
import Push
import Testing

@testable import Providers

@Suite struct APNsResponseTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func outcome(_ status: Int, _ body: String = "", headers: [HTTPHeader] = []) -> PushOutcome {
        APNsResponse.outcome(
            HTTPResponse(status: status, headers: headers, body: Array(body.utf8)), messageID: "sent-id", now: now)
    }

    @Test(arguments: APNsReasons.all)
    func `every reason has its outcome, whatever the HTTP status`(_ row: ProviderReason) {
        for httpStatus in row.httpStatuses + [400, 500] {
            let outcome = outcome(httpStatus, "{\"reason\":\"\(row.name)\"}")
            #expect(outcome.status == row.status)
            #expect(outcome.reason == row.name)
        }
    }

    @Test func `wire-reports 44: the tokens of four reasons are given up, no others`() {
        let pruned = APNsReasons.all.filter { [.invalidToken, .tokenExpired].contains($0.status) }.map(\.name)
        #expect(pruned.sorted() == ["BadDeviceToken", "DeviceTokenNotForTopic", "ExpiredToken", "Unregistered"])
        let stopping = APNsReasons.all.filter { $0.status == .configurationError }.map(\.name)
        #expect(stopping.count == 12)
        #expect(Set(APNsReasons.all.map(\.name)).count == 32)
    }

    @Test(arguments: [400, 410, 200 + 211])
    func `wire-reports 27: ExpiredToken ends a token at any status`(_ httpStatus: Int) {
        #expect(outcome(httpStatus, "{\"reason\":\"ExpiredToken\"}").status == .tokenExpired)
    }

    @Test(
        arguments: [
            (400, "{\"reason\":\"NewReason\"}", .error, "NewReason"),
            (403, "{\"reason\":\"NewReason\"}", .error, "NewReason"),
            (500, "{\"reason\":\"NewReason\"}", .unavailable, "NewReason"),
            (418, "", .error, "HTTP status 418"), (403, "", .configurationError, "HTTP status 403"),
            (410, "", .tokenExpired, "HTTP status 410"), (413, "", .messageRejected, "HTTP status 413"),
            (429, "not json", .rateLimited, "HTTP status 429"), (502, "<html>", .unavailable, "HTTP status 502"),
            (302, "", .error, "HTTP status 302"), (400, "{\"reason\":7}", .error, "HTTP status 400"),
            (400, "[]", .error, "HTTP status 400"),
        ] as [(Int, String, PushDeliveryStatus, String)])
    func `an unknown answer goes by its HTTP status`(
        _ httpStatus: Int, _ body: String, _ status: PushDeliveryStatus, _ reason: String
    ) {
        let outcome = outcome(httpStatus, body)
        #expect(outcome.status == status)
        #expect(outcome.reason == reason)
    }

    @Test(
        arguments: [
            ("1700000000000", 1_700_000_000), ("1700000000", 1_700_000_000), ("1700000000123", 1_700_000_000.123),
            ("0", nil), ("-5", nil), ("\"1700000000\"", nil), ("1e300", nil), ("null", nil),
        ] as [(String, TimeInterval?)])
    func `wire-reports 25: the time of death is kept, in milliseconds or seconds`(
        _ timestamp: String, _ seconds: TimeInterval?
    ) {
        let outcome = outcome(410, "{\"reason\":\"Unregistered\",\"timestamp\":\(timestamp)}")
        #expect(outcome.status == .tokenExpired)
        #expect(outcome.tokenInvalidSince == seconds.map { Date(timeIntervalSince1970: $0) })
    }

    @Test func `success keeps the id that Apple echoes, or ours`() {
        #expect(outcome(200, headers: [HTTPHeader("apns-id", "echoed")]).providerMessageID == "echoed")
        #expect(outcome(200).providerMessageID == "sent-id")
        #expect(outcome(200).status == .success)
        #expect(outcome(200).reason == nil)
    }

    @Test func `the time to wait is passed on`() {
        let outcome = outcome(429, "{\"reason\":\"TooManyRequests\"}", headers: [HTTPHeader("retry-after", "7")])
        #expect(outcome.retryAfter == .seconds(7))
    }
}
