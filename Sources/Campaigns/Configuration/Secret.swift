internal import Glibc

/// Where a secret is found. The configuration never holds the secret itself.
package enum Secret: Sendable, Hashable {
    /// The name of an environment variable.
    case environment(String)
    /// The path as it is written.
    case file(String)

    /// Key files are a few kilobytes.
    private static let sizeLimit = 64 << 10

    /// Reads the secret; paths are made usable by the configuration that names them.
    package func value(in configuration: Configuration) throws(SecretError) -> SecretValue {
        switch self {
        case .environment(let name):
            guard let value = unsafe getenv(name) else {
                throw SecretError(reason: "the environment variable \(name) is not set")
            }
            let text = unsafe String(cString: value)
            guard !text.isEmpty else { throw SecretError(reason: "the environment variable \(name) is empty") }
            return SecretValue(Array(text.utf8))
        case .file(let path):
            let bytes: [UInt8]
            do {
                bytes = try FileReading.bytes(of: configuration.path(path), limit: Self.sizeLimit)
            } catch {
                throw SecretError(reason: "the file \(configuration.path(path)) cannot be read: \(error.reason)")
            }
            guard !bytes.isEmpty, bytes.count <= Self.sizeLimit else {
                throw SecretError(reason: "the file \(configuration.path(path)) is empty, or too large for a secret")
            }
            return SecretValue(bytes)
        }
    }
}

/// Why a secret cannot be had. It names the place, never the value.
package struct SecretError: Error, Sendable, Hashable, CustomStringConvertible {
    package var reason: String

    package var description: String { reason }
}

/// A secret's bytes. Whatever prints the value prints a placeholder.
package struct SecretValue: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// For the one who signs or sends with it.
    package let exposedBytes: [UInt8]

    package init(_ bytes: [UInt8]) { exposedBytes = bytes }

    package var exposedText: String { String(decoding: exposedBytes, as: UTF8.self) }

    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
