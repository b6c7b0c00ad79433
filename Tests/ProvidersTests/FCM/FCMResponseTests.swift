import FoundationEssentials
import HTTPClient
import Push
import Testing

@testable import Providers

@Suite struct FCMResponseTests {
    private let now = Date(timeIntervalSince1970: 784_111_740)

    private func outcome(_ status: Int, _ body: String, headers: [HTTPHeader] = []) -> PushOutcome {
        FCMResponse.outcome(HTTPResponse(status: status, headers: headers, body: Array(body.utf8)), now: now)
    }

    /// The body of a refusal, as FCM sends it.
    private static func body(
        _ status: String, code: String? = nil, field: String? = nil, message: String = "said so"
    ) -> String {
        var details: [String] = []
        // The order in which Google sends the details is not promised, so FCM's own stands last here.
        if let field {
            details.append(
                #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"\#(field)"}]}"#)
        }
        if let code {
            details.append(
                #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}"#)
        }
        return
            #"{"error":{"code":400,"message":"\#(message)","status":"\#(status)","details":[\#(details.joined(separator: ","))]}}"#
    }

    @Test func `success keeps the name of the message`() {
        let outcome = outcome(200, #"{"name":"projects/p/messages/0:1"}"#)
        #expect(outcome.status == .success && outcome.providerMessageID == "projects/p/messages/0:1")
        #expect(self.outcome(200, "").status == .success)
    }

    @Test(
        arguments: [
            // wire-reports 34: FCM's own code before Google's status.
            (404, body("NOT_FOUND", code: "UNREGISTERED"), .tokenExpired, "UNREGISTERED"),
            (403, body("PERMISSION_DENIED", code: "SENDER_ID_MISMATCH"), .invalidToken, "SENDER_ID_MISMATCH"),
            (429, body("RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED"), .rateLimited, "QUOTA_EXCEEDED"),
            (500, body("INTERNAL", code: "INTERNAL"), .unavailable, "INTERNAL"),
            (503, body("UNAVAILABLE", code: "UNAVAILABLE"), .unavailable, "UNAVAILABLE"),
            // wire-reports 37: Google's text speaks of OAuth and is not shown.
            (
                401, body("UNAUTHENTICATED", code: "THIRD_PARTY_AUTH_ERROR", message: "Expected OAuth 2 access token"),
                .configurationError, "THIRD_PARTY_AUTH_ERROR"
            ),
            (401, body("UNAUTHENTICATED", code: "APNS_AUTH_ERROR"), .configurationError, "APNS_AUTH_ERROR"),
            // Without FCM's code nothing is known about the token.
            (404, body("NOT_FOUND"), .configurationError, "NOT_FOUND: said so"),
            (404, "<html>", .configurationError, "NOT_FOUND"),
            (403, body("PERMISSION_DENIED"), .configurationError, "PERMISSION_DENIED: said so"),
            (401, body("UNAUTHENTICATED"), .configurationError, "UNAUTHENTICATED: said so"),
            (401, "", .configurationError, "UNAUTHENTICATED"),
            // INVALID_ARGUMENT is about the message unless it names the token.
            (400, body("INVALID_ARGUMENT", code: "INVALID_ARGUMENT"), .messageRejected, "INVALID_ARGUMENT: said so"),
            (400, body("INVALID_ARGUMENT", field: "message.token"), .invalidToken, "INVALID_ARGUMENT"),
            (
                400, body("INVALID_ARGUMENT", field: "message.android.ttl"), .messageRejected,
                "INVALID_ARGUMENT: said so"
            ),
            (
                400,
                body(
                    "INVALID_ARGUMENT", code: "INVALID_ARGUMENT",
                    message: "The registration token is not a valid FCM registration token"),
                .invalidToken, "INVALID_ARGUMENT"
            ),
            (
                400,
                body(
                    "INVALID_ARGUMENT", code: "INVALID_ARGUMENT", field: "message.data",
                    message: "Invalid data beside a registration token"),
                .messageRejected, "INVALID_ARGUMENT: Invalid data beside a registration token"
            ),
            // Unspecified and unknown ones go by the HTTP status.
            (503, body("UNAVAILABLE", code: "UNSPECIFIED_ERROR"), .unavailable, "UNAVAILABLE"),
            (400, body("FAILED_PRECONDITION"), .error, "FAILED_PRECONDITION"),
            (418, "", .error, "HTTP status 418"), (502, "<html>", .unavailable, "HTTP status 502"),
            (429, "", .rateLimited, "HTTP status 429"), (302, "", .error, "HTTP status 302"),
            (400, #"{"error":"text"}"#, .error, "HTTP status 400"),
            (404, #"{"error":{"details":7}}"#, .configurationError, "NOT_FOUND"),
        ] as [(Int, String, PushDeliveryStatus, String)])
    func `an answer becomes its outcome`(
        _ httpStatus: Int, _ body: String, _ status: PushDeliveryStatus, _ reason: String
    ) {
        let outcome = outcome(httpStatus, body)
        #expect(outcome.status == status)
        #expect(outcome.reason == reason)
    }

    @Test(arguments: FCMReasons.all)
    func `every row of the table is what its code leads to`(_ row: ProviderReason) {
        for httpStatus in row.httpStatuses {
            #expect(outcome(httpStatus, Self.body("WHATEVER", code: row.name)).status == row.status)
        }
        #expect(ProviderReason.advice(for: "\(row.name): with text", from: "fcm:app") == row.advice)
    }

    @Test func `wire-reports 44: the tokens of two codes are given up, and of one that names the token`() {
        let pruned = FCMReasons.all.filter { [.invalidToken, .tokenExpired].contains($0.status) }.map(\.name)
        #expect(pruned == ["UNREGISTERED", "SENDER_ID_MISMATCH"])
    }

    @Test(
        arguments: [
            (429, "30", .seconds(30)), (503, "Sun, 06 Nov 1994 08:49:37 GMT", .seconds(37)),
            // Google asks for a minute where it gives no time after a 429.
            (429, nil, .seconds(60)), (503, nil, nil),
        ] as [(Int, String?, Duration?)])
    func `the time to wait is passed on`(_ httpStatus: Int, _ header: String?, _ expected: Duration?) {
        let headers = header.map { [HTTPHeader("retry-after", $0)] } ?? []
        #expect(outcome(httpStatus, "", headers: headers).retryAfter == expected)
    }
}
