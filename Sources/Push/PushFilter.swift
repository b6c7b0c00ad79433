/// Whether a registration needs one of the filter's tags or all of them.
public enum TagMatch: String, Sendable, Hashable, CaseIterable, Codable {
    case any
    case all
}

/// A declarative description of an audience. Every clause that is set must hold.
///
/// A clause that is `nil` does not constrain; a clause that is an empty list matches nobody, so that a list that
/// happens to be empty never becomes a broadcast. All comparisons are exact, byte for byte.
public struct PushFilter: Sendable, Hashable {
    public var platforms: [Platform]?
    public var tags: [String]?
    public var tagMatch: TagMatch
    /// Registrations with any of these tags are left out.
    public var excludeTags: [String]?
    public var environment: PushEnvironment?
    public var app: AppClause?
    public var users: [String]?
    public var tokens: [String]?
    /// Registrations subscribed to this topic.
    public var topic: String?
    /// Language tags; `de` selects `de` and `de-AT`, `de-AT` only itself. Case and `_` against `-` do not matter.
    public var locales: [String]?
    public var tokenKind: TokenKind

    /// Which app a registration must belong to.
    public enum AppClause: Sendable, Hashable {
        /// Registrations without an app id.
        case defaultApp
        case id(String)
    }

    public init(
        platforms: [Platform]? = nil,
        tags: [String]? = nil,
        tagMatch: TagMatch = .any,
        excludeTags: [String]? = nil,
        environment: PushEnvironment? = nil,
        app: AppClause? = nil,
        users: [String]? = nil,
        tokens: [String]? = nil,
        topic: String? = nil,
        locales: [String]? = nil,
        tokenKind: TokenKind = .device
    ) {
        self.platforms = platforms
        self.tags = tags
        self.tagMatch = tagMatch
        self.excludeTags = excludeTags
        self.environment = environment
        self.app = app
        self.users = users
        self.tokens = tokens
        self.topic = topic
        self.locales = locales
        self.tokenKind = tokenKind
    }

    /// Every ordinary device of every app.
    public static let everyone = PushFilter()
}
