/// Why a key cannot sign. No case holds key material, so each may be printed.
package enum SigningKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    case empty
    case notPEM
    case serviceAccountDocument
    case encrypted
    case publicKey
    case certificate
    case unsupportedFormat(label: String)
    /// The PEM block is there but its content is not a key; `reason` is OpenSSL's own word.
    case unreadable(reason: String)
    case wrongKind(expected: SigningAlgorithm, found: String)
    case tooWeak(bits: Int)
    case signingFailed(reason: String)

    package var description: String {
        switch self {
        case .empty:
            "The key is empty: give the content of the private key file."
        case .notPEM:
            "The key is not PEM text: it must contain a line “-----BEGIN PRIVATE KEY-----”. "
                + "Use the .p8 file as downloaded, or convert a DER file with "
                + "“openssl pkcs8 -topk8 -nocrypt -inform DER -in FILE”."
        case .serviceAccountDocument:
            "The key is a JSON document, not PEM text: a service account's key is the value of its private_key member."
        case .encrypted:
            "The private key is encrypted with a pass phrase: decrypt it with "
                + "“openssl pkcs8 -topk8 -nocrypt -in FILE” and protect the file by its permissions."
        case .publicKey:
            "The file holds a public key, which cannot sign: use the private key that belongs to it."
        case .certificate:
            "The file holds a certificate, which cannot sign: use the private key (for APNs the AuthKey_….p8 file)."
        case .unsupportedFormat(let label):
            "The file holds “\(label)”, which is not a private key format that can be read: "
                + "use a PKCS#8 file that begins with “-----BEGIN PRIVATE KEY-----”."
        case .unreadable(let reason):
            "The private key cannot be read (\(reason)): the file is damaged or cut short, so fetch it again."
        case .wrongKind(let expected, let found):
            "The key is \(found), but \(expected.rawValue) needs \(expected.keyDescription)."
        case .tooWeak(let bits):
            "The RSA key has \(bits) bits; RS256 needs at least 2048 (RFC 7518 section 3.3)."
        case .signingFailed(let reason):
            "The key cannot sign (\(reason))."
        }
    }
}
