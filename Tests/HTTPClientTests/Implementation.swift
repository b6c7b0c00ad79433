import Foundation
import HTTPClient
import TestSupport
import Testing

/// The implementations of `HTTPClient`, each of which must pass the whole suite.
enum Implementation: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case curl

    var testDescription: String { rawValue }

    /// A client that trusts the loopback authority, unless told otherwise.
    func client(
        connections: Int = 2, streams: Int = 100, timeout: Duration = .seconds(20), ca: String = "ca.pem",
        maxResponseBytes: Int = 1 << 20, requiresHTTP2: Bool = true
    ) throws -> any HTTPClient {
        let configuration = HTTPClientConfiguration(
            connectionsPerOrigin: connections, streamsPerConnection: streams, timeout: timeout,
            caFile: try LoopbackServers.certificates() + "/" + ca, maxResponseBytes: maxResponseBytes,
            requiresHTTP2: requiresHTTP2)
        return switch self {
        case .curl: try CurlClient(configuration: configuration)
        }
    }
}

extension ServerProcess {
    var origin: HTTPOrigin { HTTPOrigin(scheme: "https", host: "localhost", port: port) }
}

/// The log of a server: one line for each request it processed.
struct ServerLog {
    let path: String

    init() throws { path = try LoopbackServers.temporaryFolder() + "/log" }

    func lines() throws -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}

/// Requests with a path of their own each, as a push service gets them.
func pushes(_ count: Int, body: [UInt8] = Array(#"{"aps":{"alert":"hello"}}"#.utf8)) -> [HTTPRequest] {
    let shared = [HTTPHeader("apns-topic", "com.example.app"), HTTPHeader("content-type", "application/json")]
    return (0..<count).map { number in
        HTTPRequest(
            method: "POST", path: "/3/device/\(number)", sharedHeaders: shared,
            headers: [HTTPHeader("apns-id", "id-\(number)")], body: body)
    }
}

/// Outcomes by what became of the requests, checked against what the server says it did.
struct Tally {
    var answered = 0
    var failures: [HTTPFailure.Kind: Int] = [:]

    /// Checks that nothing was processed twice, that every answered request was processed, and that no request is called
    /// unprocessed which the server did process.
    init(
        _ outcomes: [Result<HTTPResponse, HTTPFailure>], of requests: [HTTPRequest], log: ServerLog,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let processed = try Dictionary(log.lines().map { ($0, 1) }, uniquingKeysWith: +)
        #expect(processed.filter { $0.value > 1 }.isEmpty, "sent more than once", sourceLocation: location)
        #expect(outcomes.count == requests.count, sourceLocation: location)
        for (request, outcome) in zip(requests, outcomes) {
            switch outcome {
            case .success(let response):
                answered += 1
                #expect(response.status == 200, sourceLocation: location)
                #expect(
                    response.header("apns-id") == request.headers.first?.value, "out of order", sourceLocation: location
                )
                #expect(processed[request.path] != nil, "answered unseen", sourceLocation: location)
            case .failure(let failure):
                failures[failure.kind, default: 0] += 1
                #expect(
                    failure.mayHaveBeenProcessed || processed[request.path] == nil,
                    "called unprocessed: \(request.path): \(failure)", sourceLocation: location)
            }
        }
    }
}
