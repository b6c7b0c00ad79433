/// Looks at the labels of a PEM text, so that a wrong file is named for what it is before OpenSSL sees it.
enum PrivateKeyText {
    /// The labels that OpenSSL reads as a private key without a pass phrase.
    private static let privateKeyLabels: Set<String> = ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"]

    /// Throws what is wrong with a text that holds no plain private key.
    static func check(_ text: String) throws(SigningKeyError) {
        guard let first = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) else { throw .empty }
        let labels = labels(in: text)
        if labels.isEmpty { throw first == "{" ? .serviceAccountDocument : .notPEM }
        guard labels.contains(where: privateKeyLabels.contains) else { throw complaint(about: labels) }
        // The traditional formats say so in a header inside the block (RFC 1421 section 4.6.1.1).
        if text.split(whereSeparator: \.isNewline).contains(where: isEncryptionHeader) { throw .encrypted }
    }

    private static func isEncryptionHeader(_ line: Substring) -> Bool {
        line.hasPrefix("Proc-Type:") && line.hasSuffix("ENCRYPTED")
    }

    private static func labels(in text: String) -> [String] {
        let opening = "-----BEGIN "
        let ending = "-----"
        return text.split(whereSeparator: \.isNewline).compactMap { line in
            let line = line.drop(while: \.isWhitespace)
            guard line.hasPrefix(opening) else { return nil }
            let rest = line.dropFirst(opening.count)
            let label = rest.prefix { $0 != "-" }
            return rest.dropFirst(label.count).hasPrefix(ending) ? String(label) : nil
        }
    }

    private static func complaint(about labels: [String]) -> SigningKeyError {
        if labels.contains("ENCRYPTED PRIVATE KEY") { return .encrypted }
        if labels.contains("CERTIFICATE") || labels.contains("TRUSTED CERTIFICATE") { return .certificate }
        if labels.contains(where: { $0.hasSuffix("PUBLIC KEY") }) { return .publicKey }
        return .unsupportedFormat(label: labels[0])
    }
}
