import Push

/// The reasons that APNs gives in the body of a refusal.
///
/// Source: “Handling notification responses from APNs” in Apple's documentation, and for the scoped-key reasons and
/// `ExpiredToken` what senders have reported since.
package enum APNsReasons {
    package static let all: [ProviderReason] = [
        // About the token.
        ProviderReason(
            "BadDeviceToken", [400], .invalidToken,
            "The token is malformed or belongs to the other environment. If most of a run says so, the "
                + "app sends its tokens for sandbox where production is meant, or the other way round."
        ),
        ProviderReason(
            "DeviceTokenNotForTopic", [400], .invalidToken,
            "The token belongs to another app. If most of a run says so, bundle_id (or "
                + "apple.topic_override) is wrong."),
        ProviderReason(
            "ExpiredToken", [400, 410], .tokenExpired, "The token is no longer in use; the app registers a new one."),
        ProviderReason(
            "Unregistered", [410], .tokenExpired,
            "The app was removed or no longer accepts pushes. The token is dead unless it was registered "
                + "again after the time Apple gives."
        ),
        ProviderReason(
            "MissingDeviceToken", [400], .error, "The registration has no token. Remove it or register it again."),
        ProviderReason(
            "BadPath", [404], .error, "The token has characters that do not belong into one. Register the device again."
        ),
        // About the message.
        ProviderReason(
            "BadCollapseId", [400], .messageRejected, "collapse_id is longer than 64 bytes. Shorten it."),
        ProviderReason(
            "BadExpirationDate", [400], .messageRejected,
            "The expiration is no date in UNIX seconds. Check time_to_live."
        ),
        ProviderReason("BadMessageId", [400], .messageRejected, "The apns-id is no lower-case UUID."),
        ProviderReason(
            "BadPriority", [400], .messageRejected,
            "The priority is none that APNs knows, or 10 for a background push."),
        ProviderReason(
            "DuplicateHeaders", [400], .messageRejected, "A header was sent twice. Please report this as a bug."),
        ProviderReason(
            "InvalidPushType", [400], .messageRejected,
            "apple.push_type_override does not fit the payload, or is none that APNs knows."),
        ProviderReason("PayloadEmpty", [400], .messageRejected, "The payload was empty."),
        ProviderReason(
            "PayloadTooLarge", [413], .messageRejected,
            "The payload is above Apple's limit of 4096 bytes (5120 for voip). Shorten title, message or "
                + "data."),
        // About the configuration.
        ProviderReason(
            "BadTopic", [400], .configurationError,
            "The topic is no bundle id. Check bundle_id and apple.topic_override."),
        ProviderReason(
            "MissingTopic", [400], .configurationError,
            "There was no topic and the certificate names several. Check bundle_id."),
        ProviderReason(
            "TopicDisallowed", [400], .configurationError,
            "The key's team may not send to this topic. Check bundle_id and team_id."),
        ProviderReason(
            "BadCertificate", [403], .configurationError, "The certificate is not accepted. Use a key instead."),
        ProviderReason(
            "BadCertificateEnvironment", [403], .configurationError,
            "The certificate belongs to the other environment. Use a key, or the other host."),
        ProviderReason(
            "Forbidden", [403], .configurationError,
            "Apple forbids this request. Check that the key is active and that the team's membership has "
                + "not lapsed."),
        ProviderReason(
            "InvalidProviderToken", [403], .configurationError,
            "Apple cannot verify the provider token. Check the machine's clock, then key_id, team_id, and "
                + "that the key was not revoked."
        ),
        ProviderReason(
            "MissingProviderToken", [403], .configurationError,
            "Apple got no provider token, or none that it understands. Check key_id and team_id."),
        ProviderReason(
            "ExpiredProviderToken", [403], .configurationError, retry: .onceWithNewCredential,
            "Apple says that the provider token is older than an hour. It is replaced once; if the new "
                + "one is refused too, the machine's clock is wrong."
        ),
        ProviderReason(
            "BadEnvironmentKeyIdInToken", [403], .configurationError,
            "The key is limited to the other environment. Use a key for this one."),
        ProviderReason(
            "UnrelatedKeyIdInToken", [403], .configurationError,
            "The key is limited to other topics or to the other environment. Use a key for this app."),
        ProviderReason(
            "MethodNotAllowed", [405], .configurationError,
            "The endpoint does not take pushes. Check endpoint; without one, please report this as a bug."),
        // About the moment.
        ProviderReason(
            "TooManyRequests", [429], .rateLimited, retry: .later,
            "This one device got too many pushes. Others are not affected."),
        ProviderReason(
            "TooManyProviderTokenUpdates", [429], .rateLimited, retry: .later,
            "The team's provider token was changed too often. The current one is kept; make sure that not "
                + "too many processes start anew at short intervals with keys of this team."
        ),
        ProviderReason(
            "IdleTimeout", [400], .unavailable, retry: .later, "Apple closed an idle connection; a new one is opened."),
        ProviderReason(
            "InternalServerError", [500], .unavailable, retry: .later, "Apple had a fault of its own. Try again later."),
        ProviderReason(
            "ServiceUnavailable", [503], .unavailable, retry: .later, "APNs is not available. Try again later."),
        ProviderReason(
            "Shutdown", [503], .unavailable, retry: .later, "Apple shuts this server down; a new connection is opened."),
    ]

    package static let table: [String: ProviderReason] = Dictionary(
        all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
