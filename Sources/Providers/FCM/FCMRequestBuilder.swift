import FoundationEssentials
import HTTPClient
import JSON
import Push

/// Turns messages into FCM requests.
struct FCMRequestBuilder: ProviderRequestBuilder {
    let path: String
    let origin: HTTPOrigin

    static let contentType = HTTPHeader("content-type", "application/json")
    static let missingToken = NotificationRejection("token", "is empty; nothing was sent")

    init(projectID: String, origin: HTTPOrigin) {
        path = "/v1/projects/\(projectID)/messages:send"
        self.origin = origin
    }

    func shared(for notification: PushNotification, now: Date) throws(NotificationRejection) -> FCMPayload {
        try FCMPayload(notification.fields)
    }

    func request(_ shared: FCMPayload, for message: PushMessage) throws(NotificationRejection) -> ProviderRequest {
        guard !message.registration.token.isEmpty else { throw Self.missingToken }
        var writer = JSONWriter()
        return ProviderRequest(
            origin: origin.description, path: path,
            headers: [HTTPHeader("authorization", ProviderRequest.redacted), Self.contentType],
            body: shared.body(token: message.registration.token, using: &writer))
    }
}
