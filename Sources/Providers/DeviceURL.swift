/// A URL that a device registered as its token: a Web Push endpoint or a WNS channel.
///
/// It comes from outside, so nothing but https is taken, and nothing that hides where it leads.
struct DeviceURL {
    private static let maximumLength = 2048

    /// `https://host`, with a port that is not 443.
    let origin: String
    /// Path and query.
    let path: String

    init(_ text: String) throws(NotificationRejection) {
        func refuse(_ problem: String) -> NotificationRejection { NotificationRejection("token", problem) }
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw refuse("is no URL: it is too long, or has characters that do not belong into one")
        }
        guard text.hasPrefix("https://") else { throw refuse("is no https URL") }
        let rest = text.dropFirst("https://".count)
        let authority = rest.prefix { !"/?#\\".contains($0) }
        let target = rest.dropFirst(authority.count)
        guard !authority.isEmpty, !authority.contains("@") else {
            throw refuse("is no URL of a push service: it has no host, or a user name")
        }
        guard !target.contains("#"), !target.contains("\\") else {
            throw refuse("is no URL of a push service: it has a fragment or a backslash")
        }
        origin = "https://" + authority.lowercased()
        path = target.hasPrefix("/") ? String(target) : "/" + target
    }
}
