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
    func add(_ batch: RequestBatch) {
        let lane = lane(for: batch.origin)
        lane.append(batch)
        start(from: lane)
    }

    /// Gives up the requests of a batch that are in flight or about to be.
    func cancel(_ batch: RequestBatch) {
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
    ///
    /// - Returns: the time after which to come back at the latest.
    func turn() -> Duration {
        for lane in lanes.values { lane.wasActive = false }
        var hasStarted = true
        while hasStarted {
            multi.perform()
            while let (easy, code) = unsafe multi.nextFinished() {
                if let transfer = unsafe CurlTransfer.owner(of: easy) { finish(transfer, code) }
            }
            hasStarted = false
            let now = ContinuousClock.now
            for lane in lanes.values {
                lane.window.settle(at: now)
                recover(lane, at: now)
                if start(from: lane) { hasStarted = true }
            }
        }
        return lanes.values.map(longestWait).min() ?? .seconds(60)
    }

    private func longestWait(for lane: CurlLane) -> Duration {
        if lane.wasActive, lane.window.inFlight > 0 {
            // libcurl 7.88 at times forgets to come back to a transfer whose response is here: curl_multi_perform clears
            // a timer that it set itself a moment ago. So the wait is short until a turn has passed with nothing done.
            return .milliseconds(2)
        }
        if lane.stalledSince != nil { return .milliseconds(100) }
        if case .greeting = lane.window.phase, lane.hasWork { return .milliseconds(100) }
        return .seconds(60)
    }

    /// Takes requests back that libcurl has put aside and does not look at any more.
    ///
    /// libcurl 7.88 looks at one pending handle each time a transfer ends; where that one finds no stream yet, nothing
    /// wakes it once no transfer is left. A connection in the making looks the same from outside and is given time; if it
    /// takes longer, it is begun anew, by one request and with all of the connect timeout.
    private func recover(_ lane: CurlLane, at now: ContinuousClock.Instant) {
        guard lane.window.isStalled else {
            lane.stalledSince = nil
            return
        }
        guard let since = lane.stalledSince else {
            lane.stalledSince = now
            return
        }
        guard now - since > .seconds(2) else { return }
        lane.stalledSince = nil
        for transfer in Array(running.values) where transfer.lane === lane && !transfer.wasWritten {
            guard let ticket = transfer.ticket else { continue }
            remove(transfer, from: lane)
            lane.tryAgain(ticket)
        }
        lane.window.close()
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
        let outcome: RequestBatch.Outcome = failure.map { .failure($0) } ?? .success(transfer.takeResponse())
        let wasSilent = transfer.responsesAtStart == lane.responses
        let wasRefused = transfer.wasRefused
        if failure == nil { lane.window.answer() }
        // libcurl counts the refusals of a handle over all its requests and gives up after five: such a handle is spent.
        remove(transfer, from: lane, isReusable: failure == nil)
        guard let failure else {
            lane.responses &+= 1
            finish(ticket, outcome)
            return
        }
        if wasRefused {
            lane.window.close()
            sendAgain(ticket, of: lane)
        } else if failure.isConnectionFailure {
            lane.window.close()
            finish(ticket, outcome)
            if lane.window.inFlight == 0 || failure.kind == .tls { lane.leave(because: failure) }
        } else if !failure.mayHaveBeenProcessed, failure.kind == .connectionLost {
            // The connection broke as the request was about to use it: the server has not seen it.
            sendAgain(ticket, of: lane)
        } else {
            if failure.kind == .timeout, wasSilent {
                // No answer to anybody for that long: the connection is dead, or as good as.
                lane.needsFreshConnection = true
            }
            finish(ticket, outcome)
        }
    }

    /// Sends a request again that the server has not processed, unless it refuses everything.
    private func sendAgain(_ ticket: CurlLane.Ticket, of lane: CurlLane) {
        var ticket = ticket
        ticket.vainAttempts = ticket.responsesThen == lane.responses ? ticket.vainAttempts + 1 : 1
        ticket.responsesThen = lane.responses
        if ticket.vainAttempts < 6 {
            lane.tryAgain(ticket)
        } else {
            finish(ticket, .failure(.refused(by: lane.origin, times: ticket.vainAttempts)))
        }
    }

    private func failure(of transfer: CurlTransfer, _ lane: CurlLane, _ code: CURLcode) -> HTTPFailure {
        transfer.ownFailure
            ?? .failure(
                code, message: transfer.errorMessage, to: lane.origin, hasSentBytes: transfer.hasSentBytes)
    }

    private func finish(_ ticket: CurlLane.Ticket, _ outcome: RequestBatch.Outcome) {
        ticket.batch.finish(ticket.index, with: outcome)
    }

    private func abandon(_ transfer: CurlTransfer) {
        guard let lane = transfer.lane, let ticket = transfer.ticket else { return }
        let failure = HTTPFailure.cancelled(lane.origin, mayHaveBeenProcessed: transfer.hasSentBytes)
        remove(transfer, from: lane)
        finish(ticket, .failure(failure))
    }

    private func remove(_ transfer: CurlTransfer, from lane: CurlLane, isReusable: Bool = false) {
        unsafe multi.remove(transfer.easy)
        lane.window.end(wasWritten: transfer.wasWritten)
        lane.wasActive = true
        lane.idleSince = lane.window.inFlight == 0 ? .now : nil
        running[ObjectIdentifier(transfer)] = nil
        if isReusable { recycle(transfer) }
    }

    private func recycle(_ transfer: CurlTransfer) {
        transfer.clear()
        if idle.count < idleLimit { idle.append(transfer) }
    }
}
