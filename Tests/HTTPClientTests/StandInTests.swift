import Crypto
import Foundation
import HTTPClient
import TestSupport
import Testing

private func file(_ name: String) throws -> String {
    try String(contentsOfFile: LoopbackServers.certificates() + "/" + name, encoding: .utf8)
}

private func decoded<Value: Decodable>(_: Value.Type, _ bytes: [UInt8]) throws -> Value {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Value.self, from: Data(bytes))
}

/// The stand-in for APNs notices what Apple would.
@Suite struct APNsStandInTests {
    private struct Push {
        var token = String(repeating: "ab", count: 32)
        var path: String?
        var method = "POST"
        var headers: [String: String] = ["apns-push-type": "alert", "apns-topic": "com.example.app"]
        var authorization: String?
        var body = #"{"aps":{"alert":{"title":"Hello"},"badge":1}}"#

        func with(_ header: String, _ value: String?) -> Push {
            var push = self
            push.headers[header] = value
            return push
        }

        func with(token: String) -> Push {
            var push = self
            push.token = token
            return push
        }

        func with(body: String) -> Push {
            var push = self
            push.body = body
            return push
        }
    }

    private func providerToken(keyID: String = "ABC123DEFG", team: String = "DEF123GHIJ", issued: Int) throws -> String
    {
        let key = try SigningKey(pem: file("AuthKey.p8"), algorithm: .es256)
        return try JSONWebToken.signed(
            header: Array(#"{"alg":"ES256","kid":"\#(keyID)"}"#.utf8),
            claims: Array(#"{"iss":"\#(team)","iat":\#(issued)}"#.utf8), with: key)
    }

    @Test func `it answers each violation with Apple's reason`() async throws {
        let server = try LoopbackServers.python(
            "apns_server.py",
            ["--key-id", "ABC123DEFG", "--team-id", "DEF123GHIJ", "--topic", "com.example.app", "--now", "1000000"])
        let client = try Implementation.curl.client()
        let plain = Push()
        let silent = plain.with("apns-push-type", "background").with("apns-priority", "5")
            .with(body: #"{"aps":{"content-available":1}}"#)
        var wrongPath = plain
        wrongPath.path = "/2/device/ab"
        var wrongMethod = plain
        wrongMethod.method = "PUT"
        var noToken = plain
        noToken.authorization = ""
        var oldToken = plain
        oldToken.authorization = try providerToken(issued: 990_000)
        var wrongKey = plain
        wrongKey.authorization = try providerToken(keyID: "XXXXXXXXXX", issued: 1_000_000)
        var newToken = plain
        newToken.authorization = try providerToken(issued: 999_900)
        let cases: [(Push, Int, String?)] = [
            (plain, 200, nil), (silent, 200, nil),
            (wrongPath, 404, "BadPath"), (wrongMethod, 405, "MethodNotAllowed"),
            (noToken, 403, "MissingProviderToken"), (wrongKey, 403, "InvalidProviderToken"),
            (newToken, 429, "TooManyProviderTokenUpdates"), (oldToken, 403, "ExpiredProviderToken"),
            (plain.with("apns-topic", nil), 400, "MissingTopic"),
            (plain.with("apns-topic", "com.other"), 400, "TopicDisallowed"),
            (plain.with("apns-push-type", nil), 400, "InvalidPushType"),
            (plain.with("apns-push-type", "background"), 400, "BadPriority"),
            (silent.with(body: plain.body), 400, "InvalidPushType"),
            (plain.with("apns-id", "123E4567-E89B-12D3-A456-426614174000"), 400, "BadMessageId"),
            (plain.with("apns-expiration", "1.5"), 400, "BadExpirationDate"),
            (plain.with("apns-collapse-id", String(repeating: "é", count: 33)), 400, "BadCollapseId"),
            (plain.with(body: #"{"aps":{"badge":"1"}}"#), 400, "PayloadEmpty"),
            (
                plain.with(body: #"{"aps":{"alert":"\#(String(repeating: "a", count: 4_080))"}}"#), 413,
                "PayloadTooLarge"
            ),
            (plain.with(token: "xyz"), 400, "BadDeviceToken"),
            (plain.with(token: "dead" + plain.token), 410, "Unregistered"),
            (plain.with(token: "4290" + plain.token), 429, "TooManyRequests"),
            (plain.with(token: "5030" + plain.token), 503, "ServiceUnavailable"),
        ]
        let valid = try providerToken(issued: 1_000_000)
        for (push, status, reason) in cases {
            var headers = push.headers.map { HTTPHeader($0.key, $0.value) }
            if push.authorization != "" {
                headers.append(HTTPHeader("authorization", "bearer " + (push.authorization ?? valid)))
            }
            let request = HTTPRequest(
                method: push.method, path: push.path ?? "/3/device/" + push.token, headers: headers,
                body: Array(push.body.utf8))
            let response = try await client.send([request], to: server.origin)[0].get()
            let answer = String(decoding: response.body, as: UTF8.self)
            #expect(response.status == status, "\(push): \(answer)")
            let isExpected = reason.map { answer.contains("\"reason\": \"\($0)\"") } ?? answer.isEmpty
            #expect(isExpected, "\(push): \(answer)")
            if status == 410 { #expect(answer.contains("\"timestamp\": 1000000000")) }
        }
        await client.shutdown()
    }
}

/// The stand-in for FCM notices what Google would.
@Suite struct FCMStandInTests {
    private struct Grant: Decodable {
        var accessToken: String
    }

    private func assertion(issued: Int, scope: String) throws -> String {
        struct Account: Decodable {
            var privateKey: String
            var clientEmail: String
            var tokenUri: String
        }
        let account = try decoded(Account.self, Array(try file("service-account.json").utf8))
        let key = try SigningKey(pem: account.privateKey, algorithm: .rs256)
        let claims = """
            {"iss":"\(account.clientEmail)","aud":"\(account.tokenUri)","scope":"\(scope)",\
            "iat":\(issued),"exp":\(issued + 3_600)}
            """
        return try JSONWebToken.signed(
            header: Array(#"{"alg":"RS256","typ":"JWT"}"#.utf8), claims: Array(claims.utf8), with: key)
    }

    private func grantRequest(_ assertion: String) -> HTTPRequest {
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=" + assertion
        return HTTPRequest(
            method: "POST", path: "/token", headers: [HTTPHeader("content-type", "application/x-www-form-urlencoded")],
            body: Array(form.utf8))
    }

    @Test func `it gives tokens for good assertions and Google's errors for bad messages`() async throws {
        let server = try LoopbackServers.python("fcm_server.py", ["--now", "1000000", "--retry-after", "7"])
        let client = try Implementation.curl.client()
        let scope = "https://www.googleapis.com/auth/firebase.messaging"
        let grants = await client.send(
            [
                grantRequest(try assertion(issued: 1_000_000, scope: scope)),
                grantRequest(try assertion(issued: 990_000, scope: scope)),
                grantRequest(try assertion(issued: 1_000_000, scope: "https://www.googleapis.com/auth/drive")),
            ], to: server.origin)
        #expect(try grants.map { try $0.get().status } == [200, 400, 400])
        let access = try decoded(Grant.self, try grants[0].get().body).accessToken

        let cases: [(String, Int, String)] = [
            (
                #"{"message":{"token":"good","notification":{"title":"Hello"},"data":{"kind":"digest"}}}"#, 200,
                "projects/"
            ),
            (#"{"message":{"token":"good","data":{"count":1}}}"#, 400, "BadRequest"),
            (#"{"message":{"token":"good","data":{"from":"me"}}}"#, 400, "BadRequest"),
            (#"{"message":{"token":"good","topic":"news"}}"#, 400, "BadRequest"),
            (#"{"message":{"token":"good","android":{"ttl":"60"}}}"#, 400, "message.android.ttl"),
            (#"{"message":{"token":"good","surprise":1}}"#, 400, "message.surprise"),
            (#"{"message":{"token":"UNREGISTERED-1"}}"#, 404, #""errorCode": "UNREGISTERED""#),
            (#"{"message":{"token":"SENDER_ID_MISMATCH-1"}}"#, 403, "SENDER_ID_MISMATCH"),
            (#"{"message":{"token":"QUOTA_EXCEEDED-1"}}"#, 429, "RESOURCE_EXHAUSTED"),
            (#"{"message":{"token":"UNAVAILABLE-1"}}"#, 503, "UNAVAILABLE"),
            (#"{"message":{"token":"THIRD_PARTY_AUTH_ERROR-1"}}"#, 401, "THIRD_PARTY_AUTH_ERROR"),
        ]
        for (body, status, text) in cases {
            let request = HTTPRequest(
                method: "POST", path: "/v1/projects/loopback-project/messages:send",
                headers: [
                    HTTPHeader("authorization", "Bearer " + access), HTTPHeader("content-type", "application/json"),
                ], body: Array(body.utf8))
            let response = try await client.send([request], to: server.origin)[0].get()
            let answer = String(decoding: response.body, as: UTF8.self)
            #expect(response.status == status, "\(body): \(answer)")
            #expect(answer.contains(text), "\(body): \(answer)")
            #expect((response.header("retry-after") == "7") == (status == 429 || status == 503))
        }
        let stranger = HTTPRequest(
            method: "POST", path: "/v1/projects/loopback-project/messages:send",
            headers: [HTTPHeader("authorization", "Bearer stranger")], body: [1])
        #expect(try await client.send([stranger], to: server.origin)[0].get().status == 401)
        await client.shutdown()
    }
}
