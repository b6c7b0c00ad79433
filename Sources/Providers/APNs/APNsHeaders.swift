import FoundationEssentials
import HTTPClient
import Push

/// The header fields that all devices of a notification share, without the authorization.
enum APNsHeaders {
    static func pushType(_ fields: PushNotification.Fields) throws(NotificationRejection) -> APNsPushType {
        guard let override = fields.apple?.pushTypeOverride.nonEmpty else {
            return APNsPayload.isSilent(fields) ? .background : .alert
        }
        guard let type = APNsPushType(rawValue: override) else {
            let known = APNsPushType.allCases.map(\.rawValue).joined(separator: ", ")
            throw NotificationRejection("apple.push_type_override", "is “\(override)”, but must be one of \(known)")
        }
        guard type != .liveactivity else {
            throw NotificationRejection(
                "apple.push_type_override", "is “liveactivity”, but live activities are not available in this version")
        }
        return type
    }

    /// - Parameter now: What the time to live counts from, since APNs wants an absolute time.
    static func fields(
        for fields: PushNotification.Fields, type: APNsPushType, bundleID: String, now: Date
    ) throws(NotificationRejection) -> [HTTPHeader] {
        var headers = [
            HTTPHeader("apns-topic", try topic(fields, type, bundleID)),
            HTTPHeader("apns-push-type", type.rawValue),
            HTTPHeader("apns-priority", priority(fields, type)),
        ]
        if let expiration = try expiration(fields, now) { headers.append(HTTPHeader("apns-expiration", expiration)) }
        if let collapseID = try collapseID(fields) { headers.append(HTTPHeader("apns-collapse-id", collapseID)) }
        headers.append(HTTPHeader("content-type", "application/json"))
        return headers
    }

    private static func topic(
        _ fields: PushNotification.Fields, _ type: APNsPushType, _ bundleID: String
    ) throws(NotificationRejection) -> String {
        if let override = fields.apple?.topicOverride.nonEmpty {
            try requireFieldValue(override, "apple.topic_override")
            return override
        }
        guard let suffix = type.topicSuffix else {
            throw NotificationRejection(
                "apple.topic_override", "is missing: the topic of a push of type \(type.rawValue) is no bundle id")
        }
        return bundleID + suffix
    }

    /// Apple refuses 10 for a background push, so such a push is always sent with 5.
    private static func priority(_ fields: PushNotification.Fields, _ type: APNsPushType) -> String {
        type == .background || APNsPayload.isSilent(fields) || fields.priority == .normal ? "5" : "10"
    }

    /// UNIX seconds; 0 means that Apple tries once and stores nothing.
    private static func expiration(
        _ fields: PushNotification.Fields, _ now: Date
    ) throws(NotificationRejection) -> String? {
        guard let timeToLive = try fields.timeToLiveSeconds() else { return nil }
        guard timeToLive > 0 else { return "0" }
        let (expiration, overflow) = Int64(now.timeIntervalSince1970).addingReportingOverflow(timeToLive)
        return String(overflow ? .max : expiration)
    }

    /// The limit counts bytes. A longer id is refused instead of hashed, because the app sees it as the identifier of
    /// the notification and may look for it.
    private static func collapseID(_ fields: PushNotification.Fields) throws(NotificationRejection) -> String? {
        guard let collapseID = fields.collapseID.nonEmpty else { return nil }
        let bytes = collapseID.utf8.count
        guard bytes <= 64 else {
            throw NotificationRejection("collapse_id", "is \(bytes) bytes long; APNs takes at most 64, so shorten it")
        }
        try requireFieldValue(collapseID, "collapse_id")
        return collapseID
    }

    /// What RFC 9113 section 8.2.1 asks of a field value.
    private static func requireFieldValue(_ value: String, _ field: String) throws(NotificationRejection) {
        let hasControls = value.utf8.contains { $0 < 0x20 || $0 == 0x7F }
        guard !hasControls, value.utf8.first != 0x20, value.utf8.last != 0x20 else {
            throw NotificationRejection(
                field, "has control characters or line breaks, or a space at its start or end, which no header may have"
            )
        }
    }
}
