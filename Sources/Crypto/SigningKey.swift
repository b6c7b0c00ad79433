import COpenSSL

/// A private key that signs with one algorithm.
///
/// `@unchecked Sendable`: the OpenSSL object is written only while `init` runs, is freed only in `deinit`, and signing
/// reads it through a context of its own each time, which OpenSSL allows from many threads at once
/// (openssl-threads(7): concurrent use is safe where no call modifies the object).
@safe package final class SigningKey: @unchecked Sendable {
    package let algorithm: SigningAlgorithm
    private let key: OpaquePointer

    /// Reads a private key from PEM text: PKCS#8 (an APNs .p8 file, a service account's `private_key`), SEC 1 or
    /// PKCS#1.
    ///
    /// - Throws: `SigningKeyError`, which says what the text is instead and what to do about it.
    package init(pem text: String, algorithm: SigningAlgorithm) throws(SigningKeyError) {
        try PrivateKeyText.check(text)
        guard let key = unsafe Self.readPrivateKey(text) else {
            throw .unreadable(reason: OpenSSLErrors.takeReason())
        }
        unsafe self.key = key
        self.algorithm = algorithm
        try requireFit()
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Signs a message as JSON Web Signature wants it: for ES256 the 64 bytes r‖s (RFC 7518 section 3.4), for RS256
    /// the signature as long as the key.
    package func signature(for message: [UInt8]) throws(SigningKeyError) -> [UInt8] {
        let signature = try encodedSignature(for: message)
        return algorithm == .es256 ? try ECDSASignature.fixedWidth(fromDER: signature) : signature
    }

    /// Tells this key from others without telling the key: the SHA-256 of its public half, in base64url.
    package func fingerprint() throws(SigningKeyError) -> String {
        var length = 0
        var encoded: UnsafeMutablePointer<UInt8>?
        unsafe length = Int(i2d_PUBKEY(key, &encoded))
        guard length > 0, let start = unsafe encoded else {
            throw .signingFailed(reason: OpenSSLErrors.takeReason())
        }
        defer { unsafe CRYPTO_free(start, #file, #line) }
        return Base64URL.encode(SHA256.digest(of: unsafe Array(UnsafeBufferPointer(start: start, count: length))))
    }

    private static func readPrivateKey(_ text: String) -> OpaquePointer? {
        var text = text
        return text.withUTF8 { bytes in
            guard let length = Int32(exactly: bytes.count),
                let source = unsafe BIO_new_mem_buf(bytes.baseAddress, length)
            else { return nil }
            defer { unsafe BIO_free(source) }
            // Without this callback OpenSSL would ask for a pass phrase on the terminal.
            return unsafe PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in 0 }, nil)
        }
    }

    private func requireFit() throws(SigningKeyError) {
        let kind = unsafe EVP_PKEY_get0_type_name(key).map { unsafe String(cString: $0) } ?? "of an unknown kind"
        switch (algorithm, kind) {
        case (.rs256, "RSA"):
            let bits = unsafe Int(EVP_PKEY_get_bits(key))
            if bits < 2048 { throw .tooWeak(bits: bits) }
        case (.es256, "EC"):
            let curve = curveName()
            if curve != "prime256v1" {
                throw .wrongKind(expected: algorithm, found: "an EC key on the curve \(curve ?? "without a name")")
            }
        default:
            let kinds = ["RSA": "an RSA key", "EC": "an EC key"]
            throw .wrongKind(expected: algorithm, found: kinds[kind] ?? "a key of kind \(kind)")
        }
    }

    private func curveName() -> String? {
        var name = [CChar](repeating: 0, count: 80)
        var length = 0
        let capacity = name.count
        let found = unsafe name.withUnsafeMutableBufferPointer {
            unsafe EVP_PKEY_get_group_name(key, $0.baseAddress, capacity, &length)
        }
        guard found == 1 else { return nil }
        return String(decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func encodedSignature(for message: [UInt8]) throws(SigningKeyError) -> [UInt8] {
        guard let context = unsafe EVP_MD_CTX_new() else { throw .signingFailed(reason: "out of memory") }
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: unsafe Int(EVP_PKEY_get_size(key)))
        var length = signature.count
        guard unsafe EVP_DigestSignInit(context, nil, SHA256.algorithm, nil, key) == 1,
            unsafe EVP_DigestSign(context, &signature, &length, message, message.count) == 1
        else { throw .signingFailed(reason: OpenSSLErrors.takeReason()) }
        signature.removeSubrange(length...)
        return signature
    }
}
