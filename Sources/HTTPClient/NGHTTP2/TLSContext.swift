import COpenSSL
internal import Crypto

/// What all connections of a client share of TLS: the trusted authorities, the versions and the protocol.
///
/// `@unchecked Sendable`: the OpenSSL object is changed only while `init` runs and freed only in `deinit`. Making
/// connections from it changes nothing but its reference count, which OpenSSL guards (openssl-threads(7)).
@safe final class TLSContext: @unchecked Sendable {
    private let context: OpaquePointer

    /// TLS 1.2 is the least that HTTP/2 allows (RFC 9113 section 9.2).
    init(caFile: String?) throws(HTTPClientError) {
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { throw .libraryFailed("OpenSSL") }
        unsafe self.context = unsafe context
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        let modes = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(modes), nil)
        // One read takes all records that have arrived instead of a header and a body for each.
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_READ_AHEAD, 1, nil)
        unsafe SSL_CTX_set_default_read_buffer_len(context, 65_536)
        let h2: [UInt8] = [2, UInt8(ascii: "h"), UInt8(ascii: "2")]
        guard unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1,
            unsafe SSL_CTX_set_alpn_protos(context, h2, UInt32(h2.count)) == 0
        else { throw .libraryFailed("OpenSSL") }
        if let caFile {
            try HTTPClientError.requireReadable(caFile)
            guard unsafe SSL_CTX_load_verify_file(context, caFile) == 1 else {
                throw .caFileUnusable(path: caFile, reason: OpenSSLErrors.takeReason())
            }
        } else {
            unsafe SSL_CTX_set_default_verify_paths(context)
        }
    }

    deinit { unsafe SSL_CTX_free(context) }

    /// The TLS side of a connection: its certificate must be for this host, a name or an address (RFC 9110 section
    /// 4.3.4).
    @unsafe func newConnection(to host: String) -> OpaquePointer? {
        guard let tls = unsafe SSL_new(context) else { return nil }
        let isReady: Bool
        if SocketAddress(numeric: host, port: 0) != nil {
            isReady = unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls), host) == 1
        } else {
            isReady = unsafe SSL_set1_host(tls, host) == 1 && Self.setServerName(host, of: tls)
        }
        guard isReady else {
            unsafe SSL_free(tls)
            return nil
        }
        return unsafe tls
    }

    private static func setServerName(_ host: String, of tls: OpaquePointer) -> Bool {
        var name = Array(host.utf8CString)
        return unsafe name.withUnsafeMutableBytes { name in
            unsafe SSL_ctrl(
                tls, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), name.baseAddress) == 1
        }
    }
}
