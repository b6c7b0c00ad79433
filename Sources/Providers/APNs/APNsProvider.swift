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
    ) async -> [PushOutcome] {
        do {
            let token = try tokens.token()
            var outcomes = await attempt(deliveries, of: page, with: origin, token)
            let expired = outcomes.indices.filter { outcomes[$0].reason == "ExpiredProviderToken" }
            guard !expired.isEmpty, let replacement = try tokens.replacement(for: token) else { return outcomes }
            let again = expired.map { deliveries[deliveries.startIndex + $0] }
            let second = await attempt(again[...], of: page, with: origin, replacement)
            for (position, outcome) in zip(expired, second) { outcomes[position] = outcome }
            return outcomes
        } catch {
            let outcome = PushOutcome(.configurationError, reason: "no provider token can be made: \(error)")
            return Array(repeating: outcome, count: deliveries.count)
        }
    }

    private func attempt(
        _ deliveries: ArraySlice<Delivery>, of page: Page, with origin: HTTPOrigin, _ token: APNsToken
    ) async -> [PushOutcome] {
        let authorization = HTTPHeader("authorization", token.authorization)
        let sharedHeaders = page.shared.map { [authorization] + $0.headers }
        let requests = deliveries.map { delivery in
            HTTPRequest(
                method: "POST", path: delivery.path, sharedHeaders: sharedHeaders[delivery.shared],
                headers: [APNsRequestBuilder.messageIDHeader(delivery.messageID)],
                body: page.shared[delivery.shared].body)
        }
        let results = await client.send(requests, to: origin)
        let now = clock.now
        return zip(deliveries, results).map { delivery, result in
            switch result {
            case .success(let response): APNsResponse.outcome(response, messageID: delivery.messageID, now: now)
            case .failure(let failure): PushOutcome(failure)
            }
        }
    }
}

extension APNsProvider {
    /// One request to be sent.
    private struct Delivery {
        /// Where the message stands in the page.
        let index: Int
        /// Where its headers and body stand in `Page.shared`.
        let shared: Int
        let path: String
        let messageID: String
    }

    /// A page of messages, with what they share built once and what cannot be sent already answered.
    private struct Page {
        struct Group {
            let origin: HTTPOrigin
            var deliveries: [Delivery] = []
        }

        private(set) var shared: [APNsMessage] = []
        private(set) var groups: [Group] = []
        var outcomes: [PushOutcome]

        init(_ messages: [PushMessage], _ builder: APNsRequestBuilder, now: Date) {
            outcomes = Array(repeating: PushOutcome(.unavailable, reason: "not sent"), count: messages.count)
            var built = OncePerNotification<Result<Int, NotificationRejection>>()
            for (index, message) in messages.enumerated() {
                let position = built.position(of: message.notification) { notification in
                    do throws(NotificationRejection) {
                        shared.append(try builder.message(for: notification, now: now))
                        return .success(shared.count - 1)
                    } catch {
                        return .failure(error)
                    }
                }
                switch built.values[position] {
                case .failure(let rejection):
                    outcomes[index] = PushOutcome(.messageRejected, reason: rejection.description)
                case .success(let shared):
                    add(message, index, shared, builder)
                }
            }
        }

        private mutating func add(_ message: PushMessage, _ index: Int, _ shared: Int, _ builder: APNsRequestBuilder) {
            do throws(NotificationRejection) {
                let delivery = Delivery(
                    index: index, shared: shared, path: try builder.path(for: message.registration),
                    messageID: message.messageID)
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
