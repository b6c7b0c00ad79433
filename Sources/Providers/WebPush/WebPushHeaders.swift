import Crypto
import HTTPClient
import Push

/// The header fields of a Web Push message (RFC 8030 section 5), without the authorization.
enum WebPushHeaders {
    /// Push services want a TTL always; this is what they keep a message for at the most.
    static let defaultTimeToLive: Int64 = 2_419_200

    static func fields(for fields: PushNotification.Fields) throws(NotificationRejection) -> [HTTPHeader] {
        let timeToLive = try fields.timeToLiveSeconds() ?? defaultTimeToLive
        var headers = [
            HTTPHeader("ttl", String(timeToLive)), HTTPHeader("urgency", urgency(fields).rawValue),
            HTTPHeader("content-type", "application/octet-stream"), HTTPHeader("content-encoding", "aes128gcm"),
        ]
        if let collapseID = fields.collapseID.nonEmpty { headers.append(HTTPHeader("topic", topic(collapseID))) }
        return headers
    }

    private static func urgency(_ fields: PushNotification.Fields) -> WebPushOptions.Urgency {
        fields.web?.urgency ?? (fields.priority == .high ? .high : .normal)
    }

    /// At most 32 characters of the base64url alphabet. Apple decodes it as base64 and refuses a length that no
    /// encoding has. The app never sees a topic, so an id that does not fit is hashed.
    static func topic(_ collapseID: String) -> String {
        let bytes = collapseID.utf8
        let fits = bytes.count <= 32 && bytes.count % 4 != 1 && bytes.allSatisfy(isBase64URL)
        return fits ? collapseID : Base64URL.encode(Array(SHA256.digest(of: collapseID).prefix(24)))
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
