/// How a `PushManager` sends.
public struct PushManagerOptions: Sendable, Hashable {
    /// How many registrations are read and sent together.
    public var pageSize: Int
    /// The most messages that are with providers and not yet answered, over all sends of the manager. Zero stands for
    /// `PushPipeline.defaultConcurrency`; a negative number is refused when the manager is made.
    public var maxConcurrency: Int
    /// Removes registrations whose token was proved dead.
    public var autoPruneDeadTokens: Bool
    /// Stores the token that a provider reported to replace the one used.
    public var applyUpdatedTokens: Bool
    /// When a provider's word on invalid tokens is not believed.
    public var implausible: TokenHygiene.ImplausibleShare?

    public init(
        pageSize: Int = 1_000, maxConcurrency: Int = 0, autoPruneDeadTokens: Bool = true,
        applyUpdatedTokens: Bool = true, implausible: TokenHygiene.ImplausibleShare? = .init()
    ) {
        self.pageSize = pageSize
        self.maxConcurrency = maxConcurrency
        self.autoPruneDeadTokens = autoPruneDeadTokens
        self.applyUpdatedTokens = applyUpdatedTokens
        self.implausible = implausible
    }
}
