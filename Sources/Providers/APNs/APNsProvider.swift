import Crypto
import FoundationEssentials
package import HTTPClient
package import Push

/// Sends to one app's iOS and macOS devices through APNs.
package struct APNsProvider: PushProvider, PushRequestPreviewing {
    package let identifier: String
    private let appID: String?
    private let builder: APNsRequestBuilder
    private let tokens: APNsTokenCache
    private let client: any HTTPClient
    private let clock: WallClock
    private let logger: Logger
    private let probe = Probe()

    /// - Parameters:
    ///   - registry: Shared by all APNs providers of the process, so that a team's token is made once.
    ///   - client: Must speak HTTP/2. It is shared too, so that apps share connections.
    package init(
        _ configuration: APNsConfiguration, registry: APNsTokenRegistry, client: any HTTPClient,
        clock: WallClock = .system, logger: Logger = .disabled
    ) {
        identifier = ProviderIdentifier.make("apns", app: configuration.appID)
        appID = configuration.appID
        builder = APNsRequestBuilder(
            bundleID: configuration.bundleID, forcedEnvironment: configuration.forcedEnvironment,
            endpoints: configuration.endpoints)
        tokens = registry.cache(
            teamID: configuration.teamID, keyID: configuration.keyID, key: configuration.key)
        self.client = client
        self.clock = clock
        self.logger = logger
    }

    package func canDeliver(to registration: Registration) -> Bool {
        (registration.platform == .iOS || registration.platform == .macOS) && registration.appID == appID
    }

    package func previewRequest(for message: PushMessage) throws -> ProviderRequest {
        try builder.previewRequest(for: message, now: clock.now)
    }

    package func send(_ messages: [PushMessage]) async throws -> [PushOutcome] {
        var page = Page(messages, builder, now: clock.now)
        for group in page.groups {
            let outcomes = await probe.send(group.deliveries, to: group.origin) { deliveries in
                await exchange(deliveries, of: page, with: group.origin)
            }
            for (delivery, outcome) in zip(group.deliveries, outcomes) { page.outcomes[delivery.index] = outcome }
        }
        ProviderRefusals.log(page.outcomes, of: identifier, to: logger)
        return page.outcomes
    }

    /// Sends requests, and those once more whose provider token Apple called expired.
    private func exchange(
        _ deliveries: ArraySlice<Delivery>, of page: Page, with origin: HTTPOrigin
    ) async -> [Reply] {
        let token: APNsToken
        do {
            token = try tokens.token()
        } catch {
            return Array(repeating: Self.unsigned(error), count: deliveries.count)
        }
        var replies = await attempt(deliveries, of: page, with: origin, token)
        let expired = replies.indices.filter { replies[$0].outcome.reason == "ExpiredProviderToken" }
        guard !expired.isEmpty else { return replies }
        do {
            guard let replacement = try tokens.replacement(for: token) else { return replies }
            let again = expired.map { deliveries[deliveries.startIndex + $0] }
            let second = await attempt(again[...], of: page, with: origin, replacement)
            for (position, reply) in zip(expired, second) { replies[position] = reply }
        } catch {
            for position in expired { replies[position] = Self.unsigned(error) }
        }
        return replies
    }

    private static func unsigned(_ error: SigningKeyError) -> Reply {
        .noAnswer(PushOutcome(.configurationError, reason: "no provider token can be made: \(error)"))
    }

    private func attempt(
        _ deliveries: ArraySlice<Delivery>, of page: Page, with origin: HTTPOrigin, _ token: APNsToken
    ) async -> [Reply] {
        let sharedHeaders = page.sharedHeaders(token)
        let requests = deliveries.map { delivery in
            HTTPRequest(
                method: "POST", path: delivery.path, sharedHeaders: sharedHeaders[delivery.sharedPosition],
                headers: [APNsRequestBuilder.messageIDHeader(delivery.messageID)],
                body: delivery.shared.body)
        }
        let results = await client.send(requests, to: origin)
        let now = clock.now
        return zip(deliveries, results).map { delivery, result in
            switch result {
            case .success(let response):
                .answer(APNsResponse.outcome(response, messageID: delivery.messageID, now: now))
            case .failure(let failure): .noAnswer(PushOutcome(failure))
            }
        }
    }
}

extension APNsProvider {
    /// One request to be sent.
    private struct Delivery {
        /// Where the message stands in the page.
        let index: Int
        let shared: APNsMessage
        /// Tells apart what is shared, so that the headers too are put together once.
        let sharedPosition: Int
        let path: String
        let messageID: String
    }

    /// A page of messages, with what they share built once and what cannot be sent already answered.
    private struct Page {
        struct Group {
            let origin: HTTPOrigin
            var deliveries: [Delivery] = []
        }

        private var requests: PageOfRequests<APNsRequestBuilder>
        private(set) var groups: [Group] = []
        var outcomes: [PushOutcome]

        init(_ messages: [PushMessage], _ builder: APNsRequestBuilder, now: Date) {
            outcomes = Array(repeating: PushOutcome(.unavailable, reason: "not sent"), count: messages.count)
            requests = PageOfRequests(builder, now: now)
            for (index, message) in messages.enumerated() {
                switch requests.shared(for: message) {
                case .failure(let refusal): outcomes[index] = refusal.outcome
                case .success(let shared): add(message, index, shared, builder)
                }
            }
        }

        /// The header fields of each notification with the provider token before them.
        func sharedHeaders(_ token: APNsToken) -> [[HTTPHeader]] {
            let authorization = HTTPHeader("authorization", token.authorization)
            return requests.built.map { [authorization] + ((try? $0.get().headers) ?? []) }
        }

        private mutating func add(
            _ message: PushMessage, _ index: Int, _ shared: (position: Int, value: APNsMessage),
            _ builder: APNsRequestBuilder
        ) {
            do throws(NotificationRejection) {
                let delivery = Delivery(
                    index: index, shared: shared.value, sharedPosition: shared.position,
                    path: try builder.path(for: message.registration), messageID: message.messageID)
                let origin = builder.origin(for: message.registration)
                if let group = groups.firstIndex(where: { $0.origin == origin }) {
                    groups[group].deliveries.append(delivery)
                } else {
                    groups.append(Group(origin: origin, deliveries: [delivery]))
                }
            } catch {
                outcomes[index] = PushOutcome(.error, reason: error.description)
            }
        }
    }
}
