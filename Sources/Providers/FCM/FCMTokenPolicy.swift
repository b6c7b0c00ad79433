import FoundationEssentials

/// When an access token is fetched, used and replaced. It holds no token and does no I/O, so every rule can be tested.
struct FCMTokenPolicy: Sendable {
    /// A token is replaced this long before its end.
    static let refreshAhead: TimeInterval = 5 * 60
    /// How long after a refused token was replaced the next refusal counts as a fault of the configuration.
    static let refusalMemory: TimeInterval = 5 * 60

    /// Counts the tokens fetched; a refusal names the token it is about by this number.
    private(set) var generation = 0
    private var expiresAt: Date?
    private var refreshAt: Date?
    private var refusalAnsweredAt: Date?

    enum Need: Equatable {
        case current
        /// A new token is due, but the current one still works should none be had.
        case newTokenOrCurrent
        case newToken
    }

    enum RefusalAnswer: Equatable {
        /// The refused token was replaced in the meantime: send again with the current one.
        case retryWithCurrent
        case retryWithNewToken
        case giveUp
    }

    func need(now: Date) -> Need {
        guard let expiresAt, let refreshAt, now < expiresAt else { return .newToken }
        return now < refreshAt ? .current : .newTokenOrCurrent
    }

    /// - Parameter lifetime: Seconds, as Google gave them.
    mutating func fetched(lifetime: TimeInterval, now: Date) {
        generation += 1
        expiresAt = now.addingTimeInterval(lifetime)
        // A token that lives for less than ten minutes is used for half its life.
        refreshAt = now.addingTimeInterval(max(lifetime - Self.refreshAhead, lifetime / 2))
    }

    /// FCM did not accept the token of this generation.
    mutating func refused(generation refused: Int, now: Date) -> RefusalAnswer {
        guard refused == generation else { return .retryWithCurrent }
        if let refusalAnsweredAt, abs(now.timeIntervalSince(refusalAnsweredAt)) < Self.refusalMemory { return .giveUp }
        refusalAnsweredAt = now
        expiresAt = nil
        return .retryWithNewToken
    }
}
