package import Crypto
package import HTTPClient
import JSON

/// Why a service account's key file cannot be used. No case holds key material.
package struct FCMServiceAccountError: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String
}

/// A Google service account, as in the JSON file that the console hands out.
package struct FCMServiceAccount: Sendable {
    package var projectID: String?
    package var clientEmail: String
    package var privateKeyID: String?
    package var key: SigningKey
    /// Where Google exchanges assertions for access tokens. It is also the audience of the assertion.
    package var tokenURI: String

    package static let googleTokenURI = "https://oauth2.googleapis.com/token"

    /// Reads the content of the file.
    package init(json text: String) throws(FCMServiceAccountError) {
        let document: JSON
        do {
            document = try JSON(parsing: text)
        } catch {
            throw FCMServiceAccountError(description: "The service account is \(error.description).")
        }
        guard document["type"]?.stringValue != "authorized_user" else {
            throw FCMServiceAccountError(
                description:
                    "This is the login of a person (type authorized_user); use the key file of a service account.")
        }
        func member(_ name: String) throws(FCMServiceAccountError) -> String {
            guard let value = document[name]?.stringValue.nonEmpty else {
                throw FCMServiceAccountError(
                    description:
                        "The service account has no \(name): use the JSON key file as downloaded from the console.")
            }
            return value
        }
        clientEmail = try member("client_email")
        projectID = document["project_id"]?.stringValue.nonEmpty
        privateKeyID = document["private_key_id"]?.stringValue.nonEmpty
        tokenURI = document["token_uri"]?.stringValue.nonEmpty ?? Self.googleTokenURI
        let pem = try member("private_key")
        do {
            key = try SigningKey(pem: pem, algorithm: .rs256)
        } catch {
            throw FCMServiceAccountError(description: "The service account's private_key cannot be used. \(error)")
        }
    }

    /// Where to exchange assertions, if that is safe.
    ///
    /// The address stands in a file that somebody hands around, and whoever sits there gets an assertion signed with the
    /// key. So it must be one of Google's, unless the configuration itself names another.
    ///
    /// - Parameters:
    ///   - override: The configuration's `token_endpoint`.
    ///   - endpoint: The configuration's `endpoint`, which is trusted for tokens too.
    package func tokenEndpoint(
        override: ProviderEndpoint?, endpoint: HTTPOrigin?
    ) throws(FCMServiceAccountError) -> ProviderEndpoint {
        if let override { return override }
        let address: ProviderEndpoint
        do {
            address = try ProviderEndpoint(tokenURI)
        } catch {
            throw FCMServiceAccountError(
                description: "The service account's token_uri cannot be used. \(error.description)")
        }
        let host = address.origin.host
        let isGoogle =
            address.origin.scheme == "https" && address.origin.port == 443
            && (host == "accounts.google.com" || host == "googleapis.com" || host.hasSuffix(".googleapis.com"))
        guard isGoogle || address.origin == endpoint else {
            throw FCMServiceAccountError(
                description:
                    "The service account's token_uri is at \(address.origin), which is not Google's. If that is "
                    + "meant, set token_endpoint in the configuration.")
        }
        return address
    }
}
