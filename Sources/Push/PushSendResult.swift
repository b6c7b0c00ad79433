/// What came of a send.
public struct PushSendResult: Sendable {
    public let batchID: String
    /// One for each device that was reached, in registration order. Empty when the results were streamed instead.
    public let results: [PushDeliveryResult]
    public let counts: PushCounts
    /// Why not the whole audience was tried; `nil` when it was.
    public let stoppedBecause: PushStopReason?

    public init(
        batchID: String, results: [PushDeliveryResult], counts: PushCounts, stoppedBecause: PushStopReason? = nil
    ) {
        self.batchID = batchID
        self.results = results
        self.counts = counts
        self.stoppedBecause = stoppedBecause
    }

    /// Messages that a provider accepted.
    public var sent: Int { counts.sent }
    /// Devices that got nothing, dead tokens among them.
    public var failed: Int { counts.failed }
    /// Registrations that were really removed. They are counted in `failed` too.
    public var tokensRemoved: Int { counts.tokensRemoved }
    /// Devices that an interceptor left out.
    public var skipped: Int { counts.skipped }
    /// Messages that were handed over and never answered.
    public var uncertain: Int { counts.uncertain }
    /// All devices that were reached.
    public var total: Int { counts.total }
}
