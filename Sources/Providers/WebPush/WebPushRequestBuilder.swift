import FoundationEssentials
import HTTPClient
import Push

/// What all browsers of one notification share.
struct WebPushMessage: Sendable {
    /// Without the authorization.
    let headers: [HTTPHeader]
    /// Before encryption, which is done for each browser.
    let plaintext: [UInt8]
}

/// Turns messages into Web Push requests whose body is not encrypted yet.
struct WebPushRequestBuilder: ProviderRequestBuilder {
    func shared(for notification: PushNotification, now: Date) throws(NotificationRejection) -> WebPushMessage {
        let fields = notification.fields
        return WebPushMessage(
            headers: try WebPushHeaders.fields(for: fields), plaintext: try WebPushPayload.plaintext(for: fields))
    }

    func request(_ shared: WebPushMessage, for message: PushMessage) throws(NotificationRejection) -> ProviderRequest {
        let endpoint = try DeviceURL(message.registration.token)
        return ProviderRequest(
            origin: endpoint.origin, path: endpoint.path,
            headers: [HTTPHeader("authorization", ProviderRequest.redacted)] + shared.headers, body: shared.plaintext)
    }
}
