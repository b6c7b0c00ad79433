import JSON
import Push

/// The JSON body of a message, in two parts between which the device's token goes.
struct FCMPayload: Sendable {
    /// FCM's limit for the keys and values of a message to a token.
    static let limit = 4096
    /// FCM keeps a message for four weeks at the most.
    static let longestTimeToLive: Int64 = 2_419_200

    private static let head = Array(#"{"message":{"token":"#.utf8)
    private let tail: [UInt8]

    init(_ fields: PushNotification.Fields) throws(NotificationRejection) {
        try Self.check(fields)
        var content = Content()
        content.writer.beginObject()
        content.writeNotification(fields)
        content.writeData(fields)
        try content.writeAndroid(fields)
        content.writer.endObject()
        try content.sizes.require(content.size, atMost: Self.limit, "FCM")
        // The members follow the token, so the object's own opening brace becomes the comma between them.
        tail = [UInt8(ascii: ",")] + content.writer.bytes.dropFirst() + [UInt8(ascii: "}")]
    }

    /// The body for one device.
    ///
    /// - Parameter writer: Reused from device to device; what it held is lost.
    func body(token: String, using writer: inout JSONWriter) -> [UInt8] {
        writer.removeAll()
        writer.string(token)
        var body = [UInt8]()
        body.reserveCapacity(Self.head.count + writer.bytes.count + tail.count)
        body.append(contentsOf: Self.head)
        body.append(contentsOf: writer.bytes)
        body.append(contentsOf: tail)
        return body
    }

    private static func check(_ fields: PushNotification.Fields) throws(NotificationRejection) {
        for key in fields.data.keys.sorted() where isReserved(key) {
            throw NotificationRejection(
                "data.\(key)", "cannot be used: FCM keeps this key for itself; choose another name")
        }
        if let badge = fields.badge, badge < 0 {
            throw NotificationRejection("badge", "is \(badge), but must be 0 or more")
        }
        if let color = fields.android?.color.nonEmpty, !isColor(color) {
            throw NotificationRejection("android.color", "is “\(color)”, but must be written as #rrggbb")
        }
    }

    /// “The key should not be a reserved word” of the v1 reference; `collapse_key` is overwritten by FCM.
    private static func isReserved(_ key: String) -> Bool {
        ["from", "message_type", "collapse_key"].contains(key) || key.hasPrefix("google") || key.hasPrefix("gcm")
    }

    private static func isColor(_ text: String) -> Bool {
        text.utf8.count == 7 && text.hasPrefix("#") && text.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// A writer that counts the keys and values that FCM counts.
    private struct Content {
        var writer = JSONWriter()
        var sizes = FieldSizes()
        private(set) var size = 0

        mutating func writeNotification(_ fields: PushNotification.Fields) {
            guard Self.isVisible(fields) else { return }
            writer.key("notification")
            writer.beginObject()
            text("title", fields.title, "title")
            text("body", fields.message, "message")
            writer.endObject()
        }

        /// All values are strings. The deep link goes here, since `click_action` names an intent and takes no URL.
        mutating func writeData(_ fields: PushNotification.Fields) {
            let deepLink = fields.data["deeplink"] == nil ? fields.deepLink.nonEmpty : nil
            guard !fields.data.isEmpty || deepLink != nil else { return }
            writer.key("data")
            writer.beginObject()
            for (key, value) in fields.data.sorted(by: { $0.key < $1.key }) { member(key, value, "data.\(key)") }
            if let deepLink { member("deeplink", deepLink, "deep_link") }
            writer.endObject()
        }

        mutating func writeAndroid(_ fields: PushNotification.Fields) throws(NotificationRejection) {
            writer.key("android")
            writer.beginObject()
            writer.key("priority")
            writer.string(fields.priority == .high ? "HIGH" : "NORMAL")
            if let seconds = try fields.timeToLiveSeconds() {
                guard seconds <= FCMPayload.longestTimeToLive else {
                    throw NotificationRejection(
                        "time_to_live", "is longer than the four weeks that FCM keeps a message")
                }
                writer.key("ttl")
                writer.string("\(seconds)s")
            }
            text("collapse_key", fields.collapseID, "collapse_id")
            writeAndroidNotification(fields)
            writer.endObject()
        }

        /// Only beside a text: without one it would turn a data message into an empty notification.
        private mutating func writeAndroidNotification(_ fields: PushNotification.Fields) {
            let android = fields.android ?? AndroidPushOptions()
            let badge = fields.badge.flatMap { $0 > 0 ? $0 : nil }
            let texts = [
                ("channel_id", android.channelID, "android.channel_id"), ("icon", android.icon, "android.icon"),
                ("color", android.color, "android.color"), ("image", android.imageURL, "android.image_url"),
                ("tag", android.tag, "android.tag"), ("sound", fields.sound, "sound"),
            ]
            guard Self.isVisible(fields), badge != nil || texts.contains(where: { $0.1.nonEmpty != nil }) else {
                return
            }
            writer.key("notification")
            writer.beginObject()
            for (key, value, field) in texts { text(key, value, field) }
            if let badge {
                writer.key("notification_count")
                writer.int(badge)
            }
            writer.endObject()
        }

        private static func isVisible(_ fields: PushNotification.Fields) -> Bool {
            fields.title.nonEmpty != nil || fields.message.nonEmpty != nil
        }

        private mutating func text(_ key: String, _ value: String?, _ field: String) {
            if let value = value.nonEmpty { member(key, value, field) }
        }

        private mutating func member(_ key: String, _ value: String, _ field: String) {
            writer.key(key)
            writer.string(value)
            let bytes = key.utf8.count + value.utf8.count
            size += bytes
            sizes.note(field, bytes)
        }
    }
}
