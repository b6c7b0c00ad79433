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
        var tokensMade = 0
    }

    private let keyID: String
    private let teamID: String
    private let key: SigningKey
    private let clock: WallClock
    private let file: APNsTokenFile?
    private let state = Mutex(State())

    init(keyID: String, teamID: String, key: SigningKey, clock: WallClock, file: APNsTokenFile?) {
        self.keyID = keyID
        self.teamID = teamID
        self.key = key
        self.clock = clock
        self.file = file
    }

    /// How many tokens were made so far, those not counted that another process made.
    package var tokensMade: Int { state.withLock { $0.tokensMade } }

    /// The current token, made if there is none or it is too old. Signing happens under the lock, so that however many
    /// ask at once, one token is made.
    func token() throws(SigningKeyError) -> APNsToken {
        let now = clock.now
        return try state.withLock { state throws(SigningKeyError) in
            if let token = state.token, state.policy.need(now: now) == .current { return token }
            return try renew(&state, now)
        }
    }

    /// The token to send again with after Apple called this one expired; `nil` when sending again would be in vain.
    func replacement(for refused: APNsToken) throws(SigningKeyError) -> APNsToken? {
        let now = clock.now
        return try state.withLock { state throws(SigningKeyError) in
            switch state.policy.expired(generation: refused.generation, now: now) {
            case .retryWithCurrent: return state.token
            case .retryWithNewToken: return try renew(&state, now)
            case .giveUp: return nil
            }
        }
    }

    /// Takes the token that another process made in the meantime, or makes one.
    private func renew(_ state: inout State, _ now: Date) throws(SigningKeyError) -> APNsToken {
        let refused = state.token?.authorization
        var isMade = false
        let make = { () throws(SigningKeyError) -> APNsTokenFile.Entry in
            isMade = true
            return APNsTokenFile.Entry(authorization: "bearer \(try self.signed(at: now))", mintedAt: now)
        }
        let entry: APNsTokenFile.Entry
        if let file {
            entry = try file.update("\(teamID)/\(keyID)/\(try key.fingerprint())") { kept throws(SigningKeyError) in
                guard let kept, kept.authorization != refused, APNsTokenPolicy.isCurrent(kept.mintedAt, now: now)
                else { return try make() }
                return kept
            }
        } else {
            entry = try make()
        }
        state.policy.minted(now: entry.mintedAt)
        if isMade { state.tokensMade += 1 }
        let token = APNsToken(authorization: entry.authorization, generation: state.policy.generation)
        state.token = token
        return token
    }

    private func signed(at now: Date) throws(SigningKeyError) -> String {
        let header: JSON = ["alg": "ES256", "kid": .string(keyID)]
        let claims: JSON = ["iss": .string(teamID), "iat": .int(Int64(now.timeIntervalSince1970))]
        return try JSONWebToken.signed(
            header: header.serializedBytes(), claims: claims.serializedBytes(), with: key)
    }
}

/// Hands out one token cache for each team and key, however many apps and providers use them.
package final class APNsTokenRegistry: Sendable {
    private struct Owner: Hashable {
        let teamID: String
        let keyID: String
    }

    private let clock: WallClock
    private let file: APNsTokenFile?
    private let caches = Mutex<[Owner: APNsTokenCache]>([:])

    /// - Parameter file: where tokens are kept for other processes; in memory only without one.
    package init(clock: WallClock, file: APNsTokenFile? = nil) {
        self.clock = clock
        self.file = file
    }

    /// The cache of this team and key. The key that came first is kept: Apple never reuses a key id.
    package func cache(teamID: String, keyID: String, key: SigningKey) -> APNsTokenCache {
        caches.withLock { caches in
            let owner = Owner(teamID: teamID, keyID: keyID)
            if let cache = caches[owner] { return cache }
            let cache = APNsTokenCache(keyID: keyID, teamID: teamID, key: key, clock: clock, file: file)
            caches[owner] = cache
            return cache
        }
    }
}
