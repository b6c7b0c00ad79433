/// What one worker has to do for one origin.
final class CurlLane {
    let origin: HTTPOrigin
    private let base: String
    var window: StreamWindow
    /// The next request must not use a connection that stands: the last one went silent.
    var needsFreshConnection = false
    /// When the last transfer ended; a connection may have died since.
    var idleSince: ContinuousClock.Instant?
    /// Since when requests wait inside libcurl with none on its way.
    var stalledSince: ContinuousClock.Instant?
    /// Something happened in this turn of the event loop.
    var wasActive = false
    /// Counts the responses, so that a transfer that timed out knows whether the connection was alive meanwhile.
    var responses = 0
    private var batches: [RequestBatch] = []
    private var again: [Ticket] = []

    /// A request of a batch that this worker has taken.
    struct Ticket {
        var batch: RequestBatch
        var index: Int
        /// Attempts in a row that the server did not process, without an answer to any other request between them.
        var vainAttempts = 0
        /// The lane's `responses` at the last of them.
        var responsesThen = 0
    }

    init(origin: HTTPOrigin, window: StreamWindow) {
        self.origin = origin
        base = origin.description
        self.window = window
    }

    func url(of path: String) -> String { base + path }

    /// Requests wait here for room.
    var hasWork: Bool { !batches.isEmpty || !again.isEmpty }

    var isIdle: Bool { batches.isEmpty && again.isEmpty && window.inFlight == 0 }

    func append(_ batch: RequestBatch) {
        // A connection unused for this long may be dead without our knowing; one request tries it before the others.
        if let idleSince, isIdle, .now - idleSince > .seconds(60) { window.close() }
        batches.append(batch)
    }

    /// Takes back a request that the server has not processed.
    func tryAgain(_ ticket: Ticket) { again.append(ticket) }

    func next() -> Ticket? {
        if !again.isEmpty { return again.removeFirst() }
        while let batch = batches.first {
            if let index = batch.take() { return Ticket(batch: batch, index: index) }
            batches.removeFirst()
        }
        return nil
    }

    /// Gives up all that waits here.
    func leave(because failure: HTTPFailure) {
        let (waiting, tickets) = (batches, again)
        batches = []
        again = []
        for ticket in tickets { ticket.batch.finish(ticket.index, with: .failure(failure)) }
        for batch in waiting { batch.leave(because: failure) }
    }

    /// Drops what waits for a batch that was cancelled.
    func forget(_ batch: RequestBatch) {
        batches.removeAll { $0 === batch }
        let failure = HTTPFailure.cancelled(origin, mayHaveBeenProcessed: false)
        for ticket in again where ticket.batch === batch { batch.finish(ticket.index, with: .failure(failure)) }
        again.removeAll { $0.batch === batch }
    }
}
