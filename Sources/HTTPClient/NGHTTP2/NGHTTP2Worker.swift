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

    private let configuration: HTTPClientConfiguration
    private let share: Int
    private let tls: TLSContext
    private let wakeSignal: WakeSignal
    private let inbox = WorkerInbox()
    private let resolutions = Mutex<[Resolution]>([])

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
        if inbox.add(batch) { wakeSignal.wake() }
    }

    func cancel(_ batch: RequestBatch) {
        inbox.cancel(batch)
        wakeSignal.wake()
    }

    func stop() {
        inbox.stop()
        wakeSignal.wake()
    }

    /// Returns when the thread has given up its connections after `stop`.
    func waitForEnd() async { await inbox.waitForEnd() }

    /// Looks up an origin's addresses on a thread of its own, since the system's resolver blocks for as long as it likes.
    ///
    /// - Returns: nil, or the system's error number.
    func resolve(_ origin: HTTPOrigin, for connection: Int) -> Int32? {
        WorkerThread.start {
            let result = SocketAddress.resolve(origin.host, port: origin.port)
            if self.inbox.isStopping { return }
            self.resolutions.withLock {
                $0.append(Resolution(origin: origin, connection: connection, result: result))
            }
            self.wakeSignal.wake()
        }
    }

    private func takeResolutions() -> [Resolution] {
        resolutions.withLock { resolutions in
            defer { resolutions.removeAll(keepingCapacity: true) }
            return resolutions
        }
    }

    private func run() {
        serve()
        inbox.end()
    }

    private func serve() {
        let loop = NGHTTP2EventLoop(self, configuration: configuration, share: share, tls: tls)
        while true {
            wakeSignal.clear()
            let (added, cancelled, isStopping) = inbox.take()
            for batch in added { loop.add(batch) }
            for batch in cancelled { loop.cancel(batch) }
            for resolution in takeResolutions() { loop.resolved(resolution) }
            if isStopping { break }
            loop.turn(waitingFor: wakeSignal.readEnd)
        }
        loop.close()
    }
}
