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
    /// - Throws: `HTTPClientError` where the system has no more threads or libcurl does not start.
    package init(configuration: HTTPClientConfiguration, threads: Int = 2) throws(HTTPClientError) {
        if let caFile = configuration.caFile { try HTTPClientError.requireReadable(caFile) }
        let connections = max(1, configuration.connectionsPerOrigin)
        let count = min(max(1, threads), connections)
        var workers: [CurlWorker] = []
        for index in 0..<count {
            let share = connections / count + (index < connections % count ? 1 : 0)
            guard let worker = CurlWorker(configuration: configuration, connections: share) else {
                for worker in workers { worker.stop() }
                throw .libraryFailed("libcurl")
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
        if let problem = origin.problem {
            return requests.map { _ in .failure(.invalid(problem, to: origin)) }
        }
        return await workers.send(requests, to: origin)
    }

    package func shutdown() async {
        for worker in workers { worker.stop() }
        for worker in workers { await worker.waitForEnd() }
    }
}

extension HTTPOrigin {
    /// What keeps libcurl from connecting to the origin; nil where it may.
    var problem: String? {
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
