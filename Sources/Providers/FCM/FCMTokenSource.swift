import FoundationEssentials
import Push

/// An access token, and its number among those fetched.
struct FCMAccessToken: Sendable {
    let authorization: String
    let generation: Int
}

/// The access token of one service account. However many ask, one exchange is under way at a time.
actor FCMTokenSource {
    private let exchange: FCMTokenExchange
    private let clock: WallClock
    private var policy = FCMTokenPolicy()
    private var current: FCMAccessToken?
    private var fetching: Task<Result<FCMAccessToken, FCMTokenExchange.Failure>, Never>?

    init(_ exchange: FCMTokenExchange, clock: WallClock) {
        self.exchange = exchange
        self.clock = clock
    }

    /// The current token; a new one when it ends soon.
    func token() async throws(FCMTokenExchange.Failure) -> FCMAccessToken {
        switch (policy.need(now: clock.now), current) {
        case (.current, let token?): return token
        case (.newTokenOrCurrent, let token?): return (try? await fetch().get()) ?? token
        default: return try await fetch().get()
        }
    }

    /// The token to send again with after FCM refused this one; `nil` when sending again would be in vain.
    func replacement(for refused: FCMAccessToken) async throws(FCMTokenExchange.Failure) -> FCMAccessToken? {
        switch policy.refused(generation: refused.generation, now: clock.now) {
        case .retryWithCurrent: return try await token()
        case .retryWithNewToken: return try await fetch().get()
        case .giveUp: return nil
        }
    }

    private func fetch() async -> Result<FCMAccessToken, FCMTokenExchange.Failure> {
        if let fetching { return await fetching.value }
        // A task of its own: that one of those who wait is cancelled must not fail the others.
        let task = Task { await self.fetchOnce() }
        fetching = task
        return await task.value
    }

    private func fetchOnce() async -> Result<FCMAccessToken, FCMTokenExchange.Failure> {
        defer { fetching = nil }
        do throws(FCMTokenExchange.Failure) {
            let grant = try await exchange.grant(now: clock.now)
            policy.fetched(lifetime: grant.lifetime, now: clock.now)
            let token = FCMAccessToken(
                authorization: "Bearer \(grant.accessToken)", generation: policy.generation)
            current = token
            return .success(token)
        } catch {
            return .failure(error)
        }
    }
}
