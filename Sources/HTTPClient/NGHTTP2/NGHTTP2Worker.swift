import Synchronization

/// A thread with an event loop of its own, and the box through which others reach it.
final class NGHTTP2Worker: BatchWorker {
    /// What a resolver found.
    struct Resolution: Sendable {
        var origin: HTTPOrigin
        /// The number of the connection that waits for it.
        var connection: Int
        var result: Result<[SocketAddress], ResolutionFailure>
    }

    private struct Inbox {
        var added: [RequestBatch] = []
        var cancelled: [RequestBatch] = []
        var resolved: [Resolution] = []
        var isStopping = false
        var hasEnded = false
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let configuration: HTTPClientConfiguration
    private let share: Int
    private let tls: TLSContext
    private let wakeSignal: WakeSignal
    private let inbox = Mutex(Inbox())

    /// - Parameter share: this worker's part of the connections to one origin.
    init?(configuration: HTTPClientConfiguration, share: Int, tls: TLSContext) {
        guard let wakeSignal = WakeSignal() else { return nil }
        self.wakeSignal = wakeSignal
        self.configuration = configuration
        self.share = share
        self.tls = tls
    }

    /// Starts the thread, which keeps the worker alive until it ends.
    ///
    /// - Returns: nil, or the system's error number.
    func start() -> Int32? { WorkerThread.start { self.run() } }

    func add(_ batch: RequestBatch) {
        let isStopping = inbox.withLock { inbox in
            if !inbox.isStopping { inbox.added.append(batch) }
            return inbox.isStopping
        }
        if isStopping {
            batch.leave(because: .cancelled(batch.origin, mayHaveBeenProcessed: false))
        } else {
            wakeSignal.wake()
        }
    }

    func cancel(_ batch: RequestBatch) {
        inbox.withLock { $0.cancelled.append(batch) }
        wakeSignal.wake()
    }

    func stop() {
        inbox.withLock { $0.isStopping = true }
        wakeSignal.wake()
    }

    /// Returns when the thread has given up its connections after `stop`.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let hasEnded = inbox.withLock { inbox in
                if !inbox.hasEnded { inbox.waitingForEnd.append(continuation) }
                return inbox.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// Looks up an origin's addresses on a thread of its own, since the system's resolver blocks for as long as it likes.
    ///
    /// - Returns: nil, or the system's error number.
    func resolve(_ origin: HTTPOrigin, for connection: Int) -> Int32? {
        WorkerThread.start {
            let result = SocketAddress.resolve(origin.host, port: origin.port)
            self.inbox.withLock { inbox in
                if inbox.isStopping { return }
                inbox.resolved.append(Resolution(origin: origin, connection: connection, result: result))
            }
            self.wakeSignal.wake()
        }
    }

    private func run() {
        serve()
        let waiting = inbox.withLock { inbox in
            inbox.hasEnded = true
            defer { inbox.waitingForEnd = [] }
            return inbox.waitingForEnd
        }
        for continuation in waiting { continuation.resume() }
    }

    private func serve() {
        let loop = NGHTTP2EventLoop(self, configuration: configuration, share: share, tls: tls)
        while true {
            wakeSignal.clear()
            let (added, cancelled, resolved, isStopping) = inbox.withLock { inbox in
                defer {
                    inbox.added.removeAll(keepingCapacity: true)
                    inbox.cancelled.removeAll(keepingCapacity: true)
                    inbox.resolved.removeAll(keepingCapacity: true)
                }
                return (inbox.added, inbox.cancelled, inbox.resolved, inbox.isStopping)
            }
            for batch in added { loop.add(batch) }
            for batch in cancelled { loop.cancel(batch) }
            for resolution in resolved { loop.resolved(resolution) }
            if isStopping { break }
            loop.turn(waitingFor: wakeSignal.readEnd)
        }
        loop.close()
    }
}
