package import Push

/// One row of a provider's error table: what the provider says, what it means here, and what a person can do.
package struct ProviderReason: Sendable, Hashable {
    /// Whether the same message may be sent again.
    package enum Retry: String, Sendable, Hashable, CaseIterable {
        case never
        case later
        /// Once, after the provider token or bearer was replaced.
        case onceWithNewCredential
    }

    /// The provider's own word: `BadDeviceToken`, `UNREGISTERED`.
    package var name: String
    /// The HTTP statuses it was seen with.
    package var httpStatuses: [Int]
    package var status: PushDeliveryStatus
    package var retry: Retry
    /// What it means and what to do, as one or two sentences.
    package var advice: String

    init(
        _ name: String, _ httpStatuses: [Int], _ status: PushDeliveryStatus, retry: Retry = .never, _ advice: String
    ) {
        self.name = name
        self.httpStatuses = httpStatuses
        self.status = status
        self.retry = retry
        self.advice = advice
    }

    /// What to do about a reason that a provider gave.
    ///
    /// - Parameter provider: A provider's identifier, such as `apns` or `fcm:consumer`.
    package static func advice(for reason: String, from provider: String) -> String? {
        // A reason may go on with the provider's own text after a colon.
        let name = String(reason.prefix { $0 != ":" })
        return switch provider.prefix(while: { $0 != ":" }) {
        case "apns": APNsReasons.table[name]?.advice
        case "fcm": FCMReasons.table[name]?.advice
        default: nil
        }
    }
}
