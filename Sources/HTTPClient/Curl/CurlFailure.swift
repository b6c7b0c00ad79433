import CCurl

extension HTTPFailure {
    static func invalid(_ what: String, to origin: HTTPOrigin) -> HTTPFailure {
        HTTPFailure(
            kind: .invalidRequest, message: "The request to \(origin) cannot be sent: \(what).",
            mayHaveBeenProcessed: false)
    }

    /// What libcurl's result means for the request.
    ///
    /// `mayHaveBeenProcessed` is false only where no byte of the request left, or where the server refused the stream,
    /// which tells that it did nothing (RFC 9113 section 8.7).
    static func failure(_ code: CURLcode, message: String, to origin: HTTPOrigin, hasSentBytes: Bool) -> HTTPFailure {
        let detail = unsafe message.isEmpty ? String(cString: curl_easy_strerror(code)) : message
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return HTTPFailure(
                kind: .resolve,
                message: "The name \(origin.host) has no address. \(detail). Check the host name and the DNS.",
                mayHaveBeenProcessed: hasSentBytes)
        case CURLE_COULDNT_CONNECT:
            return HTTPFailure(
                kind: .connect,
                message: "\(origin) cannot be reached. \(detail). Check that the port is open from here.",
                mayHaveBeenProcessed: hasSentBytes)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED:
            return HTTPFailure(
                kind: .tls,
                message: "No secure connection to \(origin). \(detail). "
                    + "Check the host name and the authority that signed its certificate (`ca_file`).",
                mayHaveBeenProcessed: hasSentBytes)
        case CURLE_OPERATION_TIMEDOUT:
            return HTTPFailure(
                kind: .timeout, message: "\(origin) did not answer in time. \(detail).",
                mayHaveBeenProcessed: hasSentBytes)
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            return invalid(detail, to: origin)
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING:
            return HTTPFailure(
                kind: .connectionLost,
                message: "The connection to \(origin) was lost before the response was complete. \(detail).",
                mayHaveBeenProcessed: hasSentBytes)
        default:
            return HTTPFailure(
                kind: .protocolError, message: "The exchange with \(origin) failed. \(detail).",
                mayHaveBeenProcessed: hasSentBytes)
        }
    }

    static func refused(by origin: HTTPOrigin, times: Int) -> HTTPFailure {
        HTTPFailure(
            kind: .refused, message: "\(origin) refused the request \(times) times without processing it.",
            mayHaveBeenProcessed: false)
    }

    /// The server could not be reached at all, so other requests will not fare better.
    var isConnectionFailure: Bool {
        switch kind {
        case .resolve, .connect, .tls: true
        case .timeout, .protocolError: !mayHaveBeenProcessed
        default: false
        }
    }
}
