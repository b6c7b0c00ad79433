import CCurl

/// The event loop of one worker: a multi handle, its transfers and what waits for them.
///
/// It lives on the worker's thread and is never seen by another.
final class CurlEventLoop {
    private let multi: CurlMulti
    private let configuration: HTTPClientConfiguration
    /// This worker's share of the connections to an origin.
    private let connections: Int
    private var lanes: [HTTPOrigin: CurlLane] = [:]
    private var running: [ObjectIdentifier: CurlTransfer] = [:]
    private var idle: [CurlTransfer] = []
    private var sharedHeaders = SharedHeaderLists()

    /// Easy handles kept for later; each holds some 20 kB.
    private var idleLimit: Int { connections * configuration.streamsPerConnection }

    init(multi: CurlMulti, configuration: HTTPClientConfiguration, connections: Int) {
        self.multi = multi
        self.configuration = configuration
        self.connections = connections
    }

    /// Takes a batch; its requests start with the next turn.
    func add(_ batch: CurlBatch) {
        let lane = lane(for: batch.origin)
        lane.append(batch)
        start(from: lane)
    }

    /// Gives up the requests of a batch that are in flight or about to be.
    func cancel(_ batch: CurlBatch) {
        lanes[batch.origin]?.forget(batch)
        for transfer in Array(running.values) where transfer.ticket?.batch === batch { abandon(transfer) }
    }

    /// Gives up everything.
    func cancelAll() {
        for transfer in Array(running.values) { abandon(transfer) }
        for lane in lanes.values { lane.leave(because: .cancelled(lane.origin, mayHaveBeenProcessed: false)) }
        lanes = [:]
        idle = []
    }

    /// Runs until nothing more can be done at once.
    func turn() {
        var hasStarted = true
        while hasStarted {
            multi.perform()
            while let (easy, code) = unsafe multi.nextFinished() {
                if let transfer = unsafe CurlTransfer.owner(of: easy) { finish(transfer, code) }
            }
            hasStarted = false
            for lane in lanes.values {
                lane.window.settle()
                if start(from: lane) { hasStarted = true }
            }
        }
    }

    // MARK: Starting

    private func lane(for origin: HTTPOrigin) -> CurlLane {
        if let lane = lanes[origin] { return lane }
        if lanes.count >= 128 { lanes = lanes.filter { !$0.value.isIdle } }
        let window = StreamWindow(connections: connections, streams: configuration.streamsPerConnection)
        let lane = CurlLane(origin: origin, window: window)
        lanes[origin] = lane
        return lane
    }

    @discardableResult
    private func start(from lane: CurlLane) -> Bool {
        var hasStarted = false
        while lane.window.room > 0, let ticket = lane.next() {
            if ticket.batch.isCancelled {
                finish(ticket, .failure(.cancelled(lane.origin, mayHaveBeenProcessed: false)))
            } else {
                do throws(HTTPFailure) {
                    try start(ticket, of: lane)
                    hasStarted = true
                } catch {
                    finish(ticket, .failure(error))
                }
            }
        }
        return hasStarted
    }

    private func start(_ ticket: CurlLane.Ticket, of lane: CurlLane) throws(HTTPFailure) {
        let shared: CurlHeaderList
        do throws(InvalidHeader) {
            shared = try sharedHeaders.list(for: ticket.batch.requests[ticket.index].sharedHeaders)
        } catch {
            throw .invalid("the header field “\(error.name)” holds a byte that cannot be sent", to: lane.origin)
        }
        guard let transfer = idle.popLast() ?? CurlTransfer(configuration: configuration, connections: connections)
        else { throw .invalid("libcurl has no memory for another transfer", to: lane.origin) }
        do throws(HTTPFailure) {
            try transfer.prepare(ticket, of: lane, sharedHeaders: shared)
        } catch {
            recycle(transfer)
            throw error
        }
        guard unsafe multi.add(transfer.easy) else {
            recycle(transfer)
            throw .invalid("libcurl does not take another transfer", to: lane.origin)
        }
        lane.needsFreshConnection = false
        lane.window.start()
        running[ObjectIdentifier(transfer)] = transfer
    }

    // MARK: Ending

    private func finish(_ transfer: CurlTransfer, _ code: CURLcode) {
        guard let lane = transfer.lane, let ticket = transfer.ticket else { return }
        let failure = code == CURLE_OK ? nil : failure(of: transfer, lane, code)
        let outcome: CurlBatch.Outcome = failure.map { .failure($0) } ?? .success(transfer.takeResponse())
        let wasSilent = transfer.responsesAtStart == lane.responses
        remove(transfer, from: lane)
        guard let failure else {
            lane.responses &+= 1
            finish(ticket, outcome)
            return
        }
        if failure.isConnectionFailure {
            lane.window.disconnect()
            finish(ticket, outcome)
            if lane.window.inFlight == 0 || failure.kind == .tls { lane.leave(because: failure) }
        } else if !failure.mayHaveBeenProcessed, !ticket.isSecondAttempt, failure.kind == .connectionLost {
            // The connection broke as the request was about to use it: the server has not seen it.
            lane.tryAgain(ticket)
        } else {
            if failure.kind == .timeout, wasSilent {
                // No answer to anybody for that long: the connection is dead, or as good as.
                lane.needsFreshConnection = true
            }
            finish(ticket, outcome)
        }
    }

    private func failure(of transfer: CurlTransfer, _ lane: CurlLane, _ code: CURLcode) -> HTTPFailure {
        transfer.ownFailure
            ?? .failure(
                code, message: transfer.errorMessage, to: lane.origin, hasSentBytes: transfer.hasSentBytes)
    }

    private func finish(_ ticket: CurlLane.Ticket, _ outcome: CurlBatch.Outcome) {
        ticket.batch.finish(ticket.index, with: outcome)
    }

    private func abandon(_ transfer: CurlTransfer) {
        guard let lane = transfer.lane, let ticket = transfer.ticket else { return }
        let failure = HTTPFailure.cancelled(lane.origin, mayHaveBeenProcessed: transfer.hasSentBytes)
        remove(transfer, from: lane)
        finish(ticket, .failure(failure))
    }

    private func remove(_ transfer: CurlTransfer, from lane: CurlLane) {
        unsafe multi.remove(transfer.easy)
        lane.window.end(wasWritten: transfer.wasWritten)
        lane.idleSince = lane.window.inFlight == 0 ? .now : nil
        running[ObjectIdentifier(transfer)] = nil
        recycle(transfer)
    }

    private func recycle(_ transfer: CurlTransfer) {
        transfer.clear()
        if idle.count < idleLimit { idle.append(transfer) }
    }
}
