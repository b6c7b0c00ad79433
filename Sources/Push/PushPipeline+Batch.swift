/// How a batch ended.
public struct BatchEnd: Sendable, Hashable {
    /// Why it ended before its audience did; `nil` when the audience was gone through to its end.
    public var stoppedBecause: PushStopReason?
    /// Why devices of some provider were left out, in the order of the pipeline's providers.
    public var brokenProviders: [PushStopReason]

    public init(stoppedBecause: PushStopReason?, brokenProviders: [PushStopReason]) {
        self.stoppedBecause = stoppedBecause
        self.brokenProviders = brokenProviders
    }

    /// The one thing to say when not everything was tried.
    public var problem: PushStopReason? { stoppedBecause ?? brokenProviders.first }
}

extension PushPipeline {
    /// Sends a batch page by page, in constant memory.
    ///
    /// While pages are being sent, the next one is read and prepared. Pages are committed one at a time and strictly in
    /// order, whichever is answered first. The batch ends early when its task is cancelled, when `shouldStop` says so,
    /// when the audience or a commit fails, and when every provider of the pipeline is known to be misconfigured; pages
    /// that were handed to providers by then are still committed. As long as one provider works, the batch goes on for
    /// its devices, and those of a broken one fail without a request.
    ///
    /// - Parameters:
    ///   - pagesInFlight: how many pages may be with providers at a time.
    ///   - commit: records a page. What it throws ends the batch, and no later page is committed.
    public func sendBatch<Audience: PushAudience>(
        batchID: String,
        to audience: inout Audience,
        pagesInFlight: Int = 2,
        notification: @escaping @Sendable (Registration) throws -> PushNotification,
        shouldStop: @Sendable () -> Bool = { false },
        commit: (ReviewedPage) async throws -> Void
    ) async -> BatchEnd {
        var review = BatchReview(hygiene: hygiene)
        var stop: PushStopReason?
        await withTaskGroup(of: (number: Int, page: DeliveredPage).self) { group in
            var order = PageOrder()
            do {
                while true {
                    stop = reasonToStop(review, shouldStop)
                    guard stop == nil else { break }
                    let page = try await audience.nextPage()
                    guard !page.isEmpty else { break }
                    let prepared = await prepare(page, batchID: batchID, notification: notification)
                    while order.sending >= max(1, pagesInFlight), let answer = await group.next() {
                        order.put(answer.page, at: answer.number)
                        await commitAnswered(&order, &review, commit)
                    }
                    stop = order.commitFailure ?? reasonToStop(review, shouldStop)
                    guard stop == nil else { break }
                    let number = order.start()
                    let withheld = review.broken
                    group.addTask { (number, await deliver(prepared, withheld: withheld)) }
                }
            } catch {
                stop = .repositoryFailed(reason: "\(error)")
            }
            while let answer = await group.next() {
                order.put(answer.page, at: answer.number)
                await commitAnswered(&order, &review, commit)
            }
            stop = order.commitFailure ?? stop ?? (Task.isCancelled ? .cancelled : nil)
        }
        return BatchEnd(
            stoppedBecause: stop, brokenProviders: review.broken.sorted { $0.key < $1.key }.map(\.value))
    }

    private func reasonToStop(_ review: BatchReview, _ shouldStop: @Sendable () -> Bool) -> PushStopReason? {
        if Task.isCancelled { return .cancelled }
        if shouldStop() { return .stopped }
        guard !providers.isEmpty, review.broken.count == providers.count else { return nil }
        return review.broken.min { $0.key < $1.key }?.value
    }

    private func commitAnswered(
        _ order: inout PageOrder, _ review: inout BatchReview, _ commit: (ReviewedPage) async throws -> Void
    ) async {
        while order.commitFailure == nil, let page = order.next() {
            do {
                try await commit(review.add(page))
            } catch {
                logger.error("A page could not be recorded", ["batch": page.batchID, "error": "\(error)"])
                order.commitFailure = .repositoryFailed(reason: "\(error)")
            }
        }
    }
}

/// Puts pages that are answered in any order back into theirs.
private struct PageOrder {
    private var answered: [Int: DeliveredPage] = [:]
    private var startedCount = 0
    private var answeredCount = 0
    private var committedCount = 0
    /// Set when a page could not be committed; no other is then.
    var commitFailure: PushStopReason?

    /// Pages that are with providers.
    var sending: Int { startedCount - answeredCount }

    mutating func start() -> Int {
        defer { startedCount += 1 }
        return startedCount
    }

    mutating func put(_ page: DeliveredPage, at number: Int) {
        answered[number] = page
        answeredCount += 1
    }

    mutating func next() -> DeliveredPage? {
        guard let page = answered.removeValue(forKey: committedCount) else { return nil }
        committedCount += 1
        return page
    }
}
