internal import FoundationEssentials
internal import JSON
internal import Push

/// How a registration stands in its row.
enum RegistrationRow {
    /// The columns that `read` takes, in its order, of the table under the name `r`.
    static let columns = """
        r.id, r.route, r.token, r.sandbox, r.device_id, r.user_id, r.locale, r.time_zone, r.app_version, r.tags, \
        r.topics, r.data, r.registered_at
        """

    static func token(of row: Statement) -> String { row.text(2) }
    static func user(of row: Statement) -> String? { row.optionalText(5) }

    static func read(_ row: Statement, _ routes: RouteTable) throws(StorageError) -> Registration {
        let route = try routes.route(row.int(1))
        return Registration(
            id: RegistrationID(rawValue: row.int(0)),
            token: row.text(2),
            platform: route.platform,
            tokenKind: route.tokenKind,
            appID: route.appID,
            environment: row.int(3) == 0 ? .production : .sandbox,
            deviceID: row.optionalText(4),
            userID: row.optionalText(5),
            tags: row.withText(9) { StoredNames.decode($0) },
            topics: row.withText(10) { StoredNames.decode($0) },
            locale: row.optionalText(6),
            timeZone: row.optionalText(7),
            appVersion: row.optionalText(8),
            data: row.withText(11) { StoredData.decode($0) },
            registeredAt: Date(storedMilliseconds: row.int(12)))
    }

    /// The form in which language tags are compared: lower case, with `-`. Language tags are ASCII (RFC 5646, 2.1).
    static func localeKey(_ locale: String) -> String {
        String(
            decoding: locale.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "_"): UInt8(ascii: "-")
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
                default: byte
                }
            }, as: UTF8.self)
    }
}
