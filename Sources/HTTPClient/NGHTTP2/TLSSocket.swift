import COpenSSL
internal import Crypto
import Glibc

/// A TCP connection with TLS on it, which never blocks.
@safe final class TLSSocket {
    enum HandshakeStep: Equatable {
        case done
        case wantsToRead, wantsToWrite
        /// The other side speaks no HTTP/2.
        case noHTTP2
        case failed(String)
    }

    enum Transfer: Equatable {
        case moved(Int)
        case blocked
        /// The connection is at its end, for this reason where there is one.
        case ended(String?)
    }

    let descriptor: Int32
    private let tls: OpaquePointer
    private var hasHandshake = false

    /// Starts connecting.
    init(_ context: TLSContext, to address: SocketAddress, host: String) throws(ConnectFailure) {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, type, 0)
        guard descriptor >= 0 else { throw ConnectFailure(errorNumber: errno) }
        guard let tls = unsafe context.newConnection(to: host) else {
            close(descriptor)
            throw ConnectFailure(errorNumber: ENOMEM)
        }
        self.descriptor = descriptor
        unsafe self.tls = unsafe tls
        var on: Int32 = 1
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe SSL_set_fd(tls, descriptor) == 1 else { throw ConnectFailure(errorNumber: ENOMEM) }
        unsafe SSL_set_connect_state(tls)
        if let code = address.connect(descriptor) { throw ConnectFailure(errorNumber: code) }
    }

    deinit {
        unsafe SSL_free(tls)
        close(descriptor)
    }

    /// How the attempt to connect ended; nil for well.
    func connectFailure() -> ConnectFailure? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        if result != 0 { return ConnectFailure(errorNumber: errno) }
        return code == 0 ? nil : ConnectFailure(errorNumber: code)
    }

    // MARK: TLS

    func handshake() -> HandshakeStep {
        ERR_clear_error()
        let result = unsafe SSL_do_handshake(tls)
        if result == 1 {
            hasHandshake = true
            return hasAgreedOnHTTP2 ? .done : .noHTTP2
        }
        switch unsafe SSL_get_error(tls, result) {
        case SSL_ERROR_WANT_READ: return .wantsToRead
        case SSL_ERROR_WANT_WRITE: return .wantsToWrite
        case SSL_ERROR_SYSCALL: return .failed(Self.systemReason() ?? "the server closed the connection")
        default: return failedHandshake()
        }
    }

    private func failedHandshake() -> HandshakeStep {
        let verification = unsafe SSL_get_verify_result(tls)
        if verification != Int(X509_V_OK) {
            ERR_clear_error()
            return .failed(unsafe String(cString: X509_verify_cert_error_string(verification)))
        }
        let code = ERR_peek_error()
        // The library's number lies above the lower 23 bits, the reason's in them.
        if Int32(truncatingIfNeeded: code & 0x7F_FFFF) == SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL { return .noHTTP2 }
        return .failed(OpenSSLErrors.takeReason())
    }

    private var hasAgreedOnHTTP2: Bool {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(tls, &name, &length)
        return unsafe UnsafeBufferPointer(start: name, count: Int(length)).elementsEqual("h2".utf8)
    }

    func read(into target: UnsafeMutableRawBufferPointer) -> Transfer {
        ERR_clear_error()
        let count = unsafe SSL_read(tls, target.baseAddress, Int32(clamping: target.count))
        return count > 0 ? .moved(Int(count)) : outcome(count)
    }

    /// What was offered once must be offered again, first of all, until it is taken.
    func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        ERR_clear_error()
        let count = unsafe SSL_write(tls, bytes.baseAddress, Int32(clamping: bytes.count))
        return count > 0 ? .moved(Int(count)) : outcome(count)
    }

    private func outcome(_ result: Int32) -> Transfer {
        switch unsafe SSL_get_error(tls, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: .blocked
        case SSL_ERROR_ZERO_RETURN: .ended(nil)
        case SSL_ERROR_SYSCALL: .ended(Self.systemReason())
        default: .ended(Self.tlsReason())
        }
    }

    private static func systemReason() -> String? {
        let code = errno
        return code == 0 ? nil : ConnectFailure(errorNumber: code).reason
    }

    private static func tlsReason() -> String? {
        let reason = ERR_peek_error() & 0x7F_FFFF
        let text = OpenSSLErrors.takeReason()
        // Most servers close without the alert that TLS asks for.
        return Int32(truncatingIfNeeded: reason) == SSL_R_UNEXPECTED_EOF_WHILE_READING ? nil : text
    }

    /// Says good-bye, as far as it goes without waiting.
    func closeNotify() {
        guard hasHandshake else { return }
        ERR_clear_error()
        unsafe SSL_shutdown(tls)
        ERR_clear_error()
    }
}

/// Why a TCP connection does not stand.
struct ConnectFailure: Error, Hashable {
    var errorNumber: Int32

    var reason: String { unsafe String(cString: strerror(errorNumber)) }
}
