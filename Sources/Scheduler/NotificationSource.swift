package import Campaigns
package import Push
package import Schedules

/// Makes what a run sends from its campaign's file.
package protocol NotificationSource: Sendable {
    /// Resolves the campaign's data and its condition for one occurrence. What it throws fails the run before anything
    /// is sent.
    func content(of campaign: Campaign, at occurrence: Occurrence) async throws -> RunContent
}

/// What a run sends.
package enum RunContent: Sendable {
    /// The campaign's condition does not hold.
    case nothing(reason: String)
    /// A notification for each device, and the chain that it goes through.
    case notifications(
        make: @Sendable (Registration) throws -> PushNotification, interceptors: [any PushInterceptor])
}
