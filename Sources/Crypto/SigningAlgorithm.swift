/// The JSON Web Signature algorithms that push services ask for (RFC 7518 section 3.1).
package enum SigningAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// ECDSA on P-256 with SHA-256: APNs provider tokens and VAPID.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256: Google service accounts.
    case rs256 = "RS256"

    var keyDescription: String {
        switch self {
        case .es256: "an EC private key on the curve P-256"
        case .rs256: "an RSA private key"
        }
    }
}
