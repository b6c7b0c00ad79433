import CCurl
import COpenSSL

/// One easy handle with all that a request needs, used for one request after another.
///
/// It belongs to the thread of one event loop: nothing here may be touched by another.
@safe final class CurlTransfer {
    let easy: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private let ownHeaders = CurlHeaderList()
    private var sharedHeaders: CurlHeaderList?
    private var body: UnsafeMutableBufferPointer<UInt8> = unsafe .init(start: nil, count: 0)
    private var method = ""
    private let configuration: HTTPClientConfiguration

    // What follows belongs to the request in flight.
    private(set) var ticket: CurlLane.Ticket?
    private(set) var lane: CurlLane?
    /// `lane.responses` when the request started.
    private(set) var responsesAtStart = 0
    /// The request was handed to a connection at least once.
    private(set) var wasWritten = false
    /// Why a callback ended the transfer.
    private(set) var ownFailure: HTTPFailure?
    /// libcurl was about to send again what the server had not processed.
    private(set) var wasRefused = false
    private var isMultiplexed = false
    private var status = 0
    private var responseHeaders: [HTTPHeader] = []
    private var responseBody: [UInt8] = []

    init?(configuration: HTTPClientConfiguration, connections: Int) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe self.easy = easy
        self.configuration = configuration
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setLastingOptions(connections: connections)
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe errorText.deallocate()
        unsafe body.deallocate()
    }

    /// The transfer that an easy handle belongs to.
    static func owner(of easy: UnsafeMutableRawPointer) -> CurlTransfer? {
        unsafe carillon_get_private(easy).map { unsafe Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Options

    private func setLastingOptions(connections: Int) {
        let timeout = configuration.timeout.wholeMilliseconds
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TIMEOUT_MS, timeout)
        set(CURLOPT_CONNECTTIMEOUT_MS, min(timeout, configuration.connectTimeout.wholeMilliseconds))
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        // An empty proxy keeps libcurl from looking into the environment.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_TCP_KEEPIDLE, 30)
        set(CURLOPT_TCP_KEEPINTVL, 15)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // With one connection, requests wait until it stands and then share it. With more, libcurl would never open
        // the second while it waits for the first.
        set(CURLOPT_PIPEWAIT, connections == 1 ? 1 : 0)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        if let caFile = configuration.caFile {
            set(CURLOPT_CAINFO, caFile)
            unsafe carillon_set_string(easy, CURLOPT_CAPATH, nil)
        }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe carillon_set_pointer(easy, CURLOPT_PRIVATE, context)
        unsafe carillon_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        unsafe carillon_set_pointer(easy, CURLOPT_HEADERDATA, context)
        unsafe carillon_set_data_callback(easy, CURLOPT_HEADERFUNCTION) { data, size, count, context in
            unsafe CurlTransfer.from(context)?.receiveHeader(data, size * count) ?? 0
        }
        unsafe carillon_set_pointer(easy, CURLOPT_WRITEDATA, context)
        unsafe carillon_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { data, size, count, context in
            unsafe CurlTransfer.from(context)?.receiveBody(data, size * count) ?? 0
        }
        unsafe carillon_set_pointer(easy, CURLOPT_PREREQDATA, context)
        unsafe carillon_set_before_request(easy) { context, _, _, _, _ in
            let mayGoOn = unsafe CurlTransfer.from(context)?.willWrite() ?? false
            return mayGoOn ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        unsafe context.map { unsafe Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func set(_ option: CURLoption, _ value: Int) { unsafe carillon_set_long(easy, option, value) }

    private func set(_ option: CURLoption, _ value: String) { unsafe carillon_set_string(easy, option, value) }

    // MARK: A request

    /// Prepares the handle for a request.
    ///
    /// - Throws: `.invalidRequest` for what cannot stand in a request.
    func prepare(_ ticket: CurlLane.Ticket, of lane: CurlLane, sharedHeaders: CurlHeaderList) throws(HTTPFailure) {
        let request = ticket.batch.requests[ticket.index]
        guard request.path.utf8.first == UInt8(ascii: "/"), request.path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw .invalid("the path “\(request.path)” must begin with “/” and be plain ASCII", to: lane.origin)
        }
        do throws(InvalidHeader) {
            try ownHeaders.set(request.headers, followedBy: sharedHeaders)
        } catch {
            throw .invalid("the header field “\(error.name)” holds a byte that cannot be sent", to: lane.origin)
        }
        self.sharedHeaders = sharedHeaders
        self.ticket = ticket
        self.lane = lane
        responsesAtStart = lane.responses
        wasWritten = false
        ownFailure = nil
        wasRefused = false
        forgetResponse()
        set(CURLOPT_URL, lane.url(of: request.path))
        unsafe carillon_set_headers(easy, ownHeaders.first)
        set(request.method, body: request.body)
        set(CURLOPT_FRESH_CONNECT, lane.needsFreshConnection ? 1 : 0)
    }

    private func set(_ newMethod: String, body newBody: [UInt8]) {
        let hasBody = newMethod == "POST" || !newBody.isEmpty
        let mode = hasBody ? newMethod : newMethod + " without body"
        if mode != method {
            method = mode
            set(CURLOPT_HTTPGET, 1)
            unsafe carillon_set_string(easy, CURLOPT_CUSTOMREQUEST, nil)
            if hasBody { set(CURLOPT_POST, 1) }
            switch newMethod {
            case "POST": break
            case "GET" where !hasBody: break
            case "HEAD": set(CURLOPT_NOBODY, 1)
            default: set(CURLOPT_CUSTOMREQUEST, newMethod)
            }
        }
        guard hasBody else { return }
        // libcurl reads the body while the transfer runs. A copy in memory of our own costs some nanoseconds, and an
        // array promises nothing about where its storage lies once the call is over.
        if unsafe body.count < newBody.count || body.isEmpty {
            unsafe body.deallocate()
            unsafe body = .allocate(capacity: max(512, newBody.count))
        }
        _ = unsafe body.update(fromContentsOf: newBody)
        unsafe carillon_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int(newBody.count))
        unsafe carillon_set_pointer(easy, CURLOPT_POSTFIELDS, body.baseAddress)
    }

    /// Lets go of the request, so that nothing of it lives longer than its outcome.
    func clear() {
        ticket = nil
        lane = nil
        sharedHeaders = nil
        ownFailure = nil
        forgetResponse()
    }

    private func forgetResponse() {
        status = 0
        responseHeaders = []
        responseBody = []
    }

    func takeResponse() -> HTTPResponse {
        HTTPResponse(status: status, headers: responseHeaders, body: responseBody)
    }

    /// What libcurl says about the failure; empty where it says nothing.
    var errorMessage: String { unsafe String(cString: errorText) }

    /// Whether bytes of the request were handed to a connection.
    var hasSentBytes: Bool { unsafe carillon_get_long(easy, CURLINFO_REQUEST_SIZE) > 0 }

    // MARK: Callbacks

    /// Called before the request goes out, each time it does.
    ///
    /// libcurl 7.88 sends a request again by itself in two cases (Curl_retry_request in its transfer.c): when the server
    /// refused the stream (REFUSED_STREAM, or a GOAWAY that leaves the stream out), which is safe, and when a connection
    /// that had carried an earlier request breaks before a byte of the response is there, which is not: the server may
    /// have acted. An error in reading leaves a message and a refusal leaves none, so a message tells the two apart.
    /// Neither goes out from here: the first is sent again by us, in turn with the others, because a new connection
    /// may have room for a single request.
    private func willWrite() -> Bool {
        guard let lane else { return false }
        lane.wasActive = true
        if wasWritten {
            if hasSentBytes, unsafe errorText[0] != 0 || !isMultiplexed {
                ownFailure = HTTPFailure(
                    kind: .connectionLost,
                    message: "The connection to \(lane.origin) was lost before the response came. \(errorMessage)",
                    mayHaveBeenProcessed: true)
            } else {
                wasRefused = true
            }
            return false
        }
        isMultiplexed = connectionIsHTTP2()
        if configuration.requiresHTTP2, !isMultiplexed {
            ownFailure = HTTPFailure(
                kind: .protocolError,
                message: "\(lane.origin) does not speak HTTP/2, which is required here: "
                    + "it did not choose “h2” in the TLS handshake. Check the host and port, and any proxy between.",
                mayHaveBeenProcessed: false)
            return false
        }
        lane.window.write(isMultiplexed: isMultiplexed, at: .now)
        wasWritten = true
        return true
    }

    /// Whether the connection agreed on `h2` by ALPN (RFC 9113 section 3.2).
    private func connectionIsHTTP2() -> Bool {
        guard let connection = unsafe carillon_get_openssl(easy) else { return false }
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(OpaquePointer(connection), &name, &length)
        guard let name = unsafe name, length == 2 else { return false }
        return unsafe name[0] == UInt8(ascii: "h") && name[1] == UInt8(ascii: "2")
    }

    private func receiveHeader(_ data: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let data = unsafe data else { return 0 }
        let line = unsafe UnsafeRawBufferPointer(start: data, count: count)
        if unsafe line.starts(with: "HTTP/".utf8) {
            lane?.wasActive = true
            // A new status line: what came before was an interim response (RFC 9110 section 15.2).
            status = unsafe ResponseHeaderLine.status(line)
            responseHeaders.removeAll(keepingCapacity: true)
        } else if let field = unsafe ResponseHeaderLine.field(line) {
            responseHeaders.append(field)
        }
        return count
    }

    private func receiveBody(_ data: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let data = unsafe data, let lane else { return 0 }
        guard responseBody.count + count <= configuration.maxResponseBytes else {
            ownFailure = HTTPFailure(
                kind: .responseTooLarge,
                message: "The response of \(lane.origin) is longer than \(configuration.maxResponseBytes) bytes.",
                mayHaveBeenProcessed: true)
            return 0
        }
        unsafe responseBody.append(contentsOf: UnsafeRawBufferPointer(start: data, count: count))
        return count
    }
}

extension Duration {
    /// At least 1, because libcurl reads 0 as “no limit”.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
        if overflows { return seconds < 0 ? 1 : Int(Int32.max) }
        return Int(min(max(1, product &+ attoseconds / 1_000_000_000_000_000), Int64(Int32.max)))
    }
}
