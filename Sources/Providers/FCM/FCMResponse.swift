import FoundationEssentials
import HTTPClient
import JSON
import Push

/// What a response of FCM means for the message it answers.
enum FCMResponse {
    /// How long Google asks to wait after a 429 that gives no time (“Scale Fcm” guide).
    static let defaultQuotaDelay: Duration = .seconds(60)

    static func outcome(_ response: HTTPResponse, now: Date) -> PushOutcome {
        let body = try? JSON(parsing: response.body)
        if (200..<300).contains(response.status) {
            return PushOutcome(.success, providerMessageID: body?["name"]?.stringValue)
        }
        let refusal = Refusal(response, body?["error"])
        var outcome = PushOutcome(refusal.status, reason: refusal.reason)
        outcome.retryAfter = RetryAfter.duration(response.header("retry-after"), now: now)
        if outcome.status == .rateLimited, outcome.retryAfter == nil { outcome.retryAfter = defaultQuotaDelay }
        return outcome
    }

    /// Whether FCM did not accept the access token, as opposed to a credential stored in the project.
    static func isRefusedToken(_ outcome: PushOutcome) -> Bool {
        outcome.reason?.prefix { $0 != ":" } == "UNAUTHENTICATED"
    }

    /// The parts of an error body.
    private struct Refusal {
        let httpStatus: Int
        /// FCM's own code, which is more precise than `status`: a dead token is UNREGISTERED here and NOT_FOUND there.
        let errorCode: String?
        /// Google's general code.
        let googleStatus: String?
        let message: String?
        let violatedFields: [String]

        init(_ response: HTTPResponse, _ error: JSON?) {
            let details = error?["details"]?.arrayValue ?? []
            func isFcmError(_ detail: JSON) -> Bool { detail["@type"]?.stringValue?.hasSuffix(".FcmError") == true }
            let detail = details.first(where: isFcmError) ?? details.first { $0["errorCode"] != nil }
            httpStatus = response.status
            errorCode = detail?["errorCode"]?.stringValue.nonEmpty.flatMap { $0 == "UNSPECIFIED_ERROR" ? nil : $0 }
            googleStatus = error?["status"]?.stringValue.nonEmpty
            message = error?["message"]?.stringValue.nonEmpty
            violatedFields = details.flatMap { $0["fieldViolations"]?.arrayValue ?? [] }
                .compactMap { $0["field"]?.stringValue }
        }

        /// The details' code first, then the status, then the HTTP status.
        private var code: String? {
            if let errorCode { return errorCode }
            switch httpStatus {
            case 401: return "UNAUTHENTICATED"
            case 403: return "PERMISSION_DENIED"
            // Only FCM's own UNREGISTERED says something about the token.
            case 404: return "NOT_FOUND"
            default: return googleStatus
            }
        }

        /// INVALID_ARGUMENT covers both a bad token and a bad message; the token is given up on proof alone.
        private var provesTokenInvalid: Bool {
            if !violatedFields.isEmpty { return violatedFields.contains("message.token") }
            let text = message?.lowercased() ?? ""
            return text.contains("registration token") && (text.contains("not a valid") || text.contains("invalid"))
        }

        var status: PushDeliveryStatus {
            if let code, let known = FCMReasons.table[code] {
                return code == "INVALID_ARGUMENT" && provesTokenInvalid ? .invalidToken : known.status
            }
            switch httpStatus {
            case 429: return .rateLimited
            case 500...: return .unavailable
            default: return .error
            }
        }

        /// FCM's word, and Google's text with it where a person needs it to find the fault.
        var reason: String {
            guard let code else { return "HTTP status \(httpStatus)" }
            switch code {
            // Google's text speaks of OAuth here and leads astray.
            case "THIRD_PARTY_AUTH_ERROR", "APNS_AUTH_ERROR": return code
            default: break
            }
            guard status == .messageRejected || status == .configurationError, let message else { return code }
            return "\(code): \(message.prefix(300))"
        }
    }
}
