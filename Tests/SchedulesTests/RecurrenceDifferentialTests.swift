import JSON
import TestSupport
import Testing

@testable import Schedules

/// One row of the table in docs/schedules.md.
struct DateutilDifference: Sendable, CustomTestStringConvertible {
    var rule: String
    var start: String
    var ours: [String]
    var theirs: [String]

    var testDescription: String { rule }
}

@Suite struct RecurrenceDifferentialTests {
    @Test func `python-dateutil agrees on generated rules, near clock changes and away from them`() throws {
        let lines = try ChildProcess.python(
            "Tests/SchedulesTests/rrule_oracle.py", ["generate", DifferentialTests.seed, "2000"]
        ).split(separator: "\n").map(String.init)
        var compared = 0
        var refused = 0
        var wrong: [String] = []
        for line in lines {
            let question = try JSON(parsing: Array(line.utf8))
            let expected = question["expected"]?.arrayValue?.compactMap(\.intValue)
            let declaration = ScheduleDeclaration(
                rules: [.rrule(try #require(question["rule"]?.stringValue))], timezone: question["zone"]?.stringValue,
                starts: nil, gap: question["gap"]?.stringValue, overlapHour: question["overlap_hour"]?.stringValue)
            let ours = try answer(declaration, question, count: expected?.count)
            compared += expected?.count ?? 0
            if expected == nil { refused += 1 }
            // dateutil was told to look no further than 2044.
            if expected == nil, ours?.isEmpty ?? true { continue }
            if ours != expected { wrong.append("\(line) ours: \(ours.map { "\($0)" } ?? "refused")") }
        }
        print(
            "dateutil: seed \(DifferentialTests.seed), \(lines.count) rules, \(compared) instants, \(refused) never "
                + "fire, \(wrong.count) differ")
        #expect(wrong.prefix(20) == [])
        #expect(compared > 10_000)
    }

    /// Where dateutil's rule ends early, so must ours.
    private func answer(_ declaration: ScheduleDeclaration, _ question: JSON, count: Int?) throws -> [Int64]? {
        var declaration = declaration
        let start = try #require(question["start"]?.stringValue)
        if case .rrule(let text, _)? = declaration.rules.first { declaration.rules = [.rrule(text, anchor: start)] }
        let schedule: Schedule
        do {
            schedule = try Schedule(declaration, campaign: "test")
        } catch {
            return nil
        }
        let after = Instant(secondsSinceEpoch: try #require(question["after"]?.intValue))
        let lastYear = try Instant(rfc3339: "2044-01-01T00:00:00Z").advanced(bySeconds: -3 * 86_400 - 1)
        let limit = count.map { $0 < 8 ? $0 + 1 : 8 } ?? 1
        return schedule.occurrences(after: after, through: lastYear, limit: limit).map(\.instant.secondsSinceEpoch)
    }

    static let differences = [
        DateutilDifference(
            rule: "FREQ=WEEKLY;BYDAY=WE,TH,SU;BYSETPOS=3", start: "2026-12-05T09:00:00",
            ours: ["2026-12-06T09:00:00", "2026-12-13T09:00:00"],
            theirs: ["2026-12-13T09:00:00", "2026-12-20T09:00:00"]),
        DateutilDifference(
            rule: "FREQ=MONTHLY;BYDAY=MO,1FR", start: "2026-12-01T09:00:00",
            ours: ["2026-12-04T09:00:00", "2026-12-07T09:00:00"], theirs: []),
        DateutilDifference(
            rule: "FREQ=YEARLY;BYWEEKNO=20", start: "2026-12-01T09:00:00",
            ours: ["2027-05-18T09:00:00", "2028-05-16T09:00:00"],
            theirs: ["2027-05-17T09:00:00", "2027-05-18T09:00:00"]),
        DateutilDifference(
            rule: "FREQ=DAILY;UNTIL=20261202", start: "2026-12-01T09:00:00",
            ours: ["2026-12-01T09:00:00", "2026-12-02T09:00:00"], theirs: ["2026-12-01T09:00:00"]),
    ]

    @Test func `each row of the table of differences with python-dateutil still holds`() throws {
        let questions = Self.differences.map { row in
            let object: JSON = ["rule": .string(row.rule), "start": .string(row.start), "count": 2]
            return object.serialized(pretty: false) + "\n"
        }
        let result = try ChildProcess.run(
            Repository.python, [Repository.path("Tests/SchedulesTests/rrule_oracle.py"), "ask"],
            input: .init(questions.joined().utf8))
        let answers = result.standardOutput.split(separator: "\n").map(String.init)
        try #require(answers.count == Self.differences.count, "\(result.standardError)")
        for (row, answer) in zip(Self.differences, answers) {
            let ours = try occurrences(
                [.rrule(row.rule, anchor: row.start)], in: "UTC", after: "2026-01-01T00:00:00Z", count: 2)
            #expect(ours.map { String($0.dropLast()) } == row.ours, "\(row.rule)")
            let theirs = try JSON(parsing: Array(answer.utf8)).arrayValue?.compactMap(\.stringValue)
            #expect(theirs == row.theirs, "\(row.rule): \(answer)")
        }
    }
}
