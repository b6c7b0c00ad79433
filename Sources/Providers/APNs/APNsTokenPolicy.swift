import FoundationEssentials

/// When a provider token is made, used and replaced. It holds no token and knows no clock, so every rule can be tested.
///
/// Apple's rules (“Establishing a token-based connection to APNs”): a token must not be older than an hour, nor be
/// replaced more than once in 20 minutes; the second is counted for the whole team.
struct APNsTokenPolicy: Sendable {
    /// A token is replaced at this age, before Apple would refuse it: a refusal also costs the requests in flight.
    static let refreshAge: TimeInterval = 50 * 60
    /// The time between two tokens at the least.
    static let minimumInterval: TimeInterval = 20 * 60

    /// Counts the tokens made and taken over; a refusal names the token it is about by this number.
    private(set) var generation = 0
    private var mintedAt: Date?
    private var refusalAnsweredAt: Date?

    enum Need: Equatable {
        case current
        case newToken
    }

    enum RefusalAnswer: Equatable {
        /// The refused token was replaced in the meantime: send again with the current one.
        case retryWithCurrent
        case retryWithNewToken
        /// The refused token was itself new. Another would not help, and Apple would count it.
        case giveUp
    }

    /// What a request needs that is about to be sent.
    ///
    /// A clock that was set back makes a token look younger than it is, or not yet made; beyond the refresh age either
    /// way it is replaced, within it is kept.
    func need(now: Date) -> Need {
        guard let mintedAt, Self.isCurrent(mintedAt, now: now) else { return .newToken }
        return .current
    }

    /// Whether a token made at this time need not be replaced yet.
    static func isCurrent(_ mintedAt: Date, now: Date) -> Bool {
        abs(now.timeIntervalSince(mintedAt)) < refreshAge
    }

    mutating func minted(now: Date) {
        generation += 1
        mintedAt = now
    }

    /// Apple called the token of this generation expired.
    ///
    /// The first such answer replaces the token at once, since a refused token is of no use at any age (a clock that was
    /// corrected leaves one behind). Further ones within 20 minutes never do.
    mutating func expired(generation refused: Int, now: Date) -> RefusalAnswer {
        guard refused == generation else { return .retryWithCurrent }
        if let refusalAnsweredAt, abs(now.timeIntervalSince(refusalAnsweredAt)) < Self.minimumInterval {
            return .giveUp
        }
        refusalAnsweredAt = now
        return .retryWithNewToken
    }
}
