/// A request on its stream, from its HEADERS frame until the stream is closed.
struct HTTP2Stream {
    /// False once the stream is closed and the slot free.
    private(set) var isOpen = true
    /// What the owner knows the request by.
    let label: Int
    var id: Int32 = 0
    /// Bytes that the connection had produced before this stream: once more than these left, the stream may be known.
    let start: Int64
    let startTime: MonotonicTime
    var deadline: MonotonicTime
    private(set) var body: [UInt8]
    var bodySent = 0
    /// The outcome is told already, and only the stream's end is waited for.
    var isAnswered = false

    /// The status of the latest head; below 200 while only interim responses came (RFC 9110 section 15.2).
    var status = 0
    /// What is arriving comes after the response's head: trailers, which nobody asked for.
    var isPastHead = false
    var headers: [HTTPHeader] = []
    var headerBytes = 0
    var responseBody: [UInt8] = []

    init(label: Int, start: Int64, startTime: MonotonicTime, deadline: MonotonicTime, body: [UInt8]) {
        self.label = label
        self.start = start
        self.startTime = startTime
        self.deadline = deadline
        self.body = body
    }

    mutating func takeResponse() -> HTTPResponse {
        let response = HTTPResponse(status: status, headers: headers, body: responseBody)
        headers = []
        responseBody = []
        return response
    }

    mutating func close() {
        isOpen = false
        body = []
        headers = []
        responseBody = []
    }
}

/// What became of a request on its connection.
enum HTTP2StreamEnd: Sendable, Equatable {
    case response(HTTPResponse)
    /// The server says that it did nothing with it (RFC 9113 sections 6.8 and 8.7).
    case refused(byGoAway: Bool)
    case reset(code: UInt32)
    /// The response's body, or its head, was longer than allowed.
    case tooLarge
    case timedOut(wasWritten: Bool)
    case cancelled(wasWritten: Bool)
    /// The connection ended first.
    case lost(wasWritten: Bool)
}
