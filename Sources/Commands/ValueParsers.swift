import CommandLineKit
import JSON
import Push
import Schedules

extension ValueParser where Value == Instant {
    /// RFC 3339, or a date with or without a time of day, which is then meant in UTC.
    static let instant = ValueParser(placeholder: "INSTANT") { word throws(InvalidValue) in
        do throws(TextError) {
            switch try DateTimeText(parsing: word) {
            case .instant(let instant): return instant
            case .local(let local):
                return TimeZoneRules.utc.startOfDay(local.date).advanced(bySeconds: Int64(local.secondOfDay))
            case .date(let date): return TimeZoneRules.utc.startOfDay(date)
            }
        } catch {
            throw InvalidValue("write it like 2026-12-07T09:00:00+01:00")
        }
    }
}

extension ValueParser where Value == Platform {
    /// A platform name, whatever its case.
    static let platform = ValueParser(
        placeholder: "PLATFORM", completion: .choices(Platform.allCases.map(\.rawValue))
    ) { word throws(InvalidValue) in
        guard let platform = Platform(named: word) else {
            throw InvalidValue("expected \(listed(Platform.allCases.map(\.rawValue)))")
        }
        return platform
    }
}

extension ValueParser where Value == String {
    /// The name of a time zone that this machine knows.
    static let timeZone = ValueParser(placeholder: "ZONE") { word throws(InvalidValue) in
        do throws(TimeZoneError) {
            return try TimeZoneDatabase.system.rules(named: word).name
        } catch {
            throw InvalidValue("\(error.problem); \(error.remedy)")
        }
    }
}

/// `key=value`, as `--data` takes it.
struct KeyValue: Sendable, Hashable {
    var key: String
    var value: String

    /// The value as JSON where it can be read as such, and as a string otherwise.
    var json: JSON { (try? JSON(parsing: value)) ?? .string(value) }
}

extension ValueParser where Value == KeyValue {
    static let keyValue = ValueParser(placeholder: "KEY=VALUE") { word throws(InvalidValue) in
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let key = parts.first, !key.isEmpty else {
            throw InvalidValue("write it like KEY=VALUE")
        }
        return KeyValue(key: String(key), value: String(parts[1]))
    }
}

extension ValueParser where Value == TimeSpan {
    /// `90s`, `5m`, `12h`, `7d`.
    static let timeSpan = ValueParser(placeholder: "DURATION") { word throws(InvalidValue) in
        do throws(TextError) {
            return try TimeSpan(parsing: word)
        } catch {
            throw InvalidValue("\(error.problem); \(error.remedy)")
        }
    }
}
