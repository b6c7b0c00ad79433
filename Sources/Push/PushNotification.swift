/// How urgently a provider should deliver.
public enum PushPriority: String, Sendable, Hashable, CaseIterable, Codable {
    case normal
    case high
}

/// The platform-neutral message. `apple`, `android`, `web` and `windows` hold the platforms' own options.
///
/// It is a value that costs one reference to copy: devices that share a notification share its storage, and
/// `isIdentical(to:)` tells so in one comparison, which is how a payload is built once for all of them.
public struct PushNotification: Sendable {
    /// The fields, as one plain value.
    public struct Fields: Sendable, Hashable {
        /// `nil`, together with a `nil` message, makes a silent push possible.
        public var title: String?
        public var message: String?
        /// `nil` leaves the badge alone, 0 clears it.
        public var badge: Int?
        public var sound: String?
        public var deepLink: String?
        /// A newer notification replaces an undelivered older one with the same id.
        public var collapseID: String?
        /// How long the provider may keep the message for a device that is offline; zero means now or never.
        public var timeToLive: Duration?
        public var priority: PushPriority
        /// Custom keys for the app.
        public var data: [String: String]
        public var apple: ApplePushOptions?
        public var android: AndroidPushOptions?
        public var web: WebPushOptions?
        public var windows: WindowsPushOptions?

        public init(
            title: String? = nil,
            message: String? = nil,
            badge: Int? = nil,
            sound: String? = nil,
            deepLink: String? = nil,
            collapseID: String? = nil,
            timeToLive: Duration? = nil,
            priority: PushPriority = .high,
            data: [String: String] = [:],
            apple: ApplePushOptions? = nil,
            android: AndroidPushOptions? = nil,
            web: WebPushOptions? = nil,
            windows: WindowsPushOptions? = nil
        ) {
            self.title = title
            self.message = message
            self.badge = badge
            self.sound = sound
            self.deepLink = deepLink
            self.collapseID = collapseID
            self.timeToLive = timeToLive
            self.priority = priority
            self.data = data
            self.apple = apple
            self.android = android
            self.web = web
            self.windows = windows
        }
    }

    private final class Storage: Sendable {
        let fields: Fields

        init(_ fields: Fields) { self.fields = fields }
    }

    private var storage: Storage

    public init(_ fields: Fields) { storage = Storage(fields) }

    public init(
        title: String? = nil,
        message: String? = nil,
        badge: Int? = nil,
        sound: String? = nil,
        deepLink: String? = nil,
        collapseID: String? = nil,
        timeToLive: Duration? = nil,
        priority: PushPriority = .high,
        data: [String: String] = [:],
        apple: ApplePushOptions? = nil,
        android: AndroidPushOptions? = nil,
        web: WebPushOptions? = nil,
        windows: WindowsPushOptions? = nil
    ) {
        self.init(
            Fields(
                title: title, message: message, badge: badge, sound: sound, deepLink: deepLink, collapseID: collapseID,
                timeToLive: timeToLive, priority: priority, data: data, apple: apple, android: android, web: web,
                windows: windows))
    }

    /// All fields. Setting them gives this notification storage of its own.
    public var fields: Fields {
        get { storage.fields }
        set { storage = Storage(newValue) }
    }

    /// Whether both are copies of the same notification, not merely equal.
    public func isIdentical(to other: PushNotification) -> Bool { storage === other.storage }

    /// The identity behind `isIdentical(to:)`, valid as a key for as long as a copy of the notification is alive.
    public var identity: ObjectIdentifier { ObjectIdentifier(storage) }

    /// A copy with some fields changed.
    public func with(_ change: (inout Fields) throws -> Void) rethrows -> PushNotification {
        var fields = storage.fields
        try change(&fields)
        return PushNotification(fields)
    }
}

extension PushNotification: Hashable {
    public static func == (left: PushNotification, right: PushNotification) -> Bool {
        left.isIdentical(to: right) || left.fields == right.fields
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}

extension PushNotification {
    public var title: String? {
        get { storage.fields.title }
        set { fields.title = newValue }
    }
    public var message: String? {
        get { storage.fields.message }
        set { fields.message = newValue }
    }
    public var badge: Int? {
        get { storage.fields.badge }
        set { fields.badge = newValue }
    }
    public var sound: String? {
        get { storage.fields.sound }
        set { fields.sound = newValue }
    }
    public var deepLink: String? {
        get { storage.fields.deepLink }
        set { fields.deepLink = newValue }
    }
    public var collapseID: String? {
        get { storage.fields.collapseID }
        set { fields.collapseID = newValue }
    }
    public var timeToLive: Duration? {
        get { storage.fields.timeToLive }
        set { fields.timeToLive = newValue }
    }
    public var priority: PushPriority {
        get { storage.fields.priority }
        set { fields.priority = newValue }
    }
    public var data: [String: String] {
        get { storage.fields.data }
        set { fields.data = newValue }
    }
    public var apple: ApplePushOptions? {
        get { storage.fields.apple }
        set { fields.apple = newValue }
    }
    public var android: AndroidPushOptions? {
        get { storage.fields.android }
        set { fields.android = newValue }
    }
    public var web: WebPushOptions? {
        get { storage.fields.web }
        set { fields.web = newValue }
    }
    public var windows: WindowsPushOptions? {
        get { storage.fields.windows }
        set { fields.windows = newValue }
    }
}
