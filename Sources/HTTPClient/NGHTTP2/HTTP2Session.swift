import CNGHTTP2

/// One HTTP/2 connection as a state machine, on the client's side: bytes in and bytes out, requests in and outcomes out.
///
/// It knows no socket and no clock, and belongs to one thread. Nothing is called back: the owner looks at `finished`
/// after each step.
@safe final class HTTP2Session {
    /// Bytes of output that are worth a TLS record of their own; a record holds no more.
    static let recordSize = 16_384
    /// Bytes of a response's header fields at the most.
    private static let maxHeaderBytes = 65_536
    private static let streamWindow: UInt32 = 1 << 20
    private static let connectionWindow: Int32 = 16 << 20

    private let session: OpaquePointer
    private let streamLimit: Int
    private let maxResponseBytes: Int
    /// By slot; those of free slots are not open.
    private var streams: [HTTP2Stream] = []
    private var freeSlots: [Int] = []
    private var output = HTTP2Output()
    private var nextDeadline = MonotonicTime.distantFuture

    /// Streams that are not closed.
    private(set) var inFlight = 0
    /// Requests whose end nobody has taken yet, with the labels their owner gave them.
    private(set) var finished: [(label: Int, end: HTTP2StreamEnd)] = []
    /// The server has done something with a request: answered it, reset it, or let it go by.
    private(set) var hasProcessed = false
    /// The server has told its limits.
    private(set) var hasSettings = false
    private(set) var lastReceived: MonotonicTime
    private(set) var goAway: HTTP2GoAway?
    /// What broke the connection's protocol.
    private(set) var failure: String?
    private var isRetired = false

    /// - Parameters:
    ///   - streams: at the same time at the most; the server may lower it.
    ///   - maxResponseBytes: of one response's body.
    /// - Returns: nil where there is no memory.
    init?(streams: Int, maxResponseBytes: Int, now: MonotonicTime) {
        streamLimit = max(1, streams)
        self.maxResponseBytes = maxResponseBytes
        lastReceived = now
        guard let session = unsafe HTTP2Callbacks.newSession() else { return nil }
        unsafe self.session = unsafe session
        unsafe nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        let settings = [
            nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: Self.streamWindow),
        ]
        unsafe nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
        unsafe nghttp2_session_set_local_window_size(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, Self.connectionWindow)
    }

    deinit { unsafe nghttp2_session_del(session) }

    // MARK: Requests in

    /// No request may start any more; those on their way are awaited.
    var isDraining: Bool { isRetired || failure != nil || !allowsRequests }

    private var allowsRequests: Bool { unsafe nghttp2_session_check_request_allowed(session) != 0 }

    /// Requests that may start now.
    ///
    /// Before the server has told its limit a single one may: APNs allows no more until it has seen a valid token, and
    /// the first frame of every server tells (RFC 9113 section 3.4).
    var room: Int {
        if isDraining { return 0 }
        return max(0, (hasSettings ? min(streamLimit, grantedStreams) : 1) - inFlight)
    }

    private var grantedStreams: Int {
        Int(unsafe nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// Starts a request; only where there is room.
    ///
    /// - Parameter fields: its header block, which is compressed before this returns.
    /// - Returns: whether it was taken; if not, this connection takes no more.
    func start(
        _ label: Int, fields: UnsafeBufferPointer<nghttp2_nv>, body: [UInt8], deadline: MonotonicTime,
        now: MonotonicTime
    ) -> Bool {
        let slot = freeSlots.popLast() ?? streams.count
        let stream = HTTP2Stream(
            label: label, start: output.produced, startTime: now, deadline: deadline, body: body)
        if slot == streams.count { streams.append(stream) } else { streams[slot] = stream }
        let context = unsafe UnsafeMutableRawPointer(bitPattern: slot + 1)
        let id: Int32
        if body.isEmpty {
            id = unsafe nghttp2_submit_request(session, nil, fields.baseAddress, fields.count, nil, context)
        } else {
            var provider = unsafe HTTP2Callbacks.bodyProvider(slot)
            id = unsafe nghttp2_submit_request(session, nil, fields.baseAddress, fields.count, &provider, context)
        }
        guard id > 0 else {
            // The connection has used up its stream numbers.
            release(slot)
            isRetired = true
            return false
        }
        streams[slot].id = id
        inFlight += 1
        nextDeadline = min(nextDeadline, deadline)
        produce()
        return true
    }

    /// Gives up requests that the owner no longer wants.
    func cancel(where isUnwanted: (Int) -> Bool) {
        for slot in streams.indices {
            guard isAwaited(slot), isUnwanted(streams[slot].label) else { continue }
            abandon(slot, .cancelled(wasWritten: wasWritten(slot)))
        }
    }

    /// Gives up requests whose time is over. A connection on which nothing came in since such a request started gets no
    /// more of them.
    func expire(at now: MonotonicTime) {
        guard now >= nextDeadline else { return }
        nextDeadline = .distantFuture
        for slot in streams.indices {
            guard streams[slot].isOpen else { continue }
            guard streams[slot].deadline <= now else {
                nextDeadline = min(nextDeadline, streams[slot].deadline)
                continue
            }
            if lastReceived <= streams[slot].startTime { isRetired = true }
            hasProcessed = true
            abandon(slot, .timedOut(wasWritten: wasWritten(slot)))
        }
    }

    /// When `expire` has something to do.
    var nextExpiry: MonotonicTime { nextDeadline }

    /// Takes no more requests.
    func retire() { isRetired = true }

    /// Asks the server for a sign of life.
    func ping() {
        unsafe nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Says good-bye.
    func terminate() {
        isRetired = true
        unsafe nghttp2_session_terminate_session(session, NGHTTP2_NO_ERROR.rawValue)
    }

    // MARK: Outcomes out

    /// The owner has taken what was finished.
    func clearFinished() { finished.removeAll(keepingCapacity: true) }

    /// The connection is gone: every request still on it has its end now.
    func end() {
        isRetired = true
        for slot in streams.indices where isAwaited(slot) {
            finish(slot, .lost(wasWritten: wasWritten(slot)))
        }
    }

    private func wasWritten(_ slot: Int) -> Bool { streams[slot].start < output.handed }

    private func isAwaited(_ slot: Int) -> Bool { streams[slot].isOpen && !streams[slot].isAnswered }

    private func finish(_ slot: Int, _ end: HTTP2StreamEnd) {
        streams[slot].isAnswered = true
        finished.append((streams[slot].label, end))
    }

    private func abandon(_ slot: Int, _ end: HTTP2StreamEnd) {
        if isAwaited(slot) { finish(slot, end) }
        streams[slot].deadline = .distantFuture
        unsafe nghttp2_submit_rst_stream(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), streams[slot].id, NGHTTP2_CANCEL.rawValue)
    }

    private func release(_ slot: Int) {
        streams[slot].close()
        freeSlots.append(slot)
    }

    // MARK: Bytes out

    /// Bytes that wait to be written.
    var pendingBytes: Int { output.pending }

    /// Lets nghttp2 write frames until a record is full or it has no more. HEADERS frames always come out at once.
    func produce() {
        while output.pending < Self.recordSize || hasQueuedFrames {
            var data: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &data)
            if count < 0 { failure = failure ?? HTTP2Callbacks.text(count) }
            guard count > 0, let data = unsafe data else { return }
            unsafe output.append(UnsafeRawBufferPointer(start: data, count: count))
        }
    }

    private var hasQueuedFrames: Bool { unsafe nghttp2_session_get_outbound_queue_size(session) > 0 }

    /// Offers up to a record's bytes to be written. From then on they count as having left.
    ///
    /// - Parameter write: returns how many of them were taken.
    func handOver(_ write: (UnsafeRawBufferPointer) -> Int) {
        unsafe output.handOver(atMost: Self.recordSize, write)
    }

    // MARK: Bytes in

    /// Reads what came from the server.
    func receive(_ bytes: UnsafeRawBufferPointer, at now: MonotonicTime) {
        lastReceived = now
        let count = unsafe nghttp2_session_mem_recv(
            session, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        if count < 0 { failure = failure ?? HTTP2Callbacks.text(count) }
    }

    /// Nothing more can come of this connection: it drained after a GOAWAY, or broke.
    var isOver: Bool {
        if failure != nil { return true }
        if output.pending > 0 { return false }
        return unsafe nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }
}

// MARK: - What nghttp2 reports

extension HTTP2Session {
    func beginHead(_ slot: Int) {
        if streams[slot].status >= 200 { streams[slot].isPastHead = true }
    }

    func receiveField(_ slot: Int, name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        guard isAwaited(slot), !streams[slot].isPastHead else { return }
        if unsafe name.first == UInt8(ascii: ":") {
            streams[slot].status = unsafe Self.status(value)
        } else if streams[slot].status >= 200 {
            let field = unsafe HTTPHeader(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
            streams[slot].headers.append(field)
            streams[slot].headerBytes += name.count + value.count
            if streams[slot].headerBytes > Self.maxHeaderBytes { giveUpResponse(slot) }
        }
    }

    /// nghttp2 has checked that a status is three digits.
    private static func status(_ value: UnsafeBufferPointer<UInt8>) -> Int {
        unsafe value.prefix(3).reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    }

    func receiveBody(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
        guard isAwaited(slot) else { return }
        if streams[slot].responseBody.count + bytes.count > maxResponseBytes {
            giveUpResponse(slot)
        } else {
            unsafe streams[slot].responseBody.append(contentsOf: bytes)
        }
    }

    private func giveUpResponse(_ slot: Int) {
        hasProcessed = true
        abandon(slot, .tooLarge)
    }

    /// The response is complete. The stream stays until the request is, too.
    func endResponse(_ slot: Int) {
        guard isAwaited(slot), streams[slot].status >= 200 else { return }
        hasProcessed = true
        finish(slot, .response(streams[slot].takeResponse()))
    }

    func closeStream(_ slot: Int, code: UInt32) {
        inFlight -= 1
        if isAwaited(slot) {
            if code == NGHTTP2_REFUSED_STREAM.rawValue {
                let id = streams[slot].id
                finish(slot, .refused(byGoAway: goAway.map { id > $0.lastStream } ?? false))
            } else {
                hasProcessed = true
                finish(slot, .reset(code: code))
            }
        }
        release(slot)
    }

    func receiveSettings() { hasSettings = true }

    func receive(_ goAway: HTTP2GoAway) { self.goAway = goAway }

    /// Copies the next part of a request's body.
    func readBody(_ slot: Int, into target: UnsafeMutableRawBufferPointer) -> (count: Int, isLast: Bool) {
        let rest = streams[slot].body.count - streams[slot].bodySent
        let count = min(target.count, rest)
        unsafe streams[slot].body.withUnsafeBytes { body in
            let part = unsafe body.dropFirst(streams[slot].bodySent).prefix(count)
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
        }
        streams[slot].bodySent += count
        return (count, count == rest)
    }
}

/// The server's word that it takes no more requests on this connection (RFC 9113 section 6.8).
struct HTTP2GoAway: Sendable, Hashable {
    /// The last stream that it processes, or may have processed.
    var lastStream: Int32
    var code: UInt32
    /// What it says about why; APNs sends JSON with a reason.
    var text: String
}
