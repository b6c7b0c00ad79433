/// What became of one message, in words that mean the same for every provider.
public enum PushDeliveryStatus: String, Sendable, Hashable, CaseIterable, Codable {
    case success = "success"
    /// The provider proved that the token is no longer in use.
    case tokenExpired = "token_expired"
    /// The provider proved that the token is not one, or not one of this app and environment.
    case invalidToken = "invalid_token"
    /// The provider asks to slow down; the message may be sent again later.
    case rateLimited = "rate_limited"
    /// The provider could not be reached, or failed itself; the message may be sent again.
    case unavailable = "unavailable"
    /// The request was sent and no answer came: it may or may not have been delivered.
    case uncertain = "uncertain"
    /// This message was refused for this device; the token is kept.
    case error = "error"
    /// The message itself is wrong, so that it would be refused for every device.
    case messageRejected = "message_rejected"
    /// A key, topic, project or host is wrong, so that every message would be refused. Nothing may be pruned on it.
    case configurationError = "configuration_error"
    /// No provider serves the registration's platform and app.
    case noProvider = "no_provider"
    /// An interceptor dropped the notification for this device.
    case skipped = "skipped"
    /// The token was asked for by name and no registration has it.
    case notRegistered = "not_registered"
}

/// The outcome for one registration in one batch.
public struct PushDeliveryResult: Sendable {
    public var registrationID: RegistrationID
    public var token: String
    /// `nil` for a token that no registration has.
    public var platform: Platform?
    /// The provider's identifier, or `nil` when none was asked.
    public var provider: String?
    public var outcome: PushOutcome
    /// Whether the registration was really removed from the repository because of this outcome.
    public var tokenRemoved: Bool

    public init(
        registrationID: RegistrationID, token: String, platform: Platform?, provider: String?, outcome: PushOutcome,
        tokenRemoved: Bool = false
    ) {
        self.registrationID = registrationID
        self.token = token
        self.platform = platform
        self.provider = provider
        self.outcome = outcome
        self.tokenRemoved = tokenRemoved
    }

    public var status: PushDeliveryStatus { outcome.status }
    public var reason: String? { outcome.reason }
}

/// What happened in a batch, counted. Every device is in exactly one of `sent`, `failed`, `skipped` and `uncertain`;
/// `tokensRemoved` counts the registrations that were really removed, which are failed ones too.
public struct PushCounts: Sendable, Hashable {
    public var sent = 0
    public var failed = 0
    public var tokensRemoved = 0
    public var skipped = 0
    public var uncertain = 0

    public init() {}

    public var total: Int { sent + failed + skipped + uncertain }

    /// Counts one device. `tokensRemoved` is not touched: that a token is dead does not mean that it was removed.
    public mutating func add(_ status: PushDeliveryStatus) {
        switch status {
        case .success: sent += 1
        case .skipped: skipped += 1
        case .uncertain: uncertain += 1
        case .tokenExpired, .invalidToken, .rateLimited, .unavailable, .error, .messageRejected, .configurationError,
            .noProvider, .notRegistered:
            failed += 1
        }
    }

    public static func += (left: inout PushCounts, right: PushCounts) {
        left.sent += right.sent
        left.failed += right.failed
        left.tokensRemoved += right.tokensRemoved
        left.skipped += right.skipped
        left.uncertain += right.uncertain
    }
}
