package import Crypto
import FoundationEssentials
import JSON
package import Push
import Synchronization

/// A provider token, and its number among those made.
struct APNsToken: Sendable {
    /// The value of the `authorization` field.
    let authorization: String
    let generation: Int
}

/// The provider token of one team and key, shared by everything that sends with them.
package final class APNsTokenCache: Sendable {
    private struct State {
        var policy = APNsTokenPolicy()
        var token: APNsToken?
    }

    private let keyID: String
    private let teamID: String
    private let key: SigningKey
    private let clock: WallClock
    private let state = Mutex(State())

    init(keyID: String, teamID: String, key: SigningKey, clock: WallClock) {
        self.keyID = keyID
        self.teamID = teamID
        self.key = key
        self.clock = clock
    }

    /// How many tokens were made so far.
    package var tokensMade: Int { state.withLock { $0.policy.generation } }

    /// The current token, made if there is none or it is too old. Signing happens under the lock, so that however many
    /// ask at once, one token is made.
    func token() throws(SigningKeyError) -> APNsToken {
        let now = clock.now
        return try state.withLock { state throws(SigningKeyError) in
            if let token = state.token, state.policy.need(now: now) == .current { return token }
            return try mint(&state, now)
        }
    }

    /// The token to send again with after Apple called this one expired; `nil` when sending again would be in vain.
    func replacement(for refused: APNsToken) throws(SigningKeyError) -> APNsToken? {
        let now = clock.now
        return try state.withLock { state throws(SigningKeyError) in
            switch state.policy.expired(generation: refused.generation, now: now) {
            case .retryWithCurrent: return state.token
            case .retryWithNewToken: return try mint(&state, now)
            case .giveUp: return nil
            }
        }
    }

    private func mint(_ state: inout State, _ now: Date) throws(SigningKeyError) -> APNsToken {
        let header: JSON = ["alg": "ES256", "kid": .string(keyID)]
        let claims: JSON = ["iss": .string(teamID), "iat": .int(Int64(now.timeIntervalSince1970))]
        let text = try JSONWebToken.signed(
            header: header.serializedBytes(), claims: claims.serializedBytes(), with: key)
        state.policy.minted(now: now)
        let token = APNsToken(authorization: "bearer \(text)", generation: state.policy.generation)
        state.token = token
        return token
    }
}

/// Hands out one token cache for each team and key, however many apps and providers use them.
package final class APNsTokenRegistry: Sendable {
    private struct Owner: Hashable {
        let teamID: String
        let keyID: String
    }

    private let clock: WallClock
    private let caches = Mutex<[Owner: APNsTokenCache]>([:])

    package init(clock: WallClock) { self.clock = clock }

    /// The cache of this team and key. The key that came first is kept: Apple never reuses a key id.
    package func cache(teamID: String, keyID: String, key: SigningKey) -> APNsTokenCache {
        caches.withLock { caches in
            let owner = Owner(teamID: teamID, keyID: keyID)
            if let cache = caches[owner] { return cache }
            let cache = APNsTokenCache(keyID: keyID, teamID: teamID, key: key, clock: clock)
            caches[owner] = cache
            return cache
        }
    }
}
