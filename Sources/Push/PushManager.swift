public import FoundationEssentials

/// The entry point of the library: registers devices and sends to them.
///
/// A send goes through its audience page by page and never throws: whatever happens, the result tells what became of
/// every device that was reached, and `stoppedBecause` says why others were not. An empty list of tokens, tags or
/// platforms matches nobody.
public struct PushManager: Sendable {
    public let repository: any RegistrationRepository
    private let pipeline: PushPipeline
    private let pageSize: Int
    private let logger: Logger
    private let makeBatchID: @Sendable () -> String

    /// Receives the results of a page once the page's token changes are made.
    public typealias ResultHandler = @Sendable ([PushDeliveryResult]) async -> Void

    /// - Parameter makeBatchID: names a batch; a random UUID unless given.
    public init(
        repository: any RegistrationRepository,
        providers: [any PushProvider],
        interceptors: [any PushInterceptor] = [],
        options: PushManagerOptions = PushManagerOptions(),
        logger: Logger = .disabled,
        clock: WallClock = .system,
        makeBatchID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) throws(PushConfigurationError) {
        guard options.pageSize >= 1 else {
            throw PushConfigurationError(setting: "pageSize", value: options.pageSize, rule: "1 or more")
        }
        self.repository = repository
        self.pipeline = try PushPipeline(
            providers: providers, interceptors: interceptors, maxConcurrency: options.maxConcurrency,
            hygiene: TokenHygiene(
                autoPruneDeadTokens: options.autoPruneDeadTokens, applyUpdatedTokens: options.applyUpdatedTokens,
                implausible: options.implausible),
            logger: logger, clock: clock)
        self.pageSize = options.pageSize
        self.logger = logger
        self.makeBatchID = makeBatchID
    }

    // MARK: Registrations

    /// Saves a device, or renews it: see `RegistrationRepository.save(_:)`.
    public func register(_ registration: Registration) async throws {
        guard !registration.token.isEmpty else { throw PushRegistrationError.emptyToken }
        try await repository.save([registration])
    }

    /// Forgets a device; false when it was not known.
    @discardableResult
    public func unregister(token: String, platform: Platform, appID: String? = nil) async throws -> Bool {
        try await repository.remove(token: token, platform: platform, appID: appID)
    }

    /// Subscribes a device to a topic; false when it is not known.
    @discardableResult
    public func subscribe(
        token: String, platform: Platform, appID: String? = nil, to topic: String
    ) async throws -> Bool {
        try await repository.subscribe(token: token, platform: platform, appID: appID, to: topic)
    }

    /// Ends a device's subscription; false when it is not known.
    @discardableResult
    public func unsubscribe(
        token: String, platform: Platform, appID: String? = nil, from topic: String
    ) async throws -> Bool {
        try await repository.unsubscribe(token: token, platform: platform, appID: appID, from: topic)
    }

    // MARK: Sending

    /// Sends a notification to everybody the filter selects.
    ///
    /// - Parameter onResults: takes the results page by page instead of having all of them kept in memory.
    public func send(
        _ notification: PushNotification, to filter: PushFilter, onResults: ResultHandler? = nil
    ) async -> PushSendResult {
        let batchID = makeBatchID()
        var audience = FilteredAudience(filter, in: repository, pageSize: pageSize)
        var collected = Collected(onResults)
        let end = await sendBatch(batchID, notification, to: &audience, collecting: &collected)
        return finish(batchID, collected, end)
    }

    /// Sends to every device of a user.
    public func sendToUser(
        _ userID: String, _ notification: PushNotification, onResults: ResultHandler? = nil
    ) async -> PushSendResult {
        await send(notification, to: PushFilter(users: [userID]), onResults: onResults)
    }

    /// Sends to devices that have any of the tags, or all of them.
    public func sendToTags(
        _ tags: [String], _ notification: PushNotification, match: TagMatch = .any, onResults: ResultHandler? = nil
    ) async -> PushSendResult {
        await send(notification, to: PushFilter(tags: tags, tagMatch: match), onResults: onResults)
    }

    /// Sends to the subscribers of a topic.
    public func sendToTopic(
        _ topic: String, _ notification: PushNotification, onResults: ResultHandler? = nil
    ) async -> PushSendResult {
        await send(notification, to: PushFilter(topic: topic), onResults: onResults)
    }

    /// Sends to every ordinary device of every app.
    public func broadcast(
        _ notification: PushNotification, onResults: ResultHandler? = nil
    ) async -> PushSendResult {
        await send(notification, to: .everyone, onResults: onResults)
    }

    /// Sends to the devices with these tokens, once each however often a token is listed.
    ///
    /// A token that no registration has cannot be sent to, since nothing tells its platform; it gets a result with the
    /// status `notRegistered`, after the results of the tokens that were found.
    public func sendToTokens(
        _ tokens: [String], _ notification: PushNotification, onResults: ResultHandler? = nil
    ) async -> PushSendResult {
        let batchID = makeBatchID()
        var audience = TokenAudience(tokens, in: repository, pageSize: pageSize)
        var collected = Collected(onResults)
        let end = await sendBatch(batchID, notification, to: &audience, collecting: &collected)
        if audience.reachedEnd {
            for page in audience.unknownTokens.pages(of: pageSize) { await collected.takeUnknown(page) }
        }
        return finish(batchID, collected, end)
    }

    private func sendBatch<Audience: PushAudience>(
        _ batchID: String, _ notification: PushNotification, to audience: inout Audience,
        collecting collected: inout Collected
    ) async -> BatchEnd {
        logger.info("A batch begins", ["batch": batchID])
        return await pipeline.sendBatch(
            batchID: batchID, to: &audience, notification: { _ in notification },
            commit: { page in
                var page = page
                await apply(&page)
                await collected.take(page.results, page.counts)
            })
    }

    private func finish(_ batchID: String, _ collected: Collected, _ end: BatchEnd) -> PushSendResult {
        let result = PushSendResult(
            batchID: batchID, results: collected.results, counts: collected.counts, stoppedBecause: end.problem)
        logger.info(
            "A batch ended",
            [
                "batch": batchID, "sent": "\(result.sent)", "failed": "\(result.failed)",
                "skipped": "\(result.skipped)", "uncertain": "\(result.uncertain)",
                "tokens_removed": "\(result.tokensRemoved)", "stopped": end.problem?.description ?? "no",
            ])
        return result
    }

    /// Makes a page's token changes. Failing to costs the changes and nothing else: the messages are sent.
    private func apply(_ page: inout ReviewedPage) async {
        guard !page.tokenChanges.isEmpty else { return }
        do {
            page.noteApplied(try await repository.apply(page.tokenChanges))
        } catch {
            logger.error(
                "Dead and replaced tokens could not be recorded",
                ["batch": page.page.batchID, "count": "\(page.tokenChanges.count)", "error": "\(error)"])
        }
    }
}

/// Results and counts while a batch runs.
private struct Collected {
    private let onResults: PushManager.ResultHandler?
    private(set) var results: [PushDeliveryResult] = []
    private(set) var counts = PushCounts()

    init(_ onResults: PushManager.ResultHandler?) { self.onResults = onResults }

    mutating func take(_ page: [PushDeliveryResult], _ pageCounts: PushCounts) async {
        counts += pageCounts
        if let onResults { await onResults(page) } else { results += page }
    }

    mutating func takeUnknown(_ tokens: [String]) async {
        let page = tokens.map { token in
            PushDeliveryResult(
                registrationID: .unsaved, token: token, platform: nil, provider: nil,
                outcome: PushOutcome(.notRegistered, reason: "no registration has this token"))
        }
        var pageCounts = PushCounts()
        for result in page { pageCounts.add(result.status) }
        await take(page, pageCounts)
    }
}

/// A device that cannot be registered.
public enum PushRegistrationError: Error, Sendable, Hashable, CustomStringConvertible {
    case emptyToken

    public var description: String {
        switch self {
        case .emptyToken: "A device cannot be registered without a token."
        }
    }
}
