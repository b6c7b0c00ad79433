import Synchronization

/// `HTTPClient` on libcurl's multi interface: HTTP/2 with many requests on each connection, and HTTP/1.1 where the
/// server speaks nothing newer and the configuration allows it.
///
/// Each worker thread has its own event loop and its own share of the connections to an origin, so the threads share
/// nothing but the batches they serve. Two threads cost less CPU a request than one with two connections.
///
/// - Requests are never redirected, never sent through a proxy from the environment, and only by `https`, or by `http`
///   where the origin says so.
/// - A request that the server refused (REFUSED_STREAM, or a GOAWAY that leaves its stream out) is sent again, unless
///   the server refuses it six times in a row and answers nothing else meanwhile. Nothing that may have been processed is
///   sent again.
/// - When a server cannot be reached, the requests that wait for it fail with it instead of trying one by one.
package final class CurlClient: HTTPClient {
    private let configuration: HTTPClientConfiguration
    private let workers: [CurlWorker]

    /// Starts the worker threads.
    ///
    /// - Parameter threads: at the most; no more than `connectionsPerOrigin` are of use.
    /// - Throws: `CurlClientError` where the system has no more threads or libcurl does not start.
    package init(configuration: HTTPClientConfiguration, threads: Int = 2) throws(CurlClientError) {
        if let caFile = configuration.caFile { try CurlClientError.requireReadable(caFile) }
        let connections = max(1, configuration.connectionsPerOrigin)
        let count = min(max(1, threads), connections)
        var workers: [CurlWorker] = []
        for index in 0..<count {
            let share = connections / count + (index < connections % count ? 1 : 0)
            guard let worker = CurlWorker(configuration: configuration, connections: share) else {
                for worker in workers { worker.stop() }
                throw .libraryFailed
            }
            if let code = worker.start() {
                for worker in workers { worker.stop() }
                throw .noThread(errorNumber: code)
            }
            workers.append(worker)
        }
        self.configuration = configuration
        self.workers = workers
    }

    deinit { for worker in workers { worker.stop() } }

    package func send(
        _ requests: [HTTPRequest], to origin: HTTPOrigin
    ) async -> [Result<HTTPResponse, HTTPFailure>] {
        if requests.isEmpty { return [] }
        if let problem = origin.problem {
            return requests.map { _ in .failure(.invalid(problem, to: origin)) }
        }
        let serving = workersFor(requests.count, origin)
        let current = CurrentBatch()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let batch = CurlBatch(requests, to: origin, workers: serving.count, continuation: continuation)
                let isCancelled = current.set(batch)
                if isCancelled {
                    batch.cancel()
                } else {
                    for worker in serving { worker.add(batch) }
                }
            }
        } onCancel: {
            guard let batch = current.cancel() else { return }
            batch.cancel()
            for worker in serving { worker.cancel(batch) }
        }
    }

    package func shutdown() async {
        for worker in workers { worker.stop() }
        for worker in workers { await worker.waitForEnd() }
    }

    /// A small batch stays with one worker, always the same for an origin, so that a single request opens one
    /// connection and finds it again.
    private func workersFor(_ count: Int, _ origin: HTTPOrigin) -> [CurlWorker] {
        let wanted = min(workers.count, (count + 15) / 16)
        if wanted == workers.count { return workers }
        let start = Int(origin.hashValue.magnitude % UInt(workers.count))
        return (0..<wanted).map { workers[(start + $0) % workers.count] }
    }
}

/// The batch of a `send`, which may be cancelled before it exists.
private final class CurrentBatch: Sendable {
    private let state = Mutex<(batch: CurlBatch?, isCancelled: Bool)>((nil, false))

    /// - Returns: whether the task was cancelled before.
    func set(_ batch: CurlBatch) -> Bool {
        state.withLock { state in
            state.batch = batch
            return state.isCancelled
        }
    }

    func cancel() -> CurlBatch? {
        state.withLock { state in
            state.isCancelled = true
            return state.batch
        }
    }
}

extension HTTPOrigin {
    /// What keeps libcurl from connecting to the origin; nil where it may.
    fileprivate var problem: String? {
        if scheme != "https" && scheme != "http" { return "the scheme must be https or http, not “\(scheme)”" }
        if port < 1 || port > 65_535 { return "the port must lie between 1 and 65535, not at \(port)" }
        let isPlain = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "\\"): false
            default: byte > 0x20 && byte != 0x7F
            }
        }
        return host.isEmpty || !isPlain ? "“\(host)” is not a host name" : nil
    }
}
