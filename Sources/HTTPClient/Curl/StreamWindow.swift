/// How many requests one worker may have in flight to one origin.
///
/// libcurl keeps what exceeds the server's stream limit as pending handles, and looks at each of them on every turn,
/// which doubles the cost of a request. So the window follows the limit that the server really grants: it shrinks to
/// the number of requests that got a stream, and grows again by an eighth a turn while all of them do.
///
/// It opens in two steps, because libcurl 7.88 takes up to 100 streams on a new connection before it has read the
/// server's limit, and what is too much of them then waits for ever inside it. APNs allows a single stream until it has
/// seen a valid provider token.
struct StreamWindow: Sendable, Equatable {
    enum Phase: Sendable, Equatable {
        /// No connection is known to stand: one request goes ahead, so that an unreachable server costs one attempt.
        case closed
        /// The first request is out on a connection whose limits are not known yet.
        case greeting(since: ContinuousClock.Instant)
        case open
    }

    /// By this time after a handshake the server's SETTINGS frame, which is the first it sends, is here.
    static let greetingTime = Duration.milliseconds(500)

    /// The most that the configuration allows.
    private let ceiling: Int
    /// Connections, which is the ceiling where they carry one request at a time (HTTP/1.1).
    private let connections: Int
    private(set) var limit: Int
    private(set) var phase = Phase.closed
    private(set) var inFlight = 0
    /// Of those in flight, the requests that libcurl has not yet put on a connection.
    private(set) var unwritten = 0
    private var isMultiplexed = true

    init(connections: Int, streams: Int) {
        self.connections = max(1, connections)
        ceiling = max(1, connections) * max(1, streams)
        limit = ceiling
    }

    private var currentCeiling: Int { isMultiplexed ? ceiling : connections }

    /// Requests that may start now.
    var room: Int {
        switch phase {
        case .closed: inFlight == 0 ? 1 : 0
        case .greeting: 0
        case .open: max(0, limit - inFlight)
        }
    }

    /// Requests wait inside libcurl while none is on its way: a connection is being made, or libcurl has forgotten them.
    var isStalled: Bool { phase == .open && unwritten > 0 && unwritten == inFlight }

    mutating func start() {
        inFlight += 1
        unwritten += 1
    }

    /// A request is about to go out on a connection, which therefore stands.
    mutating func write(isMultiplexed: Bool, at now: ContinuousClock.Instant) {
        unwritten -= 1
        self.isMultiplexed = isMultiplexed
        if phase == .closed { phase = .greeting(since: now) }
    }

    /// The server answered, so it has told its limits.
    mutating func answer() {
        if case .greeting = phase { open() }
    }

    mutating func end(wasWritten: Bool) {
        inFlight -= 1
        if !wasWritten { unwritten -= 1 }
        if inFlight == 0, case .greeting = phase { phase = .closed }
    }

    /// The connection is gone or in doubt: the next request goes alone.
    mutating func close() { phase = .closed }

    /// Learns from a turn of the event loop.
    mutating func settle(at now: ContinuousClock.Instant) {
        switch phase {
        case .closed: break
        case .greeting(let since): if now - since >= Self.greetingTime { open() }
        case .open:
            if unwritten > 0 {
                limit = max(1, inFlight - unwritten)
            } else if inFlight >= limit {
                limit = limit + max(1, limit / 8)
            }
            limit = min(limit, currentCeiling)
        }
    }

    private mutating func open() {
        phase = .open
        limit = currentCeiling
    }
}
