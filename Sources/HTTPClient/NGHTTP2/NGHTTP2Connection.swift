import Glibc

/// A connection to an origin, from looking up its address to its end: the I/O around an `HTTP2Session`.
///
/// It belongs to the thread of one event loop, which tells it when its socket is ready and what time it is.
final class NGHTTP2Connection {
    private enum Phase {
        case resolving, connecting, handshaking, open, ended
    }

    /// Without a sign of life for so long the server is asked for one.
    static let pingInterval = Duration.seconds(60)
    /// After so long without traffic the server is asked before requests are entrusted to the connection.
    static let trustTime = Duration.seconds(15)
    static let idleLimit = Duration.seconds(300)
    /// What our good-bye gets to go out.
    static let closeTime = Duration.seconds(2)
    /// What an address gets at the most, if there is another one.
    static let addressTime = Duration.seconds(2)

    /// Tells it from the others of its worker.
    let number: Int
    private let origin: HTTPOrigin
    private let configuration: HTTPClientConfiguration
    private let tls: TLSContext
    private var phase = Phase.resolving
    private var socket: TLSSocket?
    private(set) var session: HTTP2Session?

    private var addresses: [SocketAddress] = []
    private var addressIndex = 0
    private let connectDeadline: MonotonicTime
    private var addressDeadline = MonotonicTime.distantFuture
    private var waitsToWriteHandshake = false
    private var isWriteBlocked = false
    /// Until when a PING wants its answer.
    private var pingDeadline: MonotonicTime?
    private var idleSince: MonotonicTime?
    /// Until when our good-bye has time to go out.
    private var closeDeadline: MonotonicTime?

    /// Why the connection never stood.
    private(set) var failure: HTTPFailure?
    /// Why the connection that stood has ended, where that is known.
    private(set) var endReason: String?

    init(
        _ number: Int, to origin: HTTPOrigin, configuration: HTTPClientConfiguration, tls: TLSContext,
        now: MonotonicTime
    ) {
        self.number = number
        self.origin = origin
        self.configuration = configuration
        self.tls = tls
        connectDeadline = now + configuration.connectTimeout
    }

    var isEnded: Bool { phase == .ended }
    var isOpen: Bool { phase == .open }
    var isConnecting: Bool { !isOpen && !isEnded }
    /// It takes requests, or will.
    var isLive: Bool { isConnecting || (isOpen && session?.isDraining == false) }
    /// Requests that may start now.
    var room: Int { isOpen && !isWriteBlocked && pingDeadline == nil ? session?.room ?? 0 : 0 }
    /// Whether the server did anything with a request here.
    var hasProcessed: Bool { session?.hasProcessed ?? false }
    /// The address that answered.
    var address: SocketAddress? { addresses.indices.contains(addressIndex) ? addresses[addressIndex] : nil }

    // MARK: Connecting

    /// - Parameter preferred: an address that worked before.
    func resolved(_ result: Result<[SocketAddress], ResolutionFailure>, preferred: SocketAddress?, now: MonotonicTime) {
        guard phase == .resolving else { return }
        switch result {
        case .failure(let failure): fail(.unresolved(origin, failure))
        case .success(let found):
            addresses = found
            if let preferred, let index = found.firstIndex(of: preferred) { addresses.swapAt(0, index) }
            addressIndex = 0
            connect(now: now)
        }
    }

    /// Tries addresses until one takes the attempt.
    private func connect(now: MonotonicTime) {
        while let address {
            do throws(ConnectFailure) {
                socket = try TLSSocket(tls, to: address, host: origin.host)
                phase = .connecting
                let isLast = addressIndex + 1 == addresses.count
                addressDeadline = isLast ? .distantFuture : now + Self.addressTime
                return
            } catch {
                guard hasNextAddress else {
                    fail(.unreachable(origin, at: address.text, error))
                    return
                }
                addressIndex += 1
            }
        }
    }

    private var hasNextAddress: Bool { addressIndex + 1 < addresses.count }

    private func giveUpAddress(_ failure: ConnectFailure, now: MonotonicTime) {
        socket = nil
        if hasNextAddress {
            addressIndex += 1
            connect(now: now)
        } else {
            fail(.unreachable(origin, at: address?.text ?? origin.host, failure))
        }
    }

    private func handshake(now: MonotonicTime) {
        guard let socket else { return }
        switch socket.handshake() {
        case .wantsToRead: waitsToWriteHandshake = false
        case .wantsToWrite: waitsToWriteHandshake = true
        case .noHTTP2: fail(.noHTTP2(origin))
        case .failed(let reason): fail(.insecure(origin, reason: reason))
        case .done:
            session = HTTP2Session(
                streams: configuration.streamsPerConnection, maxResponseBytes: configuration.maxResponseBytes, now: now)
            idleSince = now
            phase = .open
            if session == nil { fail(.insecure(origin, reason: "out of memory")) }
        }
    }

    private func fail(_ failure: HTTPFailure) {
        self.failure = failure
        phase = .ended
        socket = nil
    }

    // MARK: Events

    /// What the event loop waits for; nil where there is no socket.
    var wanted: pollfd? {
        guard let socket else { return nil }
        let events =
            switch phase {
            case .connecting: POLLOUT
            case .handshaking: waitsToWriteHandshake ? POLLOUT : POLLIN
            default: isWriteBlocked ? POLLIN | POLLOUT : POLLIN
            }
        return pollfd(fd: socket.descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
    }

    /// The socket is ready.
    ///
    /// - Parameter buffer: room for what is read.
    func advance(_ events: Int16, buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) {
        switch phase {
        case .connecting:
            if let failure = socket?.connectFailure() {
                giveUpAddress(failure, now: now)
            } else {
                phase = .handshaking
                handshake(now: now)
            }
        case .handshaking: handshake(now: now)
        case .open:
            if Int32(events) & POLLOUT != 0 { isWriteBlocked = false }
            if Int32(events) & ~POLLOUT != 0 { unsafe read(buffer, now: now) }
        case .resolving, .ended: break
        }
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) {
        while let socket, let session, isOpen {
            switch unsafe socket.read(into: buffer) {
            case .moved(let count):
                unsafe session.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: now)
                pingDeadline = nil
                if session.failure != nil { end(because: session.failure) }
            case .blocked: return
            case .ended(let reason): end(because: reason)
            }
        }
    }

    /// Writes what the session has to say.
    ///
    /// - Returns: whether more could be written.
    func write(buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> Bool {
        guard let socket, let session, isOpen else { return false }
        session.produce()
        while session.pendingBytes > 0, !isWriteBlocked {
            var result = TLSSocket.Transfer.blocked
            unsafe session.handOver { bytes in
                result = unsafe socket.write(bytes)
                if case .moved(let count) = result { return count }
                return 0
            }
            switch result {
            case .moved: break
            case .blocked: isWriteBlocked = true
            case .ended(let reason):
                // What the server said before it closed may tell which requests it left out.
                unsafe read(buffer, now: now)
                end(because: reason)
                return false
            }
            session.produce()
        }
        if session.isOver { end(because: session.failure) }
        return isOpen && !isWriteBlocked
    }

    /// Does what is due.
    func tick(_ now: MonotonicTime) {
        switch phase {
        case .resolving, .connecting, .handshaking: tickConnecting(now)
        case .open: tickOpen(now)
        case .ended: break
        }
    }

    private func tickConnecting(_ now: MonotonicTime) {
        if now >= connectDeadline {
            let step = phase == .resolving ? "looking up the name" : phase == .connecting ? "connecting" : "TLS"
            fail(.connectTimeout(origin, while: step, after: configuration.connectTimeout))
        } else if phase == .connecting, now >= addressDeadline {
            giveUpAddress(ConnectFailure(errorNumber: ETIMEDOUT), now: now)
        }
    }

    private func tickOpen(_ now: MonotonicTime) {
        guard let session else { return }
        session.expire(at: now)
        if session.inFlight > 0 {
            idleSince = nil
        } else if idleSince == nil {
            idleSince = now
        }
        if let pingDeadline, now >= pingDeadline {
            end(because: "it did not answer a PING")
        } else if session.isOver || closeDeadline.map({ now >= $0 }) ?? false {
            end(because: session.failure)
        } else if closeDeadline == nil, let idleSince, now >= idleSince + Self.idleLimit || session.isDraining {
            session.terminate()
            closeDeadline = now + Self.closeTime
        } else if closeDeadline == nil, pingDeadline == nil, now >= session.lastReceived + Self.pingInterval {
            ping(now)
        }
    }

    /// Requests are about to be sent: a connection that has been silent must prove first that it is alive.
    func prepareForRequests(_ now: MonotonicTime) {
        guard isOpen, let session, session.inFlight == 0, pingDeadline == nil, session.hasSettings,
            now >= session.lastReceived + Self.trustTime
        else { return }
        ping(now)
    }

    private func ping(_ now: MonotonicTime) {
        session?.ping()
        pingDeadline = now + min(configuration.connectTimeout, .seconds(10))
    }

    /// When `tick` has something to do.
    var nextEvent: MonotonicTime {
        switch phase {
        case .resolving, .connecting, .handshaking: return min(connectDeadline, addressDeadline)
        case .ended: return .distantFuture
        case .open:
            guard let session else { return .distantFuture }
            if let closeDeadline { return min(closeDeadline, session.nextExpiry, pingDeadline ?? .distantFuture) }
            let idle = idleSince.map { $0 + Self.idleLimit } ?? .distantFuture
            let ping = pingDeadline ?? session.lastReceived + Self.pingInterval
            return min(session.nextExpiry, idle, ping)
        }
    }

    // MARK: Ending

    private func end(because reason: String?) {
        guard !isEnded else { return }
        phase = .ended
        endReason = reason
        session?.end()
        socket?.closeNotify()
        socket = nil
    }

    /// Gives up everything and says good-bye, as far as it goes without waiting.
    func close(buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) {
        session?.terminate()
        _ = unsafe write(buffer: buffer, now: now)
        end(because: nil)
        phase = .ended
        socket = nil
    }
}
