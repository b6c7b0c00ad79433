import FoundationEssentials
import JSON
import Push
import Schedules

/// Writes registrations in the formats that the decoder reads.
enum RegistrationEncoder {
    /// The members that are set, in the order of the columns.
    static func object(_ registration: Registration) -> JSONObject {
        var object = JSONObject()
        func set(_ column: RegistrationColumn, _ value: String?) {
            if let value { object[column.rawValue] = .string(value) }
        }
        set(.token, registration.token)
        set(.platform, registration.platform.rawValue)
        if registration.tokenKind != .device { set(.tokenKind, registration.tokenKind.rawValue) }
        set(.environment, registration.environment.rawValue)
        set(.appID, registration.appID)
        set(.user, registration.userID)
        set(.deviceID, registration.deviceID)
        object[RegistrationColumn.tags.rawValue] = .array(registration.tags.map { .string($0) })
        object[RegistrationColumn.topics.rawValue] = .array(registration.topics.map { .string($0) })
        set(.locale, registration.locale)
        set(.timeZone, registration.timeZone)
        set(.appVersion, registration.appVersion)
        if !registration.data.isEmpty {
            object[RegistrationColumn.data.rawValue] = JSON(PushValue.object(registration.data))
        }
        set(.registeredAt, Instant(registration.registeredAt).rfc3339())
        return object
    }

    static var csvHeading: String { csvRow(RegistrationColumn.names) }

    static func csv(_ registration: Registration) -> String {
        let object = object(registration)
        return csvRow(
            RegistrationColumn.allCases.map { column in
                guard let value = object[column.rawValue] else { return "" }
                switch value {
                case .string(let text): return text
                case .array(let words): return csvList(words.compactMap(\.stringValue))
                default: return value.serialized()
                }
            })
    }

    /// Words with semicolons between them, or a JSON array where a word holds something that would be taken for one.
    private static func csvList(_ words: [String]) -> String {
        let isPlain = words.allSatisfy { !$0.isEmpty && !$0.contains(where: { ";|,[ ".contains($0) }) }
        return isPlain ? words.joined(separator: ";") : JSON.array(words.map { .string($0) }).serialized()
    }
}
