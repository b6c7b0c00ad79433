public import FoundationEssentials

/// A page after providers were chosen, notifications made and interceptors run: everything but the sending.
///
/// A dry run ends here.
public struct PreparedPage: Sendable {
    public let batchID: String
    /// One for each registration of the page, in the page's order.
    public internal(set) var devices: [PreparedDevice]
}

/// What is to be sent to one device, or why nothing is.
public struct PreparedDevice: Sendable {
    public let registration: Registration
    /// After all interceptors; `nil` when there is nothing to send because making it failed or no provider was found.
    public internal(set) var notification: PushNotification?
    /// The position of the chosen provider in the pipeline's list.
    public internal(set) var providerIndex: Int?
    /// The outcome of a device that nothing is sent to: skipped, without a provider, or failed.
    public internal(set) var settled: PushOutcome?
    /// What interceptors left in their bag for the outcome hooks.
    var values: [String: PushValue] = [:]
    /// How many interceptors let the device pass; these hear its outcome.
    var interceptorsPassed = 0

    init(_ registration: Registration) { self.registration = registration }
}

/// A page with the outcome of every device.
public struct DeliveredPage: Sendable {
    public let batchID: String
    /// One for each registration of the page, in the page's order.
    public internal(set) var results: [PushDeliveryResult]
    /// The provider of each result, as a position in the pipeline's list; `nil` where none was chosen.
    let providerIndexes: [Int?]
    /// When the page was handed to its providers.
    public let sentAt: Date
    /// The last registration of the page.
    public let cursor: RegistrationID
}
