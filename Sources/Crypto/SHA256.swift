import COpenSSL

package enum SHA256 {
    /// OpenSSL's algorithm object, looked up once: each use of `EVP_sha256()` would search the providers again.
    ///
    /// `nonisolated(unsafe)`: fetched once, never freed, and only read afterwards, which OpenSSL allows from any thread.
    nonisolated(unsafe) static let algorithm: OpaquePointer? =
        unsafe EVP_MD_fetch(nil, "SHA256", nil) ?? EVP_sha256()

    /// The 32 bytes of the digest (FIPS 180-4).
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let done = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, algorithm, nil)
        // It can fail only where OpenSSL has no SHA-256 or no memory: never on account of the input.
        precondition(done == 1, "OpenSSL cannot compute SHA-256: \(OpenSSLErrors.takeReason())")
        return digest
    }

    package static func digest(of text: String) -> [UInt8] { digest(of: Array(text.utf8)) }
}
