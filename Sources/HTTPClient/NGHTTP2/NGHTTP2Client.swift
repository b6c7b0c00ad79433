/// `HTTPClient` on libnghttp2 and OpenSSL: HTTP/2 over TLS only, for providers that get many requests.
///
/// Each worker thread has its own event loop and its own share of the connections to an origin, so the threads share
/// nothing but the batches they serve. Frames of many requests leave in one TLS record.
///
/// - The server's limits hold at once, also when they change. More connections are made while all are full, up to
///   `connectionsPerOrigin`, and closed when they have had nothing to do for minutes.
/// - What the server says it did not process (REFUSED_STREAM, or a GOAWAY that leaves the stream out), and what never
///   left this machine, is sent again. Nothing that may have been processed is.
/// - After a GOAWAY a new connection takes over at once, while the old one waits for the answers it still owes.
/// - When a server cannot be reached, the requests that wait for it fail with it instead of trying one by one.
/// - There are no proxies, no redirects and no `http` origins.
package final class NGHTTP2Client: HTTPClient {
    private let workers: [NGHTTP2Worker]

    /// Starts the worker threads.
    ///
    /// - Parameter threads: at the most; no more than `connectionsPerOrigin` are of use.
    /// - Throws: `HTTPClientError` where the authorities cannot be read, or the system has no more threads or files.
    package init(configuration: HTTPClientConfiguration, threads: Int = 2) throws(HTTPClientError) {
        let tls = try TLSContext(caFile: configuration.caFile)
        let connections = max(1, configuration.connectionsPerOrigin)
        let count = min(max(1, threads), connections)
        var workers: [NGHTTP2Worker] = []
        for index in 0..<count {
            let share = connections / count + (index < connections % count ? 1 : 0)
            do throws(HTTPClientError) {
                workers.append(try Self.startWorker(configuration, share: share, tls: tls))
            } catch {
                for worker in workers { worker.stop() }
                throw error
            }
        }
        self.workers = workers
    }

    private static func startWorker(
        _ configuration: HTTPClientConfiguration, share: Int, tls: TLSContext
    ) throws(HTTPClientError) -> NGHTTP2Worker {
        guard let worker = NGHTTP2Worker(configuration: configuration, share: share, tls: tls) else {
            throw .tooManyOpenFiles
        }
        if let code = worker.start() { throw .noThread(errorNumber: code) }
        return worker
    }

    deinit { for worker in workers { worker.stop() } }

    package func send(
        _ requests: [HTTPRequest], to origin: HTTPOrigin
    ) async -> [Result<HTTPResponse, HTTPFailure>] {
        let plain = origin.scheme == "http" ? "only https origins can be reached over HTTP/2" : nil
        if let problem = plain ?? origin.problem {
            return requests.map { _ in .failure(.invalid(problem, to: origin)) }
        }
        return await workers.send(requests, to: origin)
    }

    package func shutdown() async {
        for worker in workers { worker.stop() }
        for worker in workers { await worker.waitForEnd() }
    }
}
