import CommandLineKit
import FoundationEssentials
import JSON
import Push
import Schedules
import Spelling

/// Why a record is no device, as a sentence without a full stop.
struct RecordError: Error, Equatable, CustomStringConvertible {
    var problem: String

    init(_ problem: String) { self.problem = problem }

    var description: String { problem }
}

/// Makes registrations of JSON objects.
struct RegistrationDecoder {
    /// When devices count as registered that do not say it themselves.
    var now: Date
    /// Whether members that are not known are left out instead of being an error.
    var ignoresUnknown = false

    func registration(from object: JSONObject) throws(RecordError) -> Registration {
        try checkNames(object)
        let fields = RecordFields(object: object)
        guard let token = try fields.text(.token) else { throw RecordError("'token' is missing") }
        guard !token.isEmpty else { throw RecordError("'token' is empty") }
        guard let platform = try fields.text(.platform) else { throw RecordError("'platform' is missing") }
        return Registration(
            token: token,
            platform: try Self.platform(platform),
            tokenKind: try fields.choice(.tokenKind) ?? .device,
            appID: try fields.text(.appID),
            environment: try fields.choice(.environment) ?? .production,
            deviceID: try fields.nonemptyText(.deviceID),
            userID: try fields.nonemptyText(.user),
            tags: try fields.words(.tags),
            topics: try fields.words(.topics),
            locale: try fields.nonemptyText(.locale),
            timeZone: try fields.nonemptyText(.timeZone),
            appVersion: try fields.nonemptyText(.appVersion),
            data: try fields.data(),
            registeredAt: try fields.instant(.registeredAt) ?? now)
    }

    private func checkNames(_ object: JSONObject) throws(RecordError) {
        guard !ignoresUnknown else { return }
        for name in object.keys where RegistrationColumn(rawValue: name) == nil {
            throw unknownColumn(name)
        }
    }

    private static func platform(_ name: String) throws(RecordError) -> Platform {
        guard let platform = Platform(named: name) else {
            throw RecordError("'platform' cannot be '\(name)': expected \(listed(Platform.allCases.map(\.rawValue)))")
        }
        return platform
    }
}

/// The error for a member or column that no device has.
func unknownColumn(_ name: String) -> RecordError {
    let suggestion = nearestName(to: name, among: RegistrationColumn.names).map { "; did you mean '\($0)'?" } ?? ""
    return RecordError("'\(name)' is not known\(suggestion)")
}

/// Typed access to the members of one record. `null` is the same as absent.
private struct RecordFields {
    let object: JSONObject

    func text(_ column: RegistrationColumn) throws(RecordError) -> String? {
        switch object[column.rawValue] {
        case nil, .null: return nil
        case .string(let text): return text
        case let other?: throw RecordError("'\(column.rawValue)' must be a string, not \(other.kindDescription)")
        }
    }

    func nonemptyText(_ column: RegistrationColumn) throws(RecordError) -> String? {
        let text = try text(column)
        return text == "" ? nil : text
    }

    func choice<Value: CaseIterable & RawRepresentable>(
        _ column: RegistrationColumn
    ) throws(RecordError) -> Value? where Value.RawValue == String {
        guard let text = try nonemptyText(column) else { return nil }
        guard let value = Value(rawValue: text) else {
            let names = listed(Value.allCases.map(\.rawValue))
            throw RecordError("'\(column.rawValue)' cannot be '\(text)': expected \(names)")
        }
        return value
    }

    func words(_ column: RegistrationColumn) throws(RecordError) -> [String] {
        switch object[column.rawValue] {
        case nil, .null: return []
        case .array(let elements):
            var words: [String] = []
            for element in elements {
                guard let word = element.stringValue else {
                    throw RecordError(
                        "'\(column.rawValue)' must be a list of strings, but holds \(element.kindDescription)")
                }
                if !words.contains(word) { words.append(word) }
            }
            return words
        case let other?:
            throw RecordError("'\(column.rawValue)' must be a list of strings, not \(other.kindDescription)")
        }
    }

    func data() throws(RecordError) -> [String: PushValue] {
        switch object[RegistrationColumn.data.rawValue] {
        case nil, .null: return [:]
        case .object(let object):
            return object.reduce(into: [:]) { $0[$1.key] = PushValue($1.value) }
        case let other?: throw RecordError("'data' must be an object, not \(other.kindDescription)")
        }
    }

    func instant(_ column: RegistrationColumn) throws(RecordError) -> Date? {
        guard let text = try nonemptyText(column) else { return nil }
        do throws(TextError) {
            return Date(timeIntervalSince1970: Double(try Instant(rfc3339: text).secondsSinceEpoch))
        } catch {
            throw RecordError("'\(column.rawValue)' cannot be '\(text)': \(error.problem); \(error.remedy)")
        }
    }
}
