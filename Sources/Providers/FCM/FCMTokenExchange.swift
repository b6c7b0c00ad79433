import Crypto
import FoundationEssentials
import HTTPClient
import JSON
import Push

/// The exchange of a signed assertion for an access token (RFC 7523, Google's “service account” flow).
struct FCMTokenExchange: Sendable {
    static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    private static let grantType = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
    /// Google takes assertions that live for an hour at the most.
    private static let assertionLifetime: Int64 = 3600

    let account: FCMServiceAccount
    let endpoint: ProviderEndpoint
    let client: any HTTPClient

    struct Grant: Sendable {
        let accessToken: String
        /// Seconds.
        let lifetime: TimeInterval
    }

    /// Why no token was had, as the outcome of every message that needed it.
    struct Failure: Error, Sendable {
        let outcome: PushOutcome

        init(_ status: PushDeliveryStatus, _ reason: String, retryAfter: Duration? = nil) {
            outcome = PushOutcome(status, reason: reason, retryAfter: retryAfter)
        }
    }

    func grant(now: Date) async throws(Failure) -> Grant {
        let assertion: String
        do {
            assertion = try self.assertion(now: now)
        } catch {
            throw Failure(.configurationError, "the service account's assertion cannot be signed: \(error)")
        }
        let request = HTTPRequest(
            method: "POST", path: endpoint.path,
            headers: [HTTPHeader("content-type", "application/x-www-form-urlencoded")],
            body: Array("grant_type=\(Self.grantType)&assertion=\(assertion)".utf8))
        guard let result = await client.send([request], to: endpoint.origin).first else {
            throw Failure(.unavailable, "Google's token endpoint was not asked")
        }
        switch result {
        case .failure(let failure):
            // Nothing was sent to a device yet, so the messages may go out again whatever happened here.
            throw Failure(.unavailable, "no access token: \(failure.message)")
        case .success(let response): return try grant(from: response, assertion: assertion, now: now)
        }
    }

    private func assertion(now: Date) throws(SigningKeyError) -> String {
        var header = JSONObject([("alg", "RS256"), ("typ", "JWT")])
        if let keyID = account.privateKeyID { header["kid"] = .string(keyID) }
        let issuedAt = Int64(now.timeIntervalSince1970)
        let claims: JSON = [
            "iss": .string(account.clientEmail), "scope": .string(Self.scope), "aud": .string(account.tokenURI),
            "iat": .int(issuedAt), "exp": .int(issuedAt + Self.assertionLifetime),
        ]
        return try JSONWebToken.signed(
            header: JSON.object(header).serializedBytes(), claims: claims.serializedBytes(), with: account.key)
    }

    private func grant(from response: HTTPResponse, assertion: String, now: Date) throws(Failure) -> Grant {
        let body = try? JSON(parsing: response.body)
        guard response.status == 200 else {
            let retryAfter = RetryAfter.duration(response.header("retry-after"), now: now)
            let text = Self.errorText(body, httpStatus: response.status, without: assertion)
            let isPassing = response.status >= 500 || response.status == 429
            throw Failure(
                isPassing ? .unavailable : .configurationError, "no access token: \(text)", retryAfter: retryAfter)
        }
        guard let token = body?["access_token"]?.stringValue.nonEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw Failure(
                .configurationError,
                "no access token: the answer of \(endpoint.origin) holds none; check token_endpoint")
        }
        let lifetime = body?["expires_in"]?.doubleValue ?? 3600
        return Grant(accessToken: token, lifetime: lifetime > 0 ? lifetime : 3600)
    }

    /// Google's code and text. Servers that echo what they were sent must not bring the assertion into a log.
    private static func errorText(_ body: JSON?, httpStatus: Int, without assertion: String) -> String {
        let parts = [body?["error"]?.stringValue, body?["error_description"]?.stringValue].compactMap { $0 }
        guard !parts.isEmpty else { return "HTTP status \(httpStatus)" }
        let text = String(parts.joined(separator: ": ").prefix(300))
        let pieces = assertion.split(separator: ".")
        return pieces.contains { text.contains($0) } ? "HTTP status \(httpStatus) (the text is withheld)" : text
    }
}
