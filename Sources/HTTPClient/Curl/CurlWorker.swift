/// A thread with an event loop of its own, and the box through which others reach it.
final class CurlWorker: BatchWorker {
    private let multi: CurlMulti
    private let configuration: HTTPClientConfiguration
    private let connections: Int
    private let inbox = WorkerInbox()

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
        if inbox.add(batch) { multi.wake() }
    }

    func cancel(_ batch: RequestBatch) {
        inbox.cancel(batch)
        multi.wake()
    }

    func stop() {
        inbox.stop()
        multi.wake()
    }

    /// Returns when the thread has given up its connections after `stop`.
    func waitForEnd() async { await inbox.waitForEnd() }

    private func run() {
        serve()
        inbox.end()
    }

    private func serve() {
        let loop = CurlEventLoop(multi: multi, configuration: configuration, connections: connections)
        while true {
            let (added, cancelled, isStopping) = inbox.take()
            for batch in added { loop.add(batch) }
            for batch in cancelled { loop.cancel(batch) }
            if isStopping { break }
            multi.wait(atMost: loop.turn())
        }
        loop.cancelAll()
    }
}
