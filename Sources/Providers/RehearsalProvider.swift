package import HTTPClient
package import Push

/// Stands in for a real provider where nothing is sent: it serves the same devices and builds the same requests, and
/// needs no key for it.
package struct RehearsalProvider: PushProvider, PushRequestPreviewing {
    package let identifier: String
    private let appID: String?
    private let platforms: [Platform]
    private let clock: WallClock
    private let builder: any ProviderRequestBuilder

    /// What stands for the project where only the service account names it.
    package static let unknownProject = "PROJECT"

    package static func apns(
        appID: String?, bundleID: String, forcedEnvironment: PushEnvironment? = nil, endpoint: HTTPOrigin? = nil,
        clock: WallClock = .system
    ) -> RehearsalProvider {
        RehearsalProvider(
            identifier: ProviderIdentifier.make("apns", app: appID), appID: appID, platforms: [.iOS, .macOS],
            clock: clock,
            builder: APNsRequestBuilder(
                bundleID: bundleID, forcedEnvironment: forcedEnvironment,
                endpoints: endpoint.map { [.production: $0, .sandbox: $0] } ?? [:]))
    }

    package static func fcm(
        appID: String?, projectID: String?, endpoint: HTTPOrigin? = nil, clock: WallClock = .system
    ) -> RehearsalProvider {
        RehearsalProvider(
            identifier: ProviderIdentifier.make("fcm", app: appID), appID: appID, platforms: [.android], clock: clock,
            builder: FCMRequestBuilder(
                projectID: projectID ?? unknownProject, origin: endpoint ?? FCMConfiguration.googleOrigin))
    }

    package func canDeliver(to registration: Registration) -> Bool {
        platforms.contains(registration.platform) && registration.appID == appID
    }

    package func previewRequest(for message: PushMessage) throws -> ProviderRequest {
        try builder.previewRequest(for: message, now: clock.now)
    }

    /// Refuses every message.
    package func send(_ messages: [PushMessage]) async throws -> [PushOutcome] {
        let refusal = PushOutcome(
            .configurationError, reason: "this provider stands in for \(identifier) and cannot send")
        return Array(repeating: refusal, count: messages.count)
    }
}
