import HTTPClient
import Synchronization

/// A client that answers from a closure and remembers what it was asked.
final class FakeHTTPClient: HTTPClient {
    struct Batch: Sendable {
        let requests: [HTTPRequest]
        let origin: HTTPOrigin
    }

    typealias Answer = @Sendable (_ request: HTTPRequest, _ number: Int) -> Result<HTTPResponse, HTTPFailure>

    private let answer: Answer
    private let sent = Mutex<[Batch]>([])

    /// - Parameter answer: Gets the request and its number, counted from 0 over all batches.
    init(_ answer: @escaping Answer = { _, _ in .success(HTTPResponse(status: 200)) }) { self.answer = answer }

    /// Answers every request alike.
    convenience init(status: Int, headers: [HTTPHeader] = [], body: String = "") {
        self.init { _, _ in .success(HTTPResponse(status: status, headers: headers, body: Array(body.utf8))) }
    }

    var batches: [Batch] { sent.withLock { $0 } }
    var requests: [HTTPRequest] { batches.flatMap(\.requests) }

    func send(_ requests: [HTTPRequest], to origin: HTTPOrigin) async -> [Result<HTTPResponse, HTTPFailure>] {
        let first = sent.withLock { sent in
            let count = sent.reduce(0) { $0 + $1.requests.count }
            sent.append(Batch(requests: requests, origin: origin))
            return count
        }
        return requests.enumerated().map { answer($1, first + $0) }
    }

    func shutdown() async {}
}

extension HTTPRequest {
    /// All header fields in the order sent.
    var allHeaders: [HTTPHeader] { sharedHeaders + headers }

    /// The value of a field, which must not be there twice.
    func header(_ name: String) -> String? {
        let values = allHeaders.filter { $0.name == name }.map(\.value)
        return values.count == 1 ? values[0] : nil
    }
}
