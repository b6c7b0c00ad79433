/// A header field; the name is lower case.
package struct HTTPHeader: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Scheme, host and port of a server, which connections are shared by.
package struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
    package var scheme: String
    package var host: String
    package var port: Int

    package init(scheme: String, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// `https://host`, with the port only where it is not the scheme's own.
    package var description: String {
        let isDefault = (scheme == "https" && port == 443) || (scheme == "http" && port == 80)
        let name = host.contains(":") ? "[\(host)]" : host
        return isDefault ? "\(scheme)://\(name)" : "\(scheme)://\(name):\(port)"
    }
}

/// One request. Values that many requests share (headers, body) are copy-on-write and cost nothing to repeat.
package struct HTTPRequest: Sendable {
    package var method: String
    package var path: String
    /// Fields shared by a group of requests; build the array once and give it to each.
    package var sharedHeaders: [HTTPHeader]
    /// Fields of this request alone.
    package var headers: [HTTPHeader]
    package var body: [UInt8]

    package init(
        method: String, path: String, sharedHeaders: [HTTPHeader] = [], headers: [HTTPHeader] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.sharedHeaders = sharedHeaders
        self.headers = headers
        self.body = body
    }
}

package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    /// Names in lower case.
    package var headers: [HTTPHeader]
    package var body: [UInt8]

    package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of a field, by its lower-case name.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// Why a request got no response.
package struct HTTPFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, Hashable {
        case resolve, connect, tls, timeout, refused, connectionLost, protocolError, responseTooLarge, cancelled,
            invalidRequest
    }

    package var kind: Kind
    /// A sentence that names the host and what to look at.
    package var message: String
    /// Whether the server may have acted on the request: true once it was written and not refused.
    package var mayHaveBeenProcessed: Bool

    package init(kind: Kind, message: String, mayHaveBeenProcessed: Bool) {
        self.kind = kind
        self.message = message
        self.mayHaveBeenProcessed = mayHaveBeenProcessed
    }

    package var description: String { message }
}

/// How a client talks to its servers.
package struct HTTPClientConfiguration: Sendable, Hashable {
    /// Connections to one origin at the most.
    package var connectionsPerOrigin: Int
    /// Requests in flight on one connection at the most; the server may lower it.
    package var streamsPerConnection: Int
    /// The time within which a request must have its whole response.
    package var timeout: Duration
    /// The time within which a connection, TLS included, must stand.
    package var connectTimeout: Duration
    /// A PEM file of authorities to trust instead of the system's.
    package var caFile: String?
    /// Bytes of a response body at the most.
    package var maxResponseBytes: Int
    /// Require HTTP/2 (`h2` through ALPN); otherwise HTTP/1.1 is accepted too.
    package var requiresHTTP2: Bool

    package init(
        connectionsPerOrigin: Int = 2, streamsPerConnection: Int = 100, timeout: Duration = .seconds(30),
        connectTimeout: Duration = .seconds(10), caFile: String? = nil, maxResponseBytes: Int = 1 << 20,
        requiresHTTP2: Bool = false
    ) {
        self.connectionsPerOrigin = connectionsPerOrigin
        self.streamsPerConnection = streamsPerConnection
        self.timeout = timeout
        self.connectTimeout = connectTimeout
        self.caFile = caFile
        self.maxResponseBytes = maxResponseBytes
        self.requiresHTTP2 = requiresHTTP2
    }
}

/// Batches of requests in, batches of outcomes out.
///
/// A client runs its own threads; a Swift task hands it a whole batch and is resumed once, when every request has its
/// outcome. Any number of batches may be in flight. Every request has a deadline, so a batch always ends.
package protocol HTTPClient: Sendable {
    /// Sends the requests to one origin and returns their outcomes in the same order.
    ///
    /// When the task is cancelled, requests not yet written fail with `.cancelled` and those in flight are given up.
    func send(_ requests: [HTTPRequest], to origin: HTTPOrigin) async -> [Result<HTTPResponse, HTTPFailure>]

    /// Closes the connections; later calls fail with `.cancelled`.
    func shutdown() async
}
