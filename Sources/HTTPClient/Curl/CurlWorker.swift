import Synchronization

/// A thread with an event loop of its own, and the box through which others reach it.
final class CurlWorker: BatchWorker {
    private let multi: CurlMulti
    private let configuration: HTTPClientConfiguration
    private let connections: Int
    private let inbox = Mutex(Inbox())

    private struct Inbox {
        var added: [RequestBatch] = []
        var cancelled: [RequestBatch] = []
        var isStopping = false
        var hasEnded = false
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    /// - Parameter connections: this worker's share of the connections to one origin.
    init?(configuration: HTTPClientConfiguration, connections: Int) {
        guard
            let multi = CurlMulti(
                connectionsPerOrigin: connections, streams: configuration.streamsPerConnection)
        else { return nil }
        self.multi = multi
        self.configuration = configuration
        self.connections = connections
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
            multi.wake()
        }
    }

    func cancel(_ batch: RequestBatch) {
        inbox.withLock { $0.cancelled.append(batch) }
        multi.wake()
    }

    func stop() {
        inbox.withLock { $0.isStopping = true }
        multi.wake()
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
        let loop = CurlEventLoop(multi: multi, configuration: configuration, connections: connections)
        while true {
            let (added, cancelled, isStopping) = inbox.withLock { inbox in
                defer {
                    inbox.added.removeAll(keepingCapacity: true)
                    inbox.cancelled.removeAll(keepingCapacity: true)
                }
                return (inbox.added, inbox.cancelled, inbox.isStopping)
            }
            for batch in added { loop.add(batch) }
            for batch in cancelled { loop.cancel(batch) }
            if isStopping { break }
            multi.wait(atMost: loop.turn())
        }
        loop.cancelAll()
    }
}
