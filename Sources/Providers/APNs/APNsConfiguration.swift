package import Crypto
package import HTTPClient
package import Push

/// One app's access to APNs.
package struct APNsConfiguration: Sendable {
    /// The app whose registrations are served; `nil` is the default app.
    package var appID: String?
    /// The private key of the `.p8` file.
    package var key: SigningKey
    /// The ten characters that Apple gave the key.
    package var keyID: String
    /// The ten characters of the developer team.
    package var teamID: String
    /// The app's bundle id, which is the topic of its pushes.
    package var bundleID: String
    /// Sends every registration to this environment, whatever the registration says.
    package var forcedEnvironment: PushEnvironment?
    /// Where each environment is reached; Apple's hosts unless set.
    package var endpoints: [PushEnvironment: HTTPOrigin]

    /// Apple's own host for an environment.
    package static func appleEndpoint(_ environment: PushEnvironment) -> HTTPOrigin {
        let host = environment == .production ? "api.push.apple.com" : "api.sandbox.push.apple.com"
        return HTTPOrigin(scheme: "https", host: host, port: 443)
    }

    /// - Parameter endpoint: A server that stands in for both of Apple's hosts.
    package init(
        appID: String? = nil, key: SigningKey, keyID: String, teamID: String, bundleID: String,
        forcedEnvironment: PushEnvironment? = nil, endpoint: HTTPOrigin? = nil
    ) {
        self.appID = appID
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
        self.bundleID = bundleID
        self.forcedEnvironment = forcedEnvironment
        endpoints = endpoint.map { [.production: $0, .sandbox: $0] } ?? [:]
    }
}
