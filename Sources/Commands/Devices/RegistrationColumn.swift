/// The members of a device in JSON lines, which are the columns of a CSV file too.
enum RegistrationColumn: String, CaseIterable {
    case token
    case platform
    case tokenKind = "token_kind"
    case environment
    case appID = "app_id"
    case user
    case deviceID = "device_id"
    case tags
    case topics
    case locale
    case timeZone = "timezone"
    case appVersion = "app_version"
    case data
    case registeredAt = "registered_at"

    static let names = allCases.map(\.rawValue)

    /// Whether it holds a list of words.
    var isList: Bool { self == .tags || self == .topics }
}
