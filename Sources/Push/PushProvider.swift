public import FoundationEssentials

/// One notification for one registration, ready for a provider.
public struct PushMessage: Sendable {
    public let notification: PushNotification
    public let registration: Registration
    /// A lower-case UUID that stays the same when the message is sent again, so that providers and apps can tell.
    public let messageID: String

    public init(notification: PushNotification, registration: Registration, messageID: String) {
        self.notification = notification
        self.registration = registration
        self.messageID = messageID
    }
}

/// What a provider says about one message.
public struct PushOutcome: Sendable, Hashable {
    public var status: PushDeliveryStatus
    /// The provider's own word for a failure (`BadDeviceToken`, `UNREGISTERED`), or a sentence where it gave none.
    public var reason: String?
    public var providerMessageID: String?
    /// The token that replaces the one used, where the provider reported one.
    public var updatedToken: String?
    /// How long the provider asked to wait before sending again.
    public var retryAfter: Duration?
    /// When the provider last saw the token dead (the `timestamp` of an APNs 410).
    public var tokenInvalidSince: Date?

    public init(
        _ status: PushDeliveryStatus,
        reason: String? = nil,
        providerMessageID: String? = nil,
        updatedToken: String? = nil,
        retryAfter: Duration? = nil,
        tokenInvalidSince: Date? = nil
    ) {
        self.status = status
        self.reason = reason
        self.providerMessageID = providerMessageID
        self.updatedToken = updatedToken
        self.retryAfter = retryAfter
        self.tokenInvalidSince = tokenInvalidSince
    }
}

/// A transport for one app and one kind of platform.
public protocol PushProvider: Sendable {
    /// The name used in metrics, spans and history: `apns`, or `apns:consumer` for the app `consumer`.
    var identifier: String { get }

    /// Whether this provider serves the registration's platform and app.
    func canDeliver(to registration: Registration) -> Bool

    /// Sends a page of messages and returns one outcome for each, in the same order.
    ///
    /// The provider multiplexes them as its transport allows. An error thrown here fails every message of the page;
    /// what concerns one message belongs into its outcome.
    func send(_ messages: [PushMessage]) async throws -> [PushOutcome]
}

/// The exact request that a provider would put on the wire, without secrets.
public struct ProviderRequest: Sendable, Hashable {
    public var method: String
    /// Scheme, host and port: `https://api.push.apple.com`.
    public var origin: String
    public var path: String
    /// In the order sent; the value of a secret header is `<redacted>`.
    public var headers: [Header]
    public var body: [UInt8]

    /// A header field, its name in lower case as on an HTTP/2 wire.
    public struct Header: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(method: String, origin: String, path: String, headers: [Header], body: [UInt8]) {
        self.method = method
        self.origin = origin
        self.path = path
        self.headers = headers
        self.body = body
    }
}

/// A provider that can show a request without sending it. It uses the code that builds the real one.
public protocol PushRequestPreviewing: PushProvider {
    func previewRequest(for message: PushMessage) throws -> ProviderRequest
}
