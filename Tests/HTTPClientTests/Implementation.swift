import Foundation
import HTTPClient
import TestSupport
import Testing

/// The implementations of `HTTPClient`, each of which must pass the whole suite.
enum Implementation: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case curl, nghttp2

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
        case .nghttp2: try NGHTTP2Client(configuration: configuration)
        }
    }
}

extension Implementation {
    /// Checks that every request was answered, as far as the implementation can tell what a GOAWAY left out.
    ///
    /// libcurl 7.88 reports a stream that was closed together with its connection as CURLE_HTTP2, whether it was refused
    /// or not. Such a request counts as possibly processed.
    func expectAnswers(_ tally: Tally, count: Int, location: SourceLocation = #_sourceLocation) {
        switch self {
        case .curl:
            let unclear = tally.failures[.protocolError] ?? 0
            #expect(tally.answered + unclear == count, "\(tally)", sourceLocation: location)
            #expect(unclear <= count / 20, "\(tally)", sourceLocation: location)
        case .nghttp2:
            #expect(tally.answered == count, "\(tally)", sourceLocation: location)
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
    /// The messages of the failures, each once.
    var reasons: Set<String> = []

    /// Checks that nothing was processed twice, that every answered request was processed, and that no request is called
    /// unprocessed which the server did process.
    init(
        _ outcomes: [Result<HTTPResponse, HTTPFailure>], of requests: [HTTPRequest], log: ServerLog,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let processed = try Dictionary(log.lines().map { ($0, 1) }, uniquingKeysWith: +)
        var complaints = processed.filter { $0.value > 1 }.map { "\($0.key) was sent \($0.value) times" }
        for (request, outcome) in zip(requests, outcomes) {
            switch outcome {
            case .success(let response):
                answered += 1
                if response.header("apns-id") != request.headers.first?.value || response.status != 200 {
                    complaints.append("\(request.path) got another's answer: \(response)")
                }
                if processed[request.path] == nil { complaints.append("\(request.path) was answered unseen") }
            case .failure(let failure):
                failures[failure.kind, default: 0] += 1
                reasons.insert(failure.message)
                if !failure.mayHaveBeenProcessed, processed[request.path] != nil {
                    complaints.append("\(request.path) was processed in spite of: \(failure)")
                }
            }
        }
        #expect(outcomes.count == requests.count, sourceLocation: location)
        #expect(complaints.isEmpty, "\(complaints.prefix(3))", sourceLocation: location)
    }
}
