import Crypto
import FoundationEssentials
import HTTPClient
import Push

/// What all Windows devices of one notification share.
struct WNSMessage: Sendable {
    /// Without the authorization.
    let headers: [HTTPHeader]
    let body: [UInt8]
}

/// Turns messages into WNS requests.
struct WNSRequestBuilder: ProviderRequestBuilder {
    func shared(for notification: PushNotification, now: Date) throws(NotificationRejection) -> WNSMessage {
        let fields = notification.fields
        let kind = fields.windows?.kind ?? .toast
        var headers = [
            HTTPHeader("x-wns-type", "wns/\(kind.rawValue)"),
            HTTPHeader("content-type", kind == .raw ? "application/octet-stream" : "text/xml"),
            HTTPHeader("x-wns-requestforstatus", "true"),
            HTTPHeader("x-wns-priority", fields.priority == .high ? "1" : "3"),
        ]
        if let timeToLive = try fields.timeToLiveSeconds() {
            headers.append(HTTPHeader("x-wns-ttl", String(timeToLive)))
            // With caching on, which is the default, WNS refuses a time to live of zero.
            headers.append(HTTPHeader("x-wns-cache-policy", timeToLive == 0 ? "no-cache" : "cache"))
        }
        if kind == .toast, let collapseID = fields.collapseID.nonEmpty {
            headers.append(HTTPHeader("x-wns-tag", Self.tag(collapseID)))
        }
        return WNSMessage(headers: headers, body: try WNSPayload.body(for: fields))
    }

    func request(_ shared: WNSMessage, for message: PushMessage) throws(NotificationRejection) -> ProviderRequest {
        let channel = try DeviceURL(message.registration.token)
        return ProviderRequest(
            origin: channel.origin, path: channel.path,
            headers: [HTTPHeader("authorization", ProviderRequest.redacted)] + shared.headers, body: shared.body)
    }

    /// At most 16 letters and digits, so an id that does not fit is hashed.
    private static func tag(_ collapseID: String) -> String {
        let fits = collapseID.utf8.count <= 16 && collapseID.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        if fits { return collapseID }
        let digits = Array("0123456789abcdef")
        return String(
            SHA256.digest(of: collapseID).prefix(8).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] })
    }
}
