import FoundationEssentials
import HTTPClient
import JSON
import Push

/// What a response of APNs means for the message it answers.
enum APNsResponse {
    static func outcome(_ response: HTTPResponse, messageID: String, now: Date) -> PushOutcome {
        let providerMessageID = response.header("apns-id") ?? messageID
        if (200..<300).contains(response.status) { return PushOutcome(.success, providerMessageID: providerMessageID) }
        let body = try? JSON(parsing: response.body)
        let reason = body?["reason"]?.stringValue.nonEmpty
        var outcome = PushOutcome(
            status(reason: reason, httpStatus: response.status), reason: reason ?? "HTTP status \(response.status)",
            providerMessageID: providerMessageID)
        outcome.retryAfter = RetryAfter.duration(response.header("retry-after"), now: now)
        if outcome.status == .tokenExpired { outcome.tokenInvalidSince = body?["timestamp"].flatMap(date) }
        return outcome
    }

    /// The reason decides; what the table does not know goes by its HTTP status.
    private static func status(reason: String?, httpStatus: Int) -> PushDeliveryStatus {
        if let reason, let known = APNsReasons.table[reason] { return known.status }
        switch httpStatus {
        case 403 where reason == nil: return .configurationError
        case 410: return .tokenExpired
        case 413: return .messageRejected
        case 429: return .rateLimited
        case 500...: return .unavailable
        default: return .error
        }
    }

    /// The time since which a token is dead. Apple documents milliseconds, but seconds were seen too; in either unit
    /// no date of this century reaches the other's numbers.
    private static func date(_ timestamp: JSON) -> Date? {
        guard let number = timestamp.doubleValue, number > 0, number < 1e14 else { return nil }
        return Date(timeIntervalSince1970: number >= 1e11 ? number / 1000 : number)
    }
}
