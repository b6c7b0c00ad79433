import JSON
import TestSupport
import Testing

@testable import Schedules

/// The classes of generated expressions on which croniter 6.0.0 answers otherwise; docs/schedules.md gives the reasons.
enum CroniterDifference: CaseIterable {
    /// `59/7`: croniter takes a start at the field's largest value for the whole field.
    case stepFromTheLargestValue
    /// `15 * MON#2`: croniter does not unite a day of the month with a numbered weekday.
    case dayOfMonthAndNumberedWeekday
    /// `*/15 * SUN-SAT`: croniter takes a list of all days for `*` when the other day field has a star in it.
    case allDaysListed
    /// `1,31 * *`: croniter passes over the first days of the month that follows a short one.
    case daysAfterAShortMonth
    /// `31 4 FRI`: croniter gives up when one of the two day fields alone never fires.
    case halfThatNeverFires

    func concerns(_ cron: String) -> Bool {
        let fields = cron.split(separator: " ").map(String.init)
        switch self {
        case .stepFromTheLargestValue:
            return zip(fields, ["59", "23", "31", "12", "6"]).contains { field, largest in
                field.split(separator: ",").contains { $0.hasPrefix(largest + "/") }
            }
        case .dayOfMonthAndNumberedWeekday: return fields[2] != "*" && fields[4].contains("#")
        case .allDaysListed:
            guard let days = try? CronExpression(parsing: cron).days else { return false }
            let listsAll = days.dayOfWeek.values == 0x7F || days.dayOfMonth.values.nonzeroBitCount == 31
            return listsAll && days.dayOfWeek.isRestricted && days.dayOfMonth.isRestricted
        case .daysAfterAShortMonth:
            guard let days = try? CronExpression(parsing: cron).days else { return false }
            return days.dayOfMonth.values & 0b1110 != 0 && days.dayOfMonth.values >> 29 != 0
        case .halfThatNeverFires:
            return fields[4] != "*" && (try? CronExpression(parsing: "0 0 \(fields[2]) \(fields[3]) *")) == nil
        }
    }
}

/// One row of the table in docs/schedules.md.
struct Disagreement: Sendable, CustomTestStringConvertible {
    var cron: String
    var zone = "UTC"
    var after: String
    var ours: String
    /// croniter's answer, or a part of what it complains.
    var theirs: String

    var testDescription: String { "\(cron) in \(zone)" }
}

@Suite struct CroniterDifferenceTests {
    static let disagreements = [
        Disagreement(
            cron: "59/7 0 * * *", after: "2026-12-01T00:00:00Z", ours: "2026-12-01T00:59:00Z",
            theirs: "2026-12-01T00:07:00Z"),
        Disagreement(
            cron: "0 9 15 * MON#2", after: "2026-12-01T00:00:00Z", ours: "2026-12-14T09:00:00Z",
            theirs: "failed to find next date"),
        Disagreement(
            cron: "0 9 */15 * SUN-SAT", after: "2026-12-01T12:00:00Z", ours: "2026-12-02T09:00:00Z",
            theirs: "2026-12-16T09:00:00Z"),
        Disagreement(
            cron: "0 9 1,27,31 * *", after: "2027-02-27T12:00:00Z", ours: "2027-03-01T09:00:00Z",
            theirs: "2027-03-27T09:00:00Z"),
        Disagreement(
            cron: "0 9 31 4 FRI", after: "2026-12-01T00:00:00Z", ours: "2027-04-02T09:00:00Z",
            theirs: "failed to find next date"),
        Disagreement(
            cron: "0 9 */1 * MON", after: "2026-12-01T00:00:00Z", ours: "2026-12-07T09:00:00Z",
            theirs: "2026-12-01T09:00:00Z"),
        Disagreement(
            cron: "0 9 * * MON-MON", after: "2026-12-01T00:00:00Z", ours: "2026-12-07T09:00:00Z",
            theirs: "2026-12-01T09:00:00Z"),
        Disagreement(
            cron: "0 9 * * FRI-TUE/3", after: "2026-12-05T00:00:00Z", ours: "2026-12-07T09:00:00Z",
            theirs: "2026-12-08T09:00:00Z"),
        Disagreement(
            cron: "30 0 9 * * *", after: "2026-12-01T00:00:00Z", ours: "2026-12-01T09:00:30Z",
            theirs: "2026-12-09T00:30:00Z"),
        Disagreement(
            cron: "0 9 15W * *", after: "2026-11-01T00:00:00Z", ours: "2026-11-16T09:00:00Z",
            theirs: "is not acceptable"),
        Disagreement(
            cron: "0 9 LW * *", after: "2027-01-01T00:00:00Z", ours: "2027-01-29T09:00:00Z", theirs: "is not acceptable"
        ),
        Disagreement(
            cron: "0 9 L-3 * *", after: "2027-01-01T00:00:00Z", ours: "2027-01-28T09:00:00Z",
            theirs: "are not acceptable"),
        Disagreement(
            cron: "0 9 * * FRIL", after: "2027-01-01T00:00:00Z", ours: "2027-01-29T09:00:00Z",
            theirs: "is not acceptable"),
        Disagreement(
            cron: "0 9 * * MON,FRI#2", after: "2026-12-08T00:00:00Z", ours: "2026-12-11T09:00:00Z",
            theirs: "does not support mixing"),
        Disagreement(
            cron: "30 2 * * *", zone: "Europe/Berlin", after: "2026-03-28T12:00:00Z", ours: "2026-03-29T03:00:00+02:00",
            theirs: "2026-03-29T03:30:00+02:00"),
        Disagreement(
            cron: "0 9 * * *", zone: "Pacific/Apia", after: "2011-12-29T20:00:00Z", ours: "2011-12-31T00:00:00+14:00",
            theirs: "2011-12-31T09:00:00+14:00"),
        Disagreement(
            cron: "0 */2 * * *", zone: "Europe/Berlin", after: "2026-03-28T23:00:00Z",
            ours: "2026-03-29T04:00:00+02:00",
            theirs: "2026-03-29T03:00:00+02:00"),
        Disagreement(
            cron: "0 7,9 * * *", zone: "America/New_York", after: "2026-03-08T00:00:00Z",
            ours: "2026-03-08T07:00:00-04:00", theirs: "2026-03-08T06:00:00-04:00"),
        Disagreement(
            cron: "*/30 * * * *", zone: "Europe/Berlin", after: "2026-10-25T00:30:00Z",
            ours: "2026-10-25T02:00:00+01:00",
            theirs: "2026-10-25T03:00:00+01:00"),
        Disagreement(
            cron: "0 3 * * *", zone: "Europe/Berlin", after: "2026-10-24T12:00:00Z", ours: "2026-10-25T03:00:00+01:00",
            theirs: "2026-10-25T04:00:00+01:00"),
        Disagreement(
            cron: "30 2 * * *", zone: "Europe/Berlin", after: "2026-10-25T00:30:00Z", ours: "2026-10-26T02:30:00+01:00",
            theirs: "2026-10-26T03:30:00+01:00"),
    ]

    @Test func `each row of the table of differences still holds`() throws {
        let questions = try Self.disagreements.map { row in
            let after = try Instant(rfc3339: row.after).secondsSinceEpoch
            let object: JSON = ["cron": .string(row.cron), "zone": .string(row.zone), "after": .int(after), "count": 1]
            return object.serialized(pretty: false) + "\n"
        }
        let result = try ChildProcess.run(
            Repository.python, [Repository.path("Tests/SchedulesTests/cron_oracle.py"), "ask"],
            input: .init(questions.joined().utf8))
        let answers = result.standardOutput.split(separator: "\n").map(String.init)
        try #require(answers.count == Self.disagreements.count, "\(result.standardError)")
        for (row, answer) in zip(Self.disagreements, answers) {
            #expect(try occurrences(cron: row.cron, in: row.zone, after: row.after) == [row.ours], "\(row.cron)")
            let theirs = try JSON(parsing: Array(answer.utf8))
            let zone = try TimeZoneDatabase.system.rules(named: row.zone)
            let told = theirs.arrayValue?.first?.intValue.map { zone.rfc3339(Instant(secondsSinceEpoch: $0)) }
            #expect((told ?? theirs.stringValue ?? answer).contains(row.theirs), "\(row.cron): \(answer)")
            #expect(row.ours != row.theirs)
        }
    }
}
