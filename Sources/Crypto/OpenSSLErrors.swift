import COpenSSL

/// OpenSSL's error queue of this thread.
package enum OpenSSLErrors {
    /// Empties the queue and returns the reason of the oldest entry, which is the one nearest to the cause.
    package static func takeReason() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let text = unsafe ERR_reason_error_string(code) else { return "unknown reason" }
        return unsafe String(cString: text)
    }
}
