import JSON
import Push

/// The body of a Windows notification.
enum WNSPayload {
    /// Microsoft's limit for every kind.
    static let limit = 5000

    static func body(for fields: PushNotification.Fields) throws(NotificationRejection) -> [UInt8] {
        let options = fields.windows ?? WindowsPushOptions()
        if let payload = options.payload.nonEmpty {
            var sizes = FieldSizes()
            sizes.note("windows.payload", payload.utf8.count)
            try sizes.require(payload.utf8.count, atMost: limit, "WNS")
            return Array(payload.utf8)
        }
        switch options.kind {
        case .toast: return try toast(fields, launch: options.launch.nonEmpty ?? fields.deepLink.nonEmpty)
        case .raw: return try raw(fields)
        case .badge: return Array("<badge value=\"\(max(0, fields.badge ?? 0))\"/>".utf8)
        case .tile:
            throw NotificationRejection(
                "windows.payload", "is missing: a tile has no form that title and message could fill")
        }
    }

    private static func toast(
        _ fields: PushNotification.Fields, launch: String?
    ) throws(NotificationRejection) -> [UInt8] {
        var sizes = FieldSizes()
        var xml = "<toast"
        if let launch {
            let attribute = " launch=\"\(try XMLText.attribute(launch, field: "windows.launch"))\""
            sizes.note("windows.launch", attribute.utf8.count)
            xml += attribute
        }
        xml += "><visual><binding template=\"ToastGeneric\">"
        for (field, text) in [("title", fields.title), ("message", fields.message)] {
            guard let text = text.nonEmpty else { continue }
            let element = "<text>\(try XMLText.content(text, field: field))</text>"
            sizes.note(field, element.utf8.count)
            xml += element
        }
        xml += "</binding></visual>"
        if let sound = fields.sound, ["", "none", "silent"].contains(sound) { xml += "<audio silent=\"true\"/>" }
        xml += "</toast>"
        try sizes.require(xml.utf8.count, atMost: limit, "WNS")
        return Array(xml.utf8)
    }

    /// JSON for the app itself, with the data beside title, message and deep link.
    private static func raw(_ fields: PushNotification.Fields) throws(NotificationRejection) -> [UInt8] {
        var writer = JSONWriter()
        var sizes = FieldSizes()
        writer.beginObject()
        let own = [("title", fields.title, "title"), ("message", fields.message, "message")]
        for (key, value, field) in own {
            guard let value = value.nonEmpty else { continue }
            if fields.data[key] != nil {
                throw NotificationRejection("data.\(key)", "cannot be used beside a \(key); choose another name")
            }
            member(key, value, field, &writer, &sizes)
        }
        for (key, value) in fields.data.sorted(by: { $0.key < $1.key }) {
            member(key, value, "data.\(key)", &writer, &sizes)
        }
        if fields.data["deeplink"] == nil, let deepLink = fields.deepLink.nonEmpty {
            member("deeplink", deepLink, "deep_link", &writer, &sizes)
        }
        writer.endObject()
        try sizes.require(writer.bytes.count, atMost: limit, "WNS")
        return writer.bytes
    }

    private static func member(
        _ key: String, _ value: String, _ field: String, _ writer: inout JSONWriter, _ sizes: inout FieldSizes
    ) {
        let start = writer.bytes.count
        writer.key(key)
        writer.string(value)
        sizes.note(field, writer.bytes.count - start)
    }
}

/// Text inside XML 1.0.
enum XMLText {
    static func content(_ text: String, field: String) throws(NotificationRejection) -> String {
        try escaped(text, field: field, isAttribute: false)
    }

    static func attribute(_ text: String, field: String) throws(NotificationRejection) -> String {
        try escaped(text, field: field, isAttribute: true)
    }

    private static func escaped(
        _ text: String, field: String, isAttribute: Bool
    ) throws(NotificationRejection) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            // An XML reader turns these into spaces inside an attribute unless they are written as references.
            case "\t", "\n", "\r":
                if isAttribute {
                    result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
                } else {
                    result.append(scalar)
                }
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                throw NotificationRejection(field, "has control characters, which no XML text may have")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
