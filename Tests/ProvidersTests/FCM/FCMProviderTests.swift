import FoundationEssentials
import HTTPClient
import JSON
import Push
import Synchronization
import Testing

@testable import Providers

@Suite struct FCMProviderTests {
    private let clock = ManualClock(1_700_000_000)

    /// Answers token requests with `token-1`, `token-2` and so on.
    private static func tokens(lifetime: Int = 3600) -> FakeHTTPClient {
        FakeHTTPClient { _, number in
            let body = #"{"access_token":"token-\#(number + 1)","expires_in":\#(lifetime),"token_type":"Bearer"}"#
            return .success(HTTPResponse(status: 200, body: Array(body.utf8)))
        }
    }

    private func provider(
        _ client: FakeHTTPClient, tokens: FakeHTTPClient? = nil, app: String? = nil
    ) throws -> FCMProvider {
        FCMProvider(
            try FCMConfiguration(appID: app, serviceAccount: try ServiceAccounts.account()), client: client,
            tokenClient: tokens ?? Self.tokens(), clock: clock.wallClock)
    }

    private func refusal(_ status: Int, _ code: String) -> Result<HTTPResponse, HTTPFailure> {
        .success(HTTPResponse(status: status, body: Array(#"{"error":{"status":"\#(code)"}}"#.utf8)))
    }

    @Test func `a provider serves the Android devices of its own app`() throws {
        let client = FakeHTTPClient()
        let (main, other) = (try provider(client), try provider(client, app: "consumer"))
        #expect(main.identifier == "fcm" && other.identifier == "fcm:consumer")
        let note = PushNotification(title: "T")
        for platform in Platform.allCases {
            #expect(
                main.canDeliver(to: Messages.message(note, platform: platform).registration) == (platform == .android))
            #expect(!other.canDeliver(to: Messages.message(note, platform: platform).registration))
        }
        #expect(other.canDeliver(to: Messages.message(note, platform: .android, app: "consumer").registration))
    }

    @Test func `a request has path, bearer and body`() async throws {
        let client = FakeHTTPClient(status: 200, body: #"{"name":"projects/test-project/messages/1"}"#)
        let message = Messages.message(PushNotification(title: "T"), token: "device:1", platform: .android)
        let fcm = try provider(client)
        let outcomes = try await fcm.send([message])
        #expect(outcomes == [PushOutcome(.success, providerMessageID: "projects/test-project/messages/1")])
        let request = try #require(client.requests.first)
        #expect(client.batches[0].origin.description == "https://fcm.googleapis.com")
        #expect(request.method == "POST" && request.path == "/v1/projects/test-project/messages:send")
        #expect(request.header("authorization") == "Bearer token-1")
        #expect(request.header("content-type") == "application/json")
        #expect(request.body.json?["message"]?["token"] == "device:1")
        let preview = try fcm.previewRequest(for: message)
        #expect(preview.body == request.body && preview.path == request.path)
        #expect(preview.headers.map(\.name) == request.allHeaders.map(\.name))
        #expect(preview.headers[0] == .init("authorization", "<redacted>"))
    }

    @Test func `PyJWT verifies the assertion and finds what Google asks for`() async throws {
        let tokens = Self.tokens()
        // PyJWT looks at the machine's clock, so this one test must too.
        let now = Date()
        let fcm = FCMProvider(
            try FCMConfiguration(serviceAccount: try ServiceAccounts.account()), client: FakeHTTPClient(),
            tokenClient: tokens, clock: .fixed(now))
        _ = try await fcm.send(Messages.page(1, platform: .android))
        let request = try #require(tokens.requests.first)
        #expect(tokens.batches[0].origin.description == "https://oauth2.googleapis.com" && request.path == "/token")
        #expect(request.header("content-type") == "application/x-www-form-urlencoded")
        let form = String(decoding: request.body, as: UTF8.self).split(separator: "&")
        #expect(form[0] == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer")
        let assertion = String(form[1].dropFirst("assertion=".count))
        // A form would change what needs escapes; a token has nothing of the kind.
        #expect(assertion.utf8.allSatisfy { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "=") })
        let found = try #require(
            try TestKeys.verified([assertion], key: "rsa public", algorithm: "RS256").first)
        #expect(found["header"] == ["alg": "RS256", "typ": "JWT", "kid": "key-1"])
        #expect(
            found["claims"] == [
                "iss": "sender@test-project.example.com", "aud": "https://oauth2.googleapis.com/token",
                "scope": "https://www.googleapis.com/auth/firebase.messaging",
                "iat": .int(Int64(now.timeIntervalSince1970)),
                "exp": .int(Int64(now.timeIntervalSince1970) + 3600),
            ])
    }

    @Test func `however many pages go out at once, one token is fetched until five minutes before its end`()
        async throws
    {
        let (client, tokens) = (FakeHTTPClient(), Self.tokens())
        let fcm = try provider(client, tokens: tokens)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await fcm.send(Messages.page(20, platform: .android)) } }
            try await group.waitForAll()
        }
        #expect(tokens.requests.count == 1 && client.requests.count == 1_000)
        clock.advance(minutes: 54.9)
        _ = try await fcm.send(Messages.page(1, platform: .android))
        #expect(tokens.requests.count == 1)
        clock.advance(minutes: 0.1)
        _ = try await fcm.send(Messages.page(1, platform: .android))
        #expect(tokens.requests.count == 2)
        #expect(client.requests.last?.header("authorization") == "Bearer token-2")
    }

    @Test func `a token that still works is used when no new one is to be had`() async throws {
        let client = FakeHTTPClient()
        let tokens = FakeHTTPClient { _, number in
            number == 0
                ? .success(HTTPResponse(status: 200, body: Array(#"{"access_token":"first","expires_in":3600}"#.utf8)))
                : .success(HTTPResponse(status: 503))
        }
        let fcm = try provider(client, tokens: tokens)
        _ = try await fcm.send(Messages.page(1, platform: .android))
        clock.advance(minutes: 57)
        #expect(try await fcm.send(Messages.page(1, platform: .android)).map(\.status) == [.success])
        #expect(client.requests.last?.header("authorization") == "Bearer first")
        clock.advance(minutes: 3)
        #expect(try await fcm.send(Messages.page(1, platform: .android)).map(\.status) == [.unavailable])
    }

    @Test(
        arguments: [
            (
                400, #"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#, .configurationError,
                "no access token: invalid_grant: Invalid JWT Signature."
            ),
            (401, "", .configurationError, "no access token: HTTP status 401"),
            (500, "", .unavailable, "no access token: HTTP status 500"),
            (429, #"{"error":"slow"}"#, .unavailable, "no access token: slow"),
            (
                200, "{}", .configurationError,
                "no access token: the answer of https://oauth2.googleapis.com holds none; check token_endpoint"
            ),
            (
                200, #"{"access_token":"a\r\nx: y"}"#, .configurationError,
                "no access token: the answer of https://oauth2.googleapis.com holds none; check token_endpoint"
            ),
        ] as [(Int, String, PushDeliveryStatus, String)])
    func `without an access token nothing is sent, and the reason is Google's`(
        _ httpStatus: Int, _ body: String, _ status: PushDeliveryStatus, _ reason: String
    ) async throws {
        let (client, tokens) = (FakeHTTPClient(), FakeHTTPClient(status: httpStatus, body: body))
        let outcomes = try await provider(client, tokens: tokens).send(Messages.page(500, platform: .android))
        #expect(outcomes.count == 500)
        #expect(outcomes.allSatisfy { $0.status == status && $0.reason == reason })
        #expect(client.requests.isEmpty && tokens.requests.count == 1)
    }

    @Test func `an assertion that the token endpoint echoes is not repeated`() async throws {
        let tokens = FakeHTTPClient { request, _ in
            let echo: JSON = [
                "error": "invalid", "error_description": .string(String(decoding: request.body, as: UTF8.self)),
            ]
            return .success(HTTPResponse(status: 400, body: echo.serializedBytes()))
        }
        let outcomes = try await provider(FakeHTTPClient(), tokens: tokens).send(Messages.page(1, platform: .android))
        #expect(outcomes[0].reason == "no access token: HTTP status 400 (the text is withheld)")
    }

    @Test func `a token endpoint that nobody answers at makes messages unavailable, never uncertain`() async throws {
        let tokens = FakeHTTPClient { _, _ in
            .failure(HTTPFailure(kind: .timeout, message: "no answer", mayHaveBeenProcessed: true))
        }
        let outcomes = try await provider(FakeHTTPClient(), tokens: tokens).send(Messages.page(3, platform: .android))
        #expect(outcomes.allSatisfy { $0.status == .unavailable && $0.reason == "no access token: no answer" })
    }

    @Test func `a refused access token is replaced once, and only its messages are sent again`() async throws {
        let tokens = Self.tokens()
        let client = FakeHTTPClient { request, number in
            request.header("authorization") == "Bearer token-1" && number.isMultiple(of: 2)
                ? self.refusal(401, "UNAUTHENTICATED") : .success(HTTPResponse(status: 200))
        }
        let outcomes = try await provider(client, tokens: tokens).send(Messages.page(10, platform: .android))
        #expect(outcomes.allSatisfy { $0.status == .success })
        #expect(tokens.requests.count == 2)
        #expect(client.batches.map(\.requests.count) == [10, 5])
    }

    @Test func `a second refusal is a configuration error`() async throws {
        let (client, tokens) = (FakeHTTPClient { _, _ in self.refusal(401, "UNAUTHENTICATED") }, Self.tokens())
        let fcm = try provider(client, tokens: tokens)
        for _ in 0..<4 {
            let outcomes = try await fcm.send(Messages.page(1_000, platform: .android))
            #expect(outcomes.allSatisfy { $0.status == .configurationError && $0.reason == "UNAUTHENTICATED" })
        }
        #expect(tokens.requests.count == 2)
        #expect(client.requests.count == 50)
    }

    @Test func `a replacement that fails concerns the refused messages alone`() async throws {
        let tokens = FakeHTTPClient { _, number in
            number == 0
                ? .success(HTTPResponse(status: 200, body: Array(#"{"access_token":"first"}"#.utf8)))
                : .success(HTTPResponse(status: 503))
        }
        let client = FakeHTTPClient { _, number in
            number == 1 ? self.refusal(401, "UNAUTHENTICATED") : .success(HTTPResponse(status: 200))
        }
        let outcomes = try await provider(client, tokens: tokens).send(Messages.page(3, platform: .android))
        #expect(outcomes.map(\.status) == [.success, .unavailable, .success])
    }

    @Test func `an app that may not send gets ten requests of a page, not a thousand`() async throws {
        let client = FakeHTTPClient { _, _ in self.refusal(403, "PERMISSION_DENIED") }
        let outcomes = try await provider(client).send(Messages.page(1_000, platform: .android))
        #expect(client.requests.count == 10)
        #expect(outcomes.count == 1_000 && outcomes.allSatisfy { $0.status == .configurationError })
    }

    @Test func `wire-reports 40: more than 500 messages are all accounted for, in order`() async throws {
        let client = FakeHTTPClient { request, _ in
            let token = request.body.json?["message"]?["token"]?.stringValue ?? ""
            return token.hasSuffix("3")
                ? .success(
                    HTTPResponse(
                        status: 404,
                        body: Array(#"{"error":{"details":[{"@type":"x.FcmError","errorCode":"UNREGISTERED"}]}}"#.utf8))
                )
                : .success(HTTPResponse(status: 200, body: Array(#"{"name":"\#(token)"}"#.utf8)))
        }
        let page = Messages.page(1_203, platform: .android)
        let outcomes = try await provider(client).send(page)
        #expect(outcomes.count == page.count)
        for (message, outcome) in zip(page, outcomes) {
            let token = message.registration.token
            #expect(outcome.status == (token.hasSuffix("3") ? .tokenExpired : .success))
            #expect(outcome.providerMessageID == (token.hasSuffix("3") ? nil : token))
        }
    }

    @Test func `a message that FCM would refuse is not sent, nor one without a token`() async throws {
        let client = FakeHTTPClient()
        let outcomes = try await provider(client).send([
            Messages.message(PushNotification(title: "T", data: ["from": "x"]), platform: .android),
            Messages.message(PushNotification(title: "T"), token: "", platform: .android),
            Messages.message(PushNotification(title: "T"), platform: .android),
        ])
        #expect(outcomes.map(\.status) == [.messageRejected, .error, .success])
        #expect(outcomes[0].reason == "data.from cannot be used: FCM keeps this key for itself; choose another name.")
        #expect(client.requests.count == 1)
    }
}
