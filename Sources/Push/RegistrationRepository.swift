public import FoundationEssentials

/// A change that an outcome asks of the repository.
public enum TokenChange: Sendable, Hashable {
    /// Remove the registration if it still has this token and was not registered again after `ifNotRenewedSince`.
    case remove(RegistrationID, token: String, ifNotRenewedSince: Date)
    /// Give the registration its new token if it still has the old one. Where another row of the same app, platform and
    /// token kind has the new token already, that row, being the fresher one, stays and gets the topics of this one,
    /// which is removed.
    case rotate(RegistrationID, from: String, to: String)
}

/// Where registrations are kept.
public protocol RegistrationRepository: Sendable {
    /// Saves new registrations and renews known ones (same identity), one transaction for all.
    ///
    /// Renewing replaces token, user, tags, locale and the like, and merges topics: a client that sends none keeps its own.
    /// The id stays. A renewal without `deviceID` keeps the one known. A registration whose token is held by another row
    /// of the same app, platform and token kind takes that row over: where its own identity has a row already, the other
    /// is removed and its topics are merged; otherwise the other row becomes its own.
    func save(_ registrations: [Registration]) async throws

    /// Removes the registration with this token, of whatever token kind; false when there was none.
    func remove(token: String, platform: Platform, appID: String?) async throws -> Bool

    /// Subscribes to a topic; false when the registration is unknown. Doing it twice changes nothing.
    func subscribe(token: String, platform: Platform, appID: String?, to topic: String) async throws -> Bool

    /// Ends a subscription; false when the registration is unknown.
    func unsubscribe(token: String, platform: Platform, appID: String?, from topic: String) async throws -> Bool

    /// The next registrations of the audience in id order, at most `limit`. Fewer than `limit` means that it ends there.
    func page(of filter: PushFilter, after: RegistrationID, limit: Int) async throws -> [Registration]

    func count(of filter: PushFilter) async throws -> Int

    /// Applies what outcomes asked for and returns, for each change, whether it was made.
    func apply(_ changes: [TokenChange]) async throws -> [Bool]
}
