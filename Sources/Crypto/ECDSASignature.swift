import COpenSSL

/// The two shapes of an ECDSA signature on P-256: OpenSSL writes DER, JSON Web Signature wants fixed width.
enum ECDSASignature {
    private static let halfWidth = 32

    /// r‖s, each padded on the left to 32 bytes: one in 128 signatures has a half with a leading zero.
    static func fixedWidth(fromDER der: [UInt8]) throws(SigningKeyError) -> [UInt8] {
        let parsed = unsafe der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return unsafe d2i_ECDSA_SIG(nil, &cursor, bytes.count)
        }
        guard let parsed = unsafe parsed else { throw .signingFailed(reason: OpenSSLErrors.takeReason()) }
        defer { unsafe ECDSA_SIG_free(parsed) }
        var result = [UInt8](repeating: 0, count: 2 * halfWidth)
        let written = unsafe result.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return false }
            let width = Int32(halfWidth)
            return unsafe BN_bn2binpad(ECDSA_SIG_get0_r(parsed), start, width) == width
                && BN_bn2binpad(ECDSA_SIG_get0_s(parsed), start + halfWidth, width) == width
        }
        guard written else { throw .signingFailed(reason: "a half of the signature is longer than 32 bytes") }
        return result
    }
}
