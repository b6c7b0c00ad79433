/// How many requests one worker may have in flight to one origin.
///
/// libcurl keeps what exceeds the server's stream limit as pending handles, and looks at each of them on every turn,
/// which doubles the cost of a request. So the window follows the limit that the server really grants: it shrinks to
/// the number of requests that got a stream, and grows again by an eighth a turn while all of them do.
struct StreamWindow: Sendable, Equatable {
    /// The most that the configuration allows.
    private let ceiling: Int
    /// Connections, which is the ceiling where they carry one request at a time (HTTP/1.1).
    private let connections: Int
    private(set) var limit: Int
    /// A first connection stands. Before, a single request goes ahead, so that an unreachable server costs one attempt.
    private(set) var isConnected = false
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
        guard isConnected else { return inFlight == 0 ? 1 : 0 }
        return max(0, limit - inFlight)
    }

    mutating func start() {
        inFlight += 1
        unwritten += 1
    }

    /// A request is about to go out on a connection, which therefore stands.
    mutating func write(isMultiplexed: Bool) {
        unwritten -= 1
        self.isMultiplexed = isMultiplexed
        if !isConnected {
            isConnected = true
            limit = currentCeiling
        }
        limit = min(limit, currentCeiling)
    }

    mutating func end(wasWritten: Bool) {
        inFlight -= 1
        if !wasWritten { unwritten -= 1 }
    }

    /// The connection is gone or in doubt: the next request goes alone.
    mutating func disconnect() { isConnected = false }

    /// Learns from a turn of the event loop.
    mutating func settle() {
        guard isConnected else { return }
        if unwritten > 0 {
            limit = max(1, inFlight - unwritten)
        } else if inFlight >= limit {
            limit = min(currentCeiling, limit + max(1, limit / 8))
        }
    }
}
