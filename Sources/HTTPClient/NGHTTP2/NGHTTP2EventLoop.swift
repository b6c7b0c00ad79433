import Glibc

/// The event loop of one worker: the lanes of the origins it serves, and the wait for their sockets.
///
/// It lives on the worker's thread and is never seen by another.
@safe final class NGHTTP2EventLoop {
    private let worker: NGHTTP2Worker
    private let configuration: HTTPClientConfiguration
    private let share: Int
    private let tls: TLSContext
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    private var lanes: [HTTPOrigin: NGHTTP2Lane] = [:]
    private var lastConnection = 0
    private var polled: [pollfd] = []
    private var polledConnections: [NGHTTP2Connection] = []

    init(_ worker: NGHTTP2Worker, configuration: HTTPClientConfiguration, share: Int, tls: TLSContext) {
        self.worker = worker
        self.configuration = configuration
        self.share = share
        self.tls = tls
    }

    deinit { unsafe buffer.deallocate() }

    func add(_ batch: RequestBatch) { lane(for: batch.origin).add(batch) }

    func cancel(_ batch: RequestBatch) { lanes[batch.origin]?.cancel(batch, now: .now) }

    /// The answer to a question about an origin's addresses.
    func resolved(_ resolution: NGHTTP2Worker.Resolution) {
        guard let lane = lanes[resolution.origin],
            let connection = lane.connections.first(where: { $0.number == resolution.connection })
        else { return }
        connection.resolved(resolution.result, preferred: lane.reachedAddress, now: .now)
    }

    /// Does all that can be done, then waits until there is more to do, or until `wake` has something to read.
    func turn(waitingFor wake: Int32) {
        let now = MonotonicTime.now
        var next = MonotonicTime.distantFuture
        for lane in lanes.values {
            unsafe lane.turn(buffer: buffer, now: now)
            next = min(next, lane.nextEvent())
        }
        if lanes.values.contains(where: \.isEmpty) { lanes = lanes.filter { !$0.value.isEmpty } }
        wait(for: wake, until: next, now)
    }

    /// Gives up everything.
    func close() {
        for lane in lanes.values { unsafe lane.close(buffer: buffer, now: .now) }
        lanes = [:]
    }

    private func wait(for wake: Int32, until next: MonotonicTime, _ now: MonotonicTime) {
        polled.removeAll(keepingCapacity: true)
        polledConnections.removeAll(keepingCapacity: true)
        polled.append(pollfd(fd: wake, events: Int16(truncatingIfNeeded: POLLIN), revents: 0))
        for lane in lanes.values {
            for connection in lane.connections {
                guard let wanted = connection.wanted else { continue }
                polled.append(wanted)
                polledConnections.append(connection)
            }
        }
        let timeout = next == .distantFuture ? -1 : now.milliseconds(until: next)
        let count = unsafe poll(&polled, nfds_t(polled.count), timeout)
        guard count > 0 else { return }
        let later = MonotonicTime.now
        for (index, connection) in polledConnections.enumerated() {
            let events = polled[index + 1].revents
            if events != 0 { unsafe connection.advance(events, buffer: buffer, now: later) }
        }
    }

    private func lane(for origin: HTTPOrigin) -> NGHTTP2Lane {
        if let lane = lanes[origin] { return lane }
        let lane = NGHTTP2Lane(origin, configuration: configuration, share: share) { [unowned self] now in
            self.openConnection(to: origin, now)
        }
        lanes[origin] = lane
        return lane
    }

    private func openConnection(to origin: HTTPOrigin, _ now: MonotonicTime) -> NGHTTP2Connection {
        lastConnection += 1
        let connection = NGHTTP2Connection(
            lastConnection, to: origin, configuration: configuration, tls: tls, now: now)
        if let address = SocketAddress(numeric: origin.host, port: origin.port) {
            connection.resolved(.success([address]), preferred: nil, now: now)
        } else if let code = worker.resolve(origin, for: lastConnection) {
            let reason = "no thread to look it up, \(ConnectFailure(errorNumber: code).reason)"
            connection.resolved(.failure(ResolutionFailure(reason: reason)), preferred: nil, now: now)
        }
        return connection
    }
}
