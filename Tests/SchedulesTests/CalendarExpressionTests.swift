import JSON
import TestSupport
import Testing

@testable import Schedules

@Suite struct CalendarExpressionTests {
    @Test(arguments: [
        ("Mon *-*-* 00:00", "2026-12-07T00:00:00Z"), ("monday 9:5", "2026-12-07T09:05:00Z"),
        ("Mon-Fri 09:00", "2026-12-01T09:00:00Z"), ("Sat,Mon..Tue 09:00", "2026-12-01T09:00:00Z"),
        ("Fri..Mon 10:00", "2026-12-04T10:00:00Z"), ("*-*~01", "2026-12-31T00:00:00Z"),
        ("*-02~03", "2027-02-26T00:00:00Z"), ("Mon *-05~07/1", "2027-05-31T00:00:00Z"),
        ("*-*~01..07", "2026-12-25T00:00:00Z"), ("*-*~09/3", "2026-12-23T00:00:00Z"),
        ("2026-12-24 18:30:15", "2026-12-24T18:30:15Z"), ("12-24", "2026-12-24T00:00:00Z"),
        ("2026/2-1-1", "2028-01-01T00:00:00Z"), ("*:0/20", "2026-11-30T12:20:00Z"), ("*/2:00", "2026-11-30T14:00:00Z"),
        ("9..17/2:00", "2026-11-30T13:00:00Z"), ("quarterly", "2027-01-01T00:00:00Z"),
        ("Daily", "2026-12-01T00:00:00Z"),
        ("*-*-31", "2026-12-31T00:00:00Z"), ("*-*~1,15", "2026-12-17T00:00:00Z"),
    ])
    func `it fires as systemd's manual says`(event: String, expected: String) throws {
        #expect(
            try occurrences([.calendar(event)], in: "UTC", after: "2026-11-30T12:00:00Z", count: 1) == [expected])
    }

    @Test(arguments: [
        ("", 0, 0, "is empty"), ("Mom 09:00", 0, 3, "no day of the week"), ("Mon,, 09:00", 4, 0, "missing here"),
        ("09:00 Europe/Berlin", 6, 13, "time zone"), ("24:00", 0, 2, "is no hour"), ("*:60", 2, 2, "is no minute"),
        ("2026-13-01", 5, 2, "is no month"), ("*-*-7..3", 4, 4, "runs backwards"), ("*-*-*/5", 4, 3, "start from"),
        ("*~*-1", 1, 1, "between the month and the day"), ("26-12-24", 0, 2, "is no year"),
        ("09:00:00.5", 6, 4, "whole seconds"), ("5", 0, 1, "no date and no time"), ("*-02-30", 0, 7, "never fires"),
        ("Mon 2027-01-01", 0, 14, "never fires"), ("09:00 *-*-*", 6, 5, "no date and no time"),
        ("0/0:00", 2, 1, "is no step"),
        ("1-2-3-4", 0, 7, "a month and a day"), ("1:2:3:4", 0, 7, "hours and minutes"), ("Mon Tue", 4, 3, "time zone"),
    ])
    func `a wrong event is refused at its place`(event: String, offset: Int, length: Int, part: String) throws {
        let error = try #require(throws: TextError.self) { try CalendarExpression(parsing: event) }
        #expect([error.offset, error.length] == [offset, length], "\(error)")
        #expect(error.problem.contains(part), "\(error)")
        #expect(!error.remedy.isEmpty)
    }

    @Test func `systemd agrees on generated events, where it is installed`() throws {
        let lines = try ChildProcess.python(
            "Tests/SchedulesTests/calendar_oracle.py", [DifferentialTests.seed, "1500"]
        )
        .split(separator: "\n").map(String.init)
        var compared = 0
        var never = 0
        var refused = 0
        var wrong: [String] = []
        for line in lines {
            let question = try JSON(parsing: Array(line.utf8))
            let event = try #require(question["event"]?.stringValue)
            // systemd has narrower bounds for what follows ~.
            guard let expected = question["expected"]?.arrayValue?.compactMap(\.stringValue) else {
                refused += 1
                continue
            }
            guard (try? CalendarExpression(parsing: event)) != nil else {
                never += 1
                if !expected.isEmpty { wrong.append("\(line) ours: refused") }
                continue
            }
            let after = try #require(question["after"]?.stringValue)
            let ours = try occurrences([.calendar(event)], in: "UTC", after: after, count: 5)
            compared += expected.count
            // systemd looks no further than 2199 either, and tells fewer where the years named are over.
            if ours != expected { wrong.append("\(line) ours: \(ours)") }
        }
        print(
            "systemd: seed \(DifferentialTests.seed), \(lines.count) events, \(compared) instants, \(never) never fire")
        #expect(wrong.prefix(20) == [])
        #expect(refused * 20 <= lines.count)
        #expect(compared > 5_000)
    }

    @Test func `the changes of the clocks follow the policies, as for cron`() throws {
        let night = ScheduleDeclaration.Rule.calendar("02:30")
        let spring = "2026-03-28T12:00:00Z"
        #expect(
            try occurrences([night], in: "Europe/Berlin", after: spring, count: 1) == ["2026-03-29T03:00:00+02:00"])
        #expect(
            try occurrences([night], in: "Europe/Berlin", after: spring, count: 1) { $0.gap = "skip" }
                == ["2026-03-30T02:30:00+02:00"])
        #expect(
            try occurrences([.calendar("0/2:00")], in: "Europe/Berlin", after: "2026-03-28T23:00:00Z", count: 1)
                == ["2026-03-29T04:00:00+02:00"])
    }
}
