import FoundationEssentials
package import HTTPClient
import JSON
package import Push

/// Sends to one app's Android devices through FCM's HTTP v1 interface.
package struct FCMProvider: PushProvider, PushRequestPreviewing {
    package let identifier: String
    private let appID: String?
    private let builder: FCMRequestBuilder
    private let tokens: FCMTokenSource
    private let client: any HTTPClient
    private let clock: WallClock
    private let logger: Logger
    private let probe = Probe()

    /// - Parameter tokenClient: What asks for access tokens, where that is not `client`.
    package init(
        _ configuration: FCMConfiguration, client: any HTTPClient, tokenClient: (any HTTPClient)? = nil,
        clock: WallClock = .system, logger: Logger = .disabled
    ) {
        identifier = ProviderIdentifier.make("fcm", app: configuration.appID)
        appID = configuration.appID
        builder = FCMRequestBuilder(projectID: configuration.projectID, origin: configuration.origin)
        let exchange = FCMTokenExchange(
            account: configuration.serviceAccount, endpoint: configuration.tokenEndpoint, client: tokenClient ?? client)
        tokens = FCMTokenSource(exchange, clock: clock)
        self.client = client
        self.clock = clock
        self.logger = logger
    }

    package func canDeliver(to registration: Registration) -> Bool {
        registration.platform == .android && registration.appID == appID
    }

    package func previewRequest(for message: PushMessage) throws -> ProviderRequest {
        try builder.previewRequest(for: message, now: clock.now)
    }

    package func send(_ messages: [PushMessage]) async throws -> [PushOutcome] {
        var outcomes = Array(repeating: PushOutcome(.unavailable, reason: "not sent"), count: messages.count)
        var requests = PageOfRequests(builder, now: clock.now)
        var deliveries: [Delivery] = []
        for (index, message) in messages.enumerated() {
            switch requests.shared(for: message) {
            case .failure(let refusal): outcomes[index] = refusal.outcome
            case .success where message.registration.token.isEmpty:
                outcomes[index] = PushOutcome(.error, reason: FCMRequestBuilder.missingToken.description)
            case .success(let shared):
                deliveries.append(Delivery(index: index, payload: shared.value, token: message.registration.token))
            }
        }
        let results = await probe.send(deliveries, to: builder.origin) { await exchange($0) }
        for (delivery, outcome) in zip(deliveries, results) { outcomes[delivery.index] = outcome }
        ProviderRefusals.log(outcomes, of: identifier, to: logger)
        return outcomes
    }

    /// One request to be sent.
    private struct Delivery {
        /// Where the message stands in the page.
        let index: Int
        let payload: FCMPayload
        let token: String
    }

    /// Sends requests, and those once more whose access token FCM did not accept.
    private func exchange(_ deliveries: ArraySlice<Delivery>) async -> [Reply] {
        let token: FCMAccessToken
        do throws(FCMTokenExchange.Failure) {
            token = try await tokens.token()
        } catch {
            return Array(repeating: .noAnswer(error.outcome), count: deliveries.count)
        }
        var replies = await attempt(deliveries, token)
        let refused = replies.indices.filter { FCMResponse.isRefusedToken(replies[$0].outcome) }
        guard !refused.isEmpty else { return replies }
        do throws(FCMTokenExchange.Failure) {
            guard let replacement = try await tokens.replacement(for: token) else { return replies }
            let again = refused.map { deliveries[deliveries.startIndex + $0] }
            for (position, reply) in zip(refused, await attempt(again[...], replacement)) { replies[position] = reply }
        } catch {
            for position in refused { replies[position] = .noAnswer(error.outcome) }
        }
        return replies
    }

    private func attempt(_ deliveries: ArraySlice<Delivery>, _ token: FCMAccessToken) async -> [Reply] {
        let sharedHeaders = [HTTPHeader("authorization", token.authorization), FCMRequestBuilder.contentType]
        var writer = JSONWriter()
        let requests = deliveries.map { delivery in
            HTTPRequest(
                method: "POST", path: builder.path, sharedHeaders: sharedHeaders,
                body: delivery.payload.body(token: delivery.token, using: &writer))
        }
        let results = await client.send(requests, to: builder.origin)
        let now = clock.now
        return results.map { result in
            switch result {
            case .success(let response): .answer(FCMResponse.outcome(response, now: now))
            case .failure(let failure): .noAnswer(PushOutcome(failure))
            }
        }
    }
}
