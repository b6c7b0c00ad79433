package import HTTPClient

/// One app's access to FCM.
package struct FCMConfiguration: Sendable {
    /// The app whose registrations are served; `nil` is the default app.
    package var appID: String?
    package var serviceAccount: FCMServiceAccount
    package var projectID: String
    package var origin: HTTPOrigin
    package var tokenEndpoint: ProviderEndpoint

    package static let googleOrigin = HTTPOrigin(scheme: "https", host: "fcm.googleapis.com", port: 443)

    /// - Parameters:
    ///   - projectID: Instead of the service account's own.
    ///   - endpoint: A server that stands in for Google's.
    ///   - tokenEndpoint: Where access tokens come from, instead of the service account's `token_uri`.
    package init(
        appID: String? = nil, serviceAccount: FCMServiceAccount, projectID: String? = nil, endpoint: HTTPOrigin? = nil,
        tokenEndpoint: ProviderEndpoint? = nil
    ) throws(FCMServiceAccountError) {
        guard let projectID = projectID.nonEmpty ?? serviceAccount.projectID else {
            throw FCMServiceAccountError(
                description: "The service account names no project: set project_id in the configuration.")
        }
        guard projectID.utf8.allSatisfy(Self.isProjectIDByte) else {
            throw FCMServiceAccountError(
                description: "“\(projectID)” is no project id: it has lower-case letters, digits and hyphens only.")
        }
        self.appID = appID
        self.serviceAccount = serviceAccount
        self.projectID = projectID
        origin = endpoint ?? Self.googleOrigin
        self.tokenEndpoint = try serviceAccount.tokenEndpoint(override: tokenEndpoint, endpoint: endpoint)
    }

    /// Letters, digits and hyphens, and the dot and colon of projects that belong to a domain.
    private static func isProjectIDByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}
