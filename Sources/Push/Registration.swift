public import FoundationEssentials

/// The number that a repository gives a registration when it first saves it.
///
/// Ids grow in registration order, so that a page of an audience can continue after the last id of the page before.
public struct RegistrationID: RawRepresentable, Sendable, Hashable, Comparable {
    public var rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The id of a registration that no repository has saved yet.
    public static let unsaved = RegistrationID(rawValue: 0)

    public static func < (left: RegistrationID, right: RegistrationID) -> Bool { left.rawValue < right.rawValue }
}

/// One device that can be sent to.
///
/// Its identity is platform, token kind, app id, and `deviceID` where there is one, otherwise the token.
public struct Registration: Sendable, Hashable {
    public var id: RegistrationID
    /// APNs or FCM token; the subscription endpoint for Web Push; the channel URI for WNS.
    public var token: String
    public var platform: Platform
    public var tokenKind: TokenKind
    /// The app that the token belongs to; `nil` is the default app. The empty string is never stored.
    public var appID: String? { didSet { if appID == "" { appID = nil } } }
    public var environment: PushEnvironment
    /// A stable id of the installation, which survives a new token.
    public var deviceID: String?
    public var userID: String?
    public var tags: [String]
    public var topics: [String]
    /// A BCP 47 language tag such as `de-AT`.
    public var locale: String?
    /// An IANA time zone name such as `Europe/Berlin`.
    public var timeZone: String?
    public var appVersion: String?
    public var data: [String: PushValue]
    /// When the token was last registered. A token is pruned only on proof that is younger than this.
    public var registeredAt: Date

    public init(
        id: RegistrationID = .unsaved,
        token: String,
        platform: Platform,
        tokenKind: TokenKind = .device,
        appID: String? = nil,
        environment: PushEnvironment = .production,
        deviceID: String? = nil,
        userID: String? = nil,
        tags: [String] = [],
        topics: [String] = [],
        locale: String? = nil,
        timeZone: String? = nil,
        appVersion: String? = nil,
        data: [String: PushValue] = [:],
        registeredAt: Date
    ) {
        self.id = id
        self.token = token
        self.platform = platform
        self.tokenKind = tokenKind
        self.appID = appID == "" ? nil : appID
        self.environment = environment
        self.deviceID = deviceID
        self.userID = userID
        self.tags = tags
        self.topics = topics
        self.locale = locale
        self.timeZone = timeZone
        self.appVersion = appVersion
        self.data = data
        self.registeredAt = registeredAt
    }
}
