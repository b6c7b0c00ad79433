import Crypto
import Foundation
import TestSupport
import Testing

/// Keys of every kind, made anew by Python's cryptography package.
private struct KeyRing {
    let texts: [String: String]

    static let shared = Result { try KeyRing() }

    private init() throws {
        let output = try ChildProcess.python("Tests/Servers/signing_keys.py")
        texts = try JSONDecoder().decode([String: String].self, from: Data(output.utf8))
    }

    static func text(_ name: String) throws -> String {
        try #require(try shared.get().texts[name], "no key called \(name)")
    }
}

private struct VerifiedToken: Decodable {
    var header: [String: String]
    var claims: [String: String]
}

private struct Question: Encodable {
    var key: String
    var algorithm: String
    var tokens: [String]
}

@Suite struct SigningKeyTests {
    @Test(arguments: [
        ("p256", SigningAlgorithm.es256, "p256 public"),
        ("p256 SEC 1", .es256, "p256 public"),
        ("rsa", .rs256, "rsa public"),
        ("rsa PKCS#1", .rs256, "rsa public"),
    ])
    func `PyJWT accepts the tokens that a key signs`(
        name: String, algorithm: SigningAlgorithm, publicName: String
    ) throws {
        let key = try SigningKey(pem: KeyRing.text(name), algorithm: algorithm)
        let header = Array(#"{"alg":"\#(algorithm.rawValue)","kid":"ABC123DEFG"}"#.utf8)
        // 600 signatures: the chance that none has a half with a leading zero is below one in ten thousand.
        let count = algorithm == .es256 ? 600 : 3
        let tokens = try (0..<count).map {
            try JSONWebToken.signed(header: header, claims: Array(#"{"iss":"team \#($0)"}"#.utf8), with: key)
        }
        let question = Question(key: try KeyRing.text(publicName), algorithm: algorithm.rawValue, tokens: tokens)
        let output = try ChildProcess.python(
            "Tests/Servers/verify_tokens.py", input: try JSONEncoder().encode(question))
        let verified = try JSONDecoder().decode([VerifiedToken].self, from: Data(output.utf8))
        #expect(verified.map(\.claims) == (0..<count).map { ["iss": "team \($0)"] })
        #expect(verified.allSatisfy { $0.header["kid"] == "ABC123DEFG" })
    }

    @Test func `an ES256 signature is always 64 bytes`() throws {
        let key = try SigningKey(pem: KeyRing.text("p256"), algorithm: .es256)
        let lengths = try (0..<600).map { try key.signature(for: [UInt8(truncatingIfNeeded: $0)]).count }
        #expect(Set(lengths) == [64])
    }

    @Test func `many threads sign with one key at once`() async throws {
        let key = try SigningKey(pem: KeyRing.text("rsa"), algorithm: .rs256)
        let expected = try key.signature(for: [1, 2, 3])
        let signatures = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<64 { group.addTask { try key.signature(for: [1, 2, 3]) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(signatures.count == 64)
        #expect(Set(signatures) == [expected])
    }

    @Test(arguments: [
        ("p256 public", SigningAlgorithm.es256, SigningKeyError.publicKey),
        ("p256 encrypted", .es256, .encrypted),
        ("p256 SEC 1 encrypted", .es256, .encrypted),
        ("p256 OpenSSH", .es256, .unsupportedFormat(label: "OPENSSH PRIVATE KEY")),
        ("certificate", .es256, .certificate),
        ("p384", .es256, .wrongKind(expected: .es256, found: "an EC key on the curve secp384r1")),
        ("ed25519", .es256, .wrongKind(expected: .es256, found: "a key of kind ED25519")),
        ("rsa", .es256, .wrongKind(expected: .es256, found: "an RSA key")),
        ("p256", .rs256, .wrongKind(expected: .rs256, found: "an EC key")),
        ("rsa 1024", .rs256, .tooWeak(bits: 1024)),
    ])
    func `a file that cannot sign is named for what it is`(
        name: String, algorithm: SigningAlgorithm, expected: SigningKeyError
    ) throws {
        let text = try KeyRing.text(name)
        #expect(throws: expected) { try SigningKey(pem: text, algorithm: algorithm) }
    }

    @Test(arguments: [
        ("", SigningKeyError.empty),
        (" \n\t", .empty),
        ("MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0", .notPEM),
        ("0\u{0}\u{1}\u{FFFD}", .notPEM),
        (#"{"type": "service_account", "private_key": "…"}"#, .serviceAccountDocument),
        ("-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END", .unsupportedFormat(label: "CERTIFICATE REQUEST")),
    ])
    func `a text that is no key is named for what it is`(text: String, expected: SigningKeyError) {
        #expect(throws: expected) { try SigningKey(pem: text, algorithm: .es256) }
    }

    @Test func `a key cut short is unreadable and the error is a sentence`() throws {
        let text = String(try KeyRing.text("p256").prefix(90))
        let error = #expect(throws: SigningKeyError.self) { try SigningKey(pem: text, algorithm: .es256) }
        #expect(error?.description.hasPrefix("The private key cannot be read (") == true)
        let damaged = try KeyRing.text("p256").replacing("M", with: "A")
        #expect(throws: SigningKeyError.self) { try SigningKey(pem: damaged, algorithm: .es256) }
    }

    @Test func `blank lines, notes and Windows line ends around a key do no harm`() throws {
        let text = "\u{FEFF}my key\r\n\r\n" + (try KeyRing.text("p256").replacing("\n", with: "\r\n")) + "\r\nend"
        #expect(try SigningKey(pem: text, algorithm: .es256).signature(for: []).count == 64)
    }
}
