internal import YAML

/// The kind of a diagnostic, as it is named in JSON output. A name never changes its meaning.
package struct DiagnosticCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    init(_ code: YAMLError.Code) { rawValue = code.rawValue }

    package var description: String { rawValue }

    package static let unreadableFile = DiagnosticCode(rawValue: "unreadable-file")
    package static let unknownKey = DiagnosticCode(rawValue: "unknown-key")
    package static let missingKey = DiagnosticCode(rawValue: "missing-key")
    package static let conflictingKeys = DiagnosticCode(rawValue: "conflicting-keys")
    package static let wrongType = DiagnosticCode(rawValue: "wrong-type")
    package static let unknownValue = DiagnosticCode(rawValue: "unknown-value")
    package static let outOfRange = DiagnosticCode(rawValue: "out-of-range")
    package static let emptyList = DiagnosticCode(rawValue: "empty-list")
    package static let notAvailable = DiagnosticCode(rawValue: "not-available")
    package static let invalidCampaignID = DiagnosticCode(rawValue: "invalid-campaign-id")
    package static let duplicateCampaign = DiagnosticCode(rawValue: "duplicate-campaign")
    package static let invalidCron = DiagnosticCode(rawValue: "invalid-cron")
    package static let invalidRecurrence = DiagnosticCode(rawValue: "invalid-rrule")
    package static let invalidCalendar = DiagnosticCode(rawValue: "invalid-calendar")
    package static let duplicateCalendar = DiagnosticCode(rawValue: "duplicate-calendar")
    package static let invalidTime = DiagnosticCode(rawValue: "invalid-time")
    package static let invalidDuration = DiagnosticCode(rawValue: "invalid-duration")
    package static let unknownTimeZone = DiagnosticCode(rawValue: "unknown-time-zone")
    package static let neverFires = DiagnosticCode(rawValue: "never-fires")
    package static let skippedMonths = DiagnosticCode(rawValue: "skipped-months")
    package static let eitherDay = DiagnosticCode(rawValue: "either-day")
    package static let invalidTemplate = DiagnosticCode(rawValue: "invalid-template")
    package static let unknownVariable = DiagnosticCode(rawValue: "unknown-variable")
    package static let emptyNotification = DiagnosticCode(rawValue: "empty-notification")
    package static let silentPushMix = DiagnosticCode(rawValue: "silent-push-mix")
    package static let reservedKey = DiagnosticCode(rawValue: "reserved-key")
    package static let invalidLocale = DiagnosticCode(rawValue: "invalid-locale")
    package static let invalidDataSource = DiagnosticCode(rawValue: "invalid-data-source")
    package static let literalSecret = DiagnosticCode(rawValue: "literal-secret")
    package static let invalidURL = DiagnosticCode(rawValue: "invalid-url")
    package static let moreProblems = DiagnosticCode(rawValue: "more-problems")
}
