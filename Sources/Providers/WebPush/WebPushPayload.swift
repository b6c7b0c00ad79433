import JSON
import Push

/// The JSON that a service worker gets, before it is encrypted.
enum WebPushPayload {
    /// What fits into the 4096 bytes of body that every push service must take (RFC 8030 section 7.2), less the 103
    /// bytes of the aes128gcm header, delimiter and tag (RFC 8188).
    static let limit = 3993

    static func plaintext(for fields: PushNotification.Fields) throws(NotificationRejection) -> [UInt8] {
        var writer = JSONWriter()
        var sizes = FieldSizes()
        func text(_ key: String, _ value: String?, _ field: String) {
            guard let value = value.nonEmpty else { return }
            let start = writer.bytes.count
            writer.key(key)
            writer.string(value)
            sizes.note(field, writer.bytes.count - start)
        }
        writer.beginObject()
        text("title", fields.title, "title")
        text("body", fields.message, "message")
        text("deeplink", fields.deepLink, "deep_link")
        text("icon", fields.web?.icon, "web.icon")
        if !fields.data.isEmpty {
            writer.key("data")
            writer.beginObject()
            for (key, value) in fields.data.sorted(by: { $0.key < $1.key }) {
                let start = writer.bytes.count
                writer.key(key)
                writer.string(value)
                sizes.note("data.\(key)", writer.bytes.count - start)
            }
            writer.endObject()
        }
        writer.endObject()
        try sizes.require(writer.bytes.count, atMost: limit, "Web Push")
        return writer.bytes
    }
}
