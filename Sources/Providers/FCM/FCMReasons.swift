import Push

/// The error codes of FCM's HTTP v1 interface.
///
/// Source: “ErrorCode” of the FCM v1 reference for those under `FcmError`, and the canonical Google API codes for what
/// comes without one.
package enum FCMReasons {
    package static let all: [ProviderReason] = [
        // About the token.
        ProviderReason(
            "UNREGISTERED", [404], .tokenExpired,
            "The app was removed or its token was replaced; the app registers a new one."),
        ProviderReason(
            "SENDER_ID_MISMATCH", [403], .invalidToken,
            "The token belongs to another FCM project. If most of a run says so, the service account or project_id "
                + "is that of another project."),
        // About the message. With proof that the token is at fault it is `invalid_token` instead.
        ProviderReason(
            "INVALID_ARGUMENT", [400], .messageRejected,
            "FCM does not accept a field of the message; its text says which. If it is the token that FCM calls "
                + "invalid, only that device is concerned."),
        // About the configuration.
        ProviderReason(
            "UNAUTHENTICATED", [401], .configurationError, retry: .onceWithNewCredential,
            "Google does not accept the access token. It is replaced once; if the new one is refused too, check that "
                + "the service account is enabled and that the machine's clock is right."),
        ProviderReason(
            "PERMISSION_DENIED", [403], .configurationError,
            "The service account may not send for this project, or the Firebase Cloud Messaging API is not enabled "
                + "in it. Check project_id and the account's roles."),
        ProviderReason(
            "NOT_FOUND", [404], .configurationError,
            "There is no such project, or the endpoint is not FCM's. Check project_id and endpoint. No token is given "
                + "up because of it."),
        ProviderReason(
            "THIRD_PARTY_AUTH_ERROR", [401], .configurationError,
            "The APNs key or the web push credential that is stored in the FCM project is missing or wrong. The "
                + "service account is not at fault. Check Cloud Messaging in the Firebase console."),
        ProviderReason(
            "APNS_AUTH_ERROR", [401], .configurationError,
            "The older name of THIRD_PARTY_AUTH_ERROR: the APNs key that is stored in the FCM project is missing or "
                + "wrong."),
        // About the moment.
        ProviderReason(
            "QUOTA_EXCEEDED", [429], .rateLimited, retry: .later,
            "The project, or this one device, got more messages than its quota. Send more slowly, or ask Google for "
                + "more."),
        ProviderReason(
            "RESOURCE_EXHAUSTED", [429], .rateLimited, retry: .later, "The same as QUOTA_EXCEEDED, without its detail."),
        ProviderReason(
            "INTERNAL", [500], .unavailable, retry: .later, "Google had a fault of its own. Try again later."),
        ProviderReason(
            "UNAVAILABLE", [503], .unavailable, retry: .later,
            "FCM is overloaded. Try again after the time that it gives."),
    ]

    package static let table: [String: ProviderReason] = Dictionary(
        all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
