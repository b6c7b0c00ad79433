/// What the engine may do to registrations because of outcomes.
///
/// A registration is removed on `tokenExpired` and `invalidToken` alone, and only if it was not renewed since: since the
/// instant that the provider named, or else since the message was sent.
public struct TokenHygiene: Sendable, Hashable {
    /// Removes registrations whose token was proved dead.
    public var autoPruneDeadTokens: Bool
    /// Stores the token that a provider reported to replace the one used.
    public var applyUpdatedTokens: Bool
    /// When a provider calls so many tokens invalid that its configuration is the likelier cause; `nil` believes it.
    public var implausible: ImplausibleShare?

    /// More than this share of at least this many judged tokens.
    ///
    /// A token is judged by `success`, `tokenExpired` and `invalidToken`. Both the page and the batch up to it are looked
    /// at. Pages are committed as they go, so this is what is guaranteed: no page in which, or by which, the share is
    /// exceeded loses a registration to `invalidToken`; before `devices` tokens were judged, fewer than `devices` can be.
    public struct ImplausibleShare: Sendable, Hashable {
        public var devices: Int
        /// From 0 to 1.
        public var share: Double

        public init(devices: Int = 50, share: Double = 0.9) {
            self.devices = devices
            self.share = share
        }

        func isExceeded(by tally: TokenTally) -> Bool {
            tally.judged >= devices && Double(tally.invalid) > share * Double(tally.judged)
        }
    }

    public init(
        autoPruneDeadTokens: Bool = true, applyUpdatedTokens: Bool = true,
        implausible: ImplausibleShare? = ImplausibleShare()
    ) {
        self.autoPruneDeadTokens = autoPruneDeadTokens
        self.applyUpdatedTokens = applyUpdatedTokens
        self.implausible = implausible
    }

    func check() throws(PushConfigurationError) {
        guard let implausible else { return }
        guard implausible.devices >= 1 else {
            throw PushConfigurationError(setting: "implausible.devices", value: implausible.devices, rule: "1 or more")
        }
        guard (0...1).contains(implausible.share) else {
            throw PushConfigurationError(setting: "implausible.share", value: implausible.share, rule: "from 0 to 1")
        }
    }
}

/// How many tokens a provider judged, and how many of them it called invalid.
struct TokenTally: Sendable, Hashable {
    var judged = 0
    var invalid = 0

    mutating func add(_ status: PushDeliveryStatus) {
        switch status {
        case .success, .tokenExpired: judged += 1
        case .invalidToken:
            judged += 1
            invalid += 1
        default: break
        }
    }
}
