import JSON
import Push

/// The JSON body of a push.
enum APNsPayload {
    /// A push that wakes the app and shows nothing: its `aps` holds `content-available` alone, whatever else is set.
    static func isSilent(_ fields: PushNotification.Fields) -> Bool {
        fields.apple?.contentAvailable == true && fields.title.nonEmpty == nil && fields.message.nonEmpty == nil
    }

    /// Builds the body and refuses one that APNs would.
    ///
    /// - Parameter limit: The bytes that the body may have.
    static func body(for fields: PushNotification.Fields, limit: Int) throws(NotificationRejection) -> [UInt8] {
        try check(fields)
        var payload = Payload()
        payload.writer.beginObject()
        payload.writer.key("aps")
        payload.writer.beginObject()
        if isSilent(fields) {
            payload.number("content-available", 1, "apple.content_available")
        } else {
            payload.writeVisible(fields)
        }
        payload.writer.endObject()
        payload.writeData(fields)
        payload.writer.endObject()
        try payload.sizes.require(payload.writer.bytes.count, atMost: limit, "APNs")
        return payload.writer.bytes
    }

    private static func check(_ fields: PushNotification.Fields) throws(NotificationRejection) {
        if fields.data["aps"] != nil {
            throw NotificationRejection("data.aps", "cannot be used: aps is Apple's own key; choose another name")
        }
        if let badge = fields.badge, badge < 0 {
            throw NotificationRejection("badge", "is \(badge), but must be 0 (which clears it) or more")
        }
        if let score = fields.apple?.relevanceScore, !(0...1).contains(score) {
            throw NotificationRejection("apple.relevance_score", "is \(score), but must be from 0 to 1")
        }
    }

    /// A writer that keeps account of what each field takes.
    private struct Payload {
        var writer = JSONWriter()
        var sizes = FieldSizes()

        mutating func writeVisible(_ fields: PushNotification.Fields) {
            let apple = fields.apple ?? ApplePushOptions()
            let alert = [
                ("title", fields.title, "title"), ("subtitle", apple.subtitle, "apple.subtitle"),
                ("body", fields.message, "message"),
            ]
            // An empty alert would show an empty banner on some systems.
            if alert.contains(where: { $0.1.nonEmpty != nil }) {
                writer.key("alert")
                writer.beginObject()
                for (key, value, field) in alert { text(key, value, field) }
                writer.endObject()
            }
            if let badge = fields.badge { number("badge", badge, "badge") }
            // A dictionary here would make it a critical alert, so a named sound stays a string.
            text("sound", fields.sound, "sound")
            if apple.contentAvailable { number("content-available", 1, "apple.content_available") }
            if apple.mutableContent { number("mutable-content", 1, "apple.mutable_content") }
            text("category", apple.category, "apple.category")
            text("thread-id", apple.threadID, "apple.thread_id")
            text("interruption-level", apple.interruptionLevel?.rawValue, "apple.interruption_level")
            if let score = apple.relevanceScore {
                writer.key("relevance-score")
                writer.double(score)
            }
            text("target-content-id", apple.targetContentID, "apple.target_content_id")
        }

        /// Custom keys stand beside `aps`, always as strings; the order is fixed so that equal input gives equal bytes.
        mutating func writeData(_ fields: PushNotification.Fields) {
            for (key, value) in fields.data.sorted(by: { $0.key < $1.key }) {
                let start = writer.bytes.count
                writer.key(key)
                writer.string(value)
                sizes.note("data.\(key)", writer.bytes.count - start)
            }
            if fields.data["deeplink"] == nil { text("deeplink", fields.deepLink, "deep_link") }
        }

        mutating func text(_ key: String, _ value: String?, _ field: String) {
            guard let value = value.nonEmpty else { return }
            let start = writer.bytes.count
            writer.key(key)
            writer.string(value)
            sizes.note(field, writer.bytes.count - start)
        }

        mutating func number(_ key: String, _ value: Int, _ field: String) {
            writer.key(key)
            writer.int(value)
        }
    }
}
