import Crypto
import JSON
import TestSupport
import Testing

/// Keys made anew for this test run.
enum TestKeys {
    private static let texts = Result {
        try JSON(parsing: ChildProcess.python("Tests/Servers/signing_keys.py"))
    }

    static func text(_ name: String) throws -> String {
        try #require(try texts.get()[name]?.stringValue, "no key called \(name)")
    }

    static func p256() throws -> SigningKey { try SigningKey(pem: text("p256"), algorithm: .es256) }

    /// What PyJWT finds in tokens after it has verified them.
    static func verified(_ tokens: [String], key: String, algorithm: String) throws -> [JSON] {
        let question: JSON = [
            "key": .string(try text(key)), "algorithm": .string(algorithm),
            "tokens": .array(tokens.map { .string($0) }),
        ]
        let answer = try ChildProcess.python(
            "Tests/Servers/verify_tokens.py", input: .init(question.serializedBytes()))
        return try #require(try JSON(parsing: answer).arrayValue)
    }
}
