import CNGHTTP2

/// The sentences of what goes wrong with an origin.
extension HTTPFailure {
    static func unresolved(_ origin: HTTPOrigin, _ failure: ResolutionFailure) -> HTTPFailure {
        HTTPFailure(
            kind: .resolve,
            message: "The name \(origin.host) has no address: \(failure.reason). Check the host name and the DNS.",
            mayHaveBeenProcessed: false)
    }

    static func unreachable(_ origin: HTTPOrigin, at address: String, _ failure: ConnectFailure) -> HTTPFailure {
        HTTPFailure(
            kind: .connect,
            message: "\(origin) cannot be reached at \(address): \(failure.reason). "
                + "Check that the port is open from here.",
            mayHaveBeenProcessed: false)
    }

    static func connectTimeout(_ origin: HTTPOrigin, while what: String, after limit: Duration) -> HTTPFailure {
        HTTPFailure(
            kind: .timeout,
            message: "No connection to \(origin) within \(limit): \(what) took too long. "
                + "Check the network between here and there.",
            mayHaveBeenProcessed: false)
    }

    static func insecure(_ origin: HTTPOrigin, reason: String) -> HTTPFailure {
        HTTPFailure(
            kind: .tls,
            message: "No secure connection to \(origin): \(reason). "
                + "Check the host name and the authority that signed its certificate (`ca_file`).",
            mayHaveBeenProcessed: false)
    }

    static func noHTTP2(_ origin: HTTPOrigin) -> HTTPFailure {
        HTTPFailure(
            kind: .protocolError,
            message:
                "\(origin) speaks no HTTP/2 (`h2` by ALPN). Check the endpoint, and whether a proxy stands before it.",
            mayHaveBeenProcessed: false)
    }

    static func noAnswer(_ origin: HTTPOrigin, after limit: Duration, wasWritten: Bool) -> HTTPFailure {
        HTTPFailure(
            kind: .timeout, message: "\(origin) did not answer within \(limit).", mayHaveBeenProcessed: wasWritten)
    }

    static func noStream(_ origin: HTTPOrigin, after limit: Duration) -> HTTPFailure {
        HTTPFailure(
            kind: .timeout, message: "\(origin) allowed no request within \(limit).", mayHaveBeenProcessed: false)
    }

    static func refused(_ origin: HTTPOrigin, _ goAway: HTTP2GoAway? = nil) -> HTTPFailure {
        HTTPFailure(
            kind: .refused,
            message: "\(origin) refused the request again and again without processing it\(Self.words(of: goAway)).",
            mayHaveBeenProcessed: false)
    }

    static func reset(_ origin: HTTPOrigin, code: UInt32) -> HTTPFailure {
        HTTPFailure(
            kind: .protocolError,
            message: "\(origin) gave up the request with the HTTP/2 error \(HTTP2Callbacks.name(ofError: code)).",
            mayHaveBeenProcessed: true)
    }

    static func tooLarge(_ origin: HTTPOrigin, limit: Int) -> HTTPFailure {
        HTTPFailure(
            kind: .responseTooLarge, message: "The response of \(origin) is longer than \(limit) bytes.",
            mayHaveBeenProcessed: true)
    }

    static func lost(
        _ origin: HTTPOrigin, reason: String?, _ goAway: HTTP2GoAway?, wasWritten: Bool
    ) -> HTTPFailure {
        let detail = reason.map { ": \($0)" } ?? ""
        return HTTPFailure(
            kind: .connectionLost,
            message: "The connection to \(origin) ended before the response was there\(detail)\(words(of: goAway)).",
            mayHaveBeenProcessed: wasWritten)
    }

    private static func words(of goAway: HTTP2GoAway?) -> String {
        guard let goAway else { return "" }
        let text = goAway.text.isEmpty ? "" : " \(goAway.text)"
        return " (it said good-bye with \(HTTP2Callbacks.name(ofError: goAway.code))\(text))"
    }
}
