import FoundationEssentials
import HTTPClient
import Push

/// What all devices of one notification share: built once a page, whatever the number of devices.
struct APNsMessage: Sendable {
    /// Without the authorization.
    let headers: [HTTPHeader]
    let body: [UInt8]
}

/// Turns messages into APNs requests.
struct APNsRequestBuilder: ProviderRequestBuilder {
    var bundleID: String
    var forcedEnvironment: PushEnvironment?
    var endpoints: [PushEnvironment: HTTPOrigin]

    private static let unusableToken = NotificationRejection(
        "token", "is empty or has characters that no APNs token has; nothing was sent and the registration is kept")
    private static let unservedTokenKind = NotificationRejection(
        "token", "is one for live activities, which are not available in this version")

    func shared(for notification: PushNotification, now: Date) throws(NotificationRejection) -> APNsMessage {
        let fields = notification.fields
        let type = try APNsHeaders.pushType(fields)
        return APNsMessage(
            headers: try APNsHeaders.fields(for: fields, type: type, bundleID: bundleID, now: now),
            body: try APNsPayload.body(for: fields, limit: type.payloadLimit))
    }

    func request(_ shared: APNsMessage, for message: PushMessage) throws(NotificationRejection) -> ProviderRequest {
        ProviderRequest(
            origin: origin(for: message.registration).description, path: try path(for: message.registration),
            headers: [HTTPHeader("authorization", ProviderRequest.redacted)] + shared.headers
                + [Self.messageIDHeader(message.messageID)],
            body: shared.body)
    }

    func path(for registration: Registration) throws(NotificationRejection) -> String {
        guard registration.tokenKind == .device else { throw Self.unservedTokenKind }
        guard let token = APNsDeviceToken(registration.token) else { throw Self.unusableToken }
        return "/3/device/\(token.text)"
    }

    func origin(for registration: Registration) -> HTTPOrigin {
        let environment = forcedEnvironment ?? registration.environment
        return endpoints[environment] ?? APNsConfiguration.appleEndpoint(environment)
    }

    static func messageIDHeader(_ messageID: String) -> HTTPHeader { HTTPHeader("apns-id", messageID) }
}
