/// How many bytes of a payload each field of the notification takes, to name the one to shorten.
struct FieldSizes {
    private var heaviest: (field: String, bytes: Int)?

    mutating func note(_ field: @autoclosure () -> String, _ bytes: Int) {
        if bytes > (heaviest?.bytes ?? 0) { heaviest = (field(), bytes) }
    }

    /// Refuses a payload above the limit. Nothing is ever cut.
    func require(_ bytes: Int, atMost limit: Int, _ provider: String) throws(NotificationRejection) {
        guard bytes > limit, let heaviest else { return }
        throw NotificationRejection(
            heaviest.field,
            "is the heaviest field, with \(heaviest.bytes) bytes, of a payload of \(bytes) bytes; "
                + "\(provider) takes at most \(limit), so shorten it by \(bytes - limit) or more")
    }
}
