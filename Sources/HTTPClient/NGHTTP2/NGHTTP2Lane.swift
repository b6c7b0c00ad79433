/// What one worker has to do for one origin: the requests that wait, those on their way, and the connections.
final class NGHTTP2Lane {
    /// How often a request is sent again that the server refused while it answered nobody else either.
    static let refusalLimit = 5
    /// After a further connection could not be made, the ones there are must do for so long.
    static let growthPause = Duration.seconds(10)

    let origin: HTTPOrigin
    private let configuration: HTTPClientConfiguration
    /// Connections that take requests, at the most.
    private let share: Int
    private let openConnection: (MonotonicTime) -> NGHTTP2Connection
    private(set) var connections: [NGHTTP2Connection] = []
    private var batches: [RequestBatch] = []
    /// Requests that were surely not processed and go out again.
    private var again: [RequestTicket] = []
    private var tickets = TicketTable()
    private var heads: RequestHeads
    /// Counts the responses, so that a refused request can tell whether the server answers anybody.
    private var responses = 0
    private var attempts = ConnectionAttempts()
    private var noGrowthBefore = MonotonicTime(nanoseconds: 0)
    /// Since when requests wait and none is on its way, although a connection stands.
    private var stalledSince: MonotonicTime?
    /// The address that was reached last.
    private(set) var reachedAddress: SocketAddress?

    /// - Parameter openConnection: starts another connection to the origin.
    init(
        _ origin: HTTPOrigin, configuration: HTTPClientConfiguration, share: Int,
        openConnection: @escaping (MonotonicTime) -> NGHTTP2Connection
    ) {
        self.origin = origin
        self.configuration = configuration
        self.share = share
        self.openConnection = openConnection
        heads = RequestHeads(origin)
    }

    /// Nothing waits and no connection is left.
    var isEmpty: Bool { connections.isEmpty && !hasWaiting }

    func add(_ batch: RequestBatch) { batches.append(batch) }

    /// Does all that can be done now.
    func turn(buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) {
        for connection in connections {
            connection.tick(now)
            settle(connection, now)
        }
        bury(now)
        connectIfNeeded(now)
        for connection in connections where connection.isOpen {
            unsafe pump(connection, buffer, now)
            settle(connection, now)
        }
        bury(now)
        watchStall(now)
    }

    /// When `turn` has something to do that no socket tells.
    func nextEvent() -> MonotonicTime {
        var next = stalledSince.map { $0 + configuration.timeout } ?? .distantFuture
        for connection in connections { next = min(next, connection.nextEvent) }
        if hasWaiting, mayConnect, !connections.contains(where: \.isLive) { next = min(next, attempts.notBefore) }
        return next
    }

    // MARK: Requests out

    private var hasWaiting: Bool {
        if !again.isEmpty { return true }
        while let batch = batches.first, !batch.hasUntaken { batches.removeFirst() }
        return !batches.isEmpty
    }

    private func next() -> RequestTicket? {
        if let ticket = again.popLast() { return ticket }
        while let batch = batches.first {
            if let index = batch.take() { return RequestTicket(batch: batch, index: index) }
            batches.removeFirst()
        }
        return nil
    }

    /// Starts requests as long as there is room, a record's worth at a time, and writes.
    private func pump(_ connection: NGHTTP2Connection, _ buffer: UnsafeMutableRawBufferPointer, _ now: MonotonicTime) {
        guard let session = connection.session else { return }
        if hasWaiting { connection.prepareForRequests(now) }
        repeat {
            while session.pendingBytes < HTTP2Session.recordSize, connection.room > 0, let ticket = next() {
                start(ticket, on: session, now)
            }
            if session.pendingBytes == 0 { session.produce() }
            if session.pendingBytes == 0 { return }
        } while unsafe connection.write(buffer: buffer, now: now)
    }

    private func start(_ ticket: RequestTicket, on session: HTTP2Session, _ now: MonotonicTime) {
        var ticket = ticket
        let deadline = ticket.deadline ?? now + configuration.timeout
        ticket.deadline = deadline
        ticket.responsesAtStart = responses
        if ticket.batch.isCancelled {
            ticket.finish(.failure(.cancelled(origin, mayHaveBeenProcessed: false)))
        } else if deadline <= now {
            ticket.finish(.failure(.noStream(origin, after: configuration.timeout)))
        } else {
            send(ticket, deadline, on: session, now)
        }
    }

    private func send(
        _ ticket: RequestTicket, _ deadline: MonotonicTime, on session: HTTP2Session, _ now: MonotonicTime
    ) {
        let request = ticket.batch.requests[ticket.index]
        if let problem = request.problem {
            ticket.finish(.failure(.invalid(problem, to: origin)))
            return
        }
        do throws(InvalidHeader) {
            let head = try heads.head(for: request)
            let fields = unsafe try head.lay(request)
            let label = tickets.insert(ticket)
            if unsafe !session.start(label, fields: fields, body: request.body, deadline: deadline, now: now) {
                if let ticket = tickets.remove(label) { again.append(ticket) }
            }
        } catch {
            ticket.finish(.failure(.invalid("the header field “\(error.name)” cannot be sent", to: origin)))
        }
    }

    // MARK: Outcomes in

    /// Takes what a connection has finished.
    private func settle(_ connection: NGHTTP2Connection, _ now: MonotonicTime) {
        guard let session = connection.session, !session.finished.isEmpty else { return }
        for (label, end) in session.finished {
            guard let ticket = tickets.remove(label) else { continue }
            settle(ticket, end, connection)
        }
        session.clearFinished()
    }

    private func settle(_ ticket: RequestTicket, _ end: HTTP2StreamEnd, _ connection: NGHTTP2Connection) {
        switch end {
        case .response(let response):
            attempts.succeed()
            responses &+= 1
            ticket.finish(.success(response))
        case .refused(let byGoAway): sendAgain(ticket, isRefusal: !byGoAway)
        case .lost(wasWritten: false): sendAgain(ticket, isRefusal: false)
        case .lost(wasWritten: true):
            ticket.finish(
                .failure(
                    .lost(origin, reason: connection.endReason, connection.session?.goAway, wasWritten: true)))
        case .reset(let code): ticket.finish(.failure(.reset(origin, code: code)))
        case .tooLarge: ticket.finish(.failure(.tooLarge(origin, limit: configuration.maxResponseBytes)))
        case .timedOut(let wasWritten):
            ticket.finish(.failure(.noAnswer(origin, after: configuration.timeout, wasWritten: wasWritten)))
        case .cancelled(let wasWritten):
            ticket.finish(.failure(.cancelled(origin, mayHaveBeenProcessed: wasWritten)))
        }
    }

    private func sendAgain(_ ticket: RequestTicket, isRefusal: Bool) {
        var ticket = ticket
        if isRefusal { ticket.refusals = ticket.responsesAtStart == responses ? ticket.refusals + 1 : 0 }
        if ticket.refusals > Self.refusalLimit {
            ticket.finish(.failure(.refused(origin)))
        } else {
            again.append(ticket)
        }
    }

    // MARK: Connections

    /// Draining connections do not count, but there is an end to them, too.
    private var mayConnect: Bool { connections.count < 4 * share + 4 }

    private func connectIfNeeded(_ now: MonotonicTime) {
        guard hasWaiting, mayConnect else { return }
        let live = connections.filter(\.isLive)
        let isNeeded =
            if live.isEmpty {
                now >= attempts.notBefore
            } else {
                // A server that has answered nobody yet allows few requests for other reasons than load.
                live.count < share && now >= noGrowthBefore && live.allSatisfy { $0.hasProcessed && $0.room == 0 }
            }
        guard isNeeded else { return }
        connections.append(openConnection(now))
    }

    /// Takes leave of connections that have ended.
    private func bury(_ now: MonotonicTime) {
        guard connections.contains(where: \.isEnded) else { return }
        let ended = connections.filter(\.isEnded)
        connections.removeAll(where: \.isEnded)
        for connection in ended {
            settle(connection, now)
            if let failure = connection.failure {
                noGrowthBefore = now + Self.growthPause
                reachedAddress = nil
                if !connections.contains(where: \.isLive) { leave(because: failure) }
            } else {
                reachedAddress = connection.address
                attempts.end(hasProcessed: connection.hasProcessed, at: now)
                if attempts.isExhausted { giveUp(connection) }
            }
        }
    }

    /// The server takes connections and does nothing on them.
    private func giveUp(_ connection: NGHTTP2Connection) {
        attempts.reset()
        let goAway = connection.session?.goAway
        leave(
            because: goAway == nil
                ? .lost(origin, reason: connection.endReason, nil, wasWritten: false) : .refused(origin, goAway))
    }

    /// A connection may stand and allow no stream at all; requests do not wait for it for ever.
    private func watchStall(_ now: MonotonicTime) {
        guard tickets.count == 0, hasWaiting, !connections.contains(where: \.isConnecting) else {
            stalledSince = nil
            return
        }
        let since = stalledSince ?? now
        stalledSince = since
        if now >= since + configuration.timeout {
            stalledSince = nil
            for connection in connections { connection.session?.retire() }
            leave(because: .noStream(origin, after: configuration.timeout))
        }
    }

    // MARK: Giving up

    /// Gives up what waits.
    private func leave(because failure: HTTPFailure) {
        let (waiting, refused) = (batches, again)
        batches = []
        again = []
        for ticket in refused { ticket.finish(.failure(failure)) }
        for batch in waiting { batch.leave(because: failure) }
    }

    /// Gives up a batch; its requests on their way are reset with the next turn.
    func cancel(_ batch: RequestBatch, now: MonotonicTime) {
        batches.removeAll { $0 === batch }
        let failure = HTTPFailure.cancelled(origin, mayHaveBeenProcessed: false)
        for ticket in again where ticket.batch === batch { ticket.finish(.failure(failure)) }
        again.removeAll { $0.batch === batch }
        for connection in connections {
            connection.session?.cancel { label in tickets[label]?.batch === batch }
            settle(connection, now)
        }
    }

    /// Gives up everything.
    func close(buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) {
        for connection in connections {
            connection.session?.cancel { _ in true }
            settle(connection, now)
            unsafe connection.close(buffer: buffer, now: now)
            settle(connection, now)
        }
        connections = []
        leave(because: .cancelled(origin, mayHaveBeenProcessed: false))
    }
}
