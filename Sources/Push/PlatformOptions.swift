/// What only Apple's devices understand.
public struct ApplePushOptions: Sendable, Hashable {
    public var subtitle: String?
    public var threadID: String?
    public var category: String?
    public var mutableContent: Bool
    /// With neither title nor message this makes the push silent; its priority is then lowered to 5.
    public var contentAvailable: Bool
    public var interruptionLevel: InterruptionLevel?
    /// 0 to 1: which of an app's notifications the summary shows first.
    public var relevanceScore: Double?
    public var targetContentID: String?
    /// Overrides the `apns-topic` header, which is the app's bundle id otherwise.
    public var topicOverride: String?
    /// Overrides the `apns-push-type` header, which follows from the payload otherwise.
    public var pushTypeOverride: String?

    /// How far a notification may interrupt (`interruption-level`).
    public enum InterruptionLevel: String, Sendable, Hashable, CaseIterable, Codable {
        case passive
        case active
        case timeSensitive = "time-sensitive"
        case critical
    }

    public init(
        subtitle: String? = nil, threadID: String? = nil, category: String? = nil, mutableContent: Bool = false,
        contentAvailable: Bool = false, interruptionLevel: InterruptionLevel? = nil, relevanceScore: Double? = nil,
        targetContentID: String? = nil, topicOverride: String? = nil, pushTypeOverride: String? = nil
    ) {
        self.subtitle = subtitle
        self.threadID = threadID
        self.category = category
        self.mutableContent = mutableContent
        self.contentAvailable = contentAvailable
        self.interruptionLevel = interruptionLevel
        self.relevanceScore = relevanceScore
        self.targetContentID = targetContentID
        self.topicOverride = topicOverride
        self.pushTypeOverride = pushTypeOverride
    }
}

/// What only Android devices understand.
public struct AndroidPushOptions: Sendable, Hashable {
    public var channelID: String?
    public var icon: String?
    /// `#rrggbb`.
    public var color: String?
    public var imageURL: String?
    /// A newer notification with the same tag replaces the older one in the shade.
    public var tag: String?

    public init(
        channelID: String? = nil, icon: String? = nil, color: String? = nil, imageURL: String? = nil, tag: String? = nil
    ) {
        self.channelID = channelID
        self.icon = icon
        self.color = color
        self.imageURL = imageURL
        self.tag = tag
    }
}

/// What only browsers understand.
public struct WebPushOptions: Sendable, Hashable {
    public var icon: String?
    /// The `Urgency` header (RFC 8030, section 5.3); it follows the priority otherwise.
    public var urgency: Urgency?

    /// How a user agent weighs the message against its battery.
    public enum Urgency: String, Sendable, Hashable, CaseIterable, Codable {
        case veryLow = "very-low"
        case low
        case normal
        case high
    }

    public init(icon: String? = nil, urgency: Urgency? = nil) {
        self.icon = icon
        self.urgency = urgency
    }
}

/// What only Windows devices understand.
public struct WindowsPushOptions: Sendable, Hashable {
    public var kind: Kind
    /// Sent as it is instead of what would be made from title and message.
    public var payload: String?
    /// What the app is launched with; the deep link otherwise.
    public var launch: String?

    /// The `X-WNS-Type` of the message.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        case toast
        case tile
        case badge
        case raw
    }

    public init(kind: Kind = .toast, payload: String? = nil, launch: String? = nil) {
        self.kind = kind
        self.payload = payload
        self.launch = launch
    }
}
