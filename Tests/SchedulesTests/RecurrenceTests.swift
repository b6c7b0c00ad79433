import JSON
import TestSupport
import Testing

@testable import Schedules

/// A rule and the local times at which it fires from a start on, in UTC.
struct RecurrenceExample: Sendable, CustomTestStringConvertible {
    var rule: String
    var start: String
    var expected: [String]

    var testDescription: String { rule }

    func times() throws -> [String] {
        try occurrences([.rrule(rule)], in: "UTC", after: "1990-01-01T00:00:00Z", count: expected.count) {
            $0.starts = start
        }.map { String($0.dropLast(4)) }
    }
}

@Suite struct RecurrenceTests {
    @Test(arguments: [
        RecurrenceExample(
            rule: "FREQ=DAILY;COUNT=2", start: "1997-09-02 09:00", expected: ["1997-09-02T09:00", "1997-09-03T09:00"]),
        RecurrenceExample(
            rule: "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,TH", start: "1997-09-02 09:00",
            expected: ["1997-09-02T09:00", "1997-09-04T09:00", "1997-09-16T09:00", "1997-09-18T09:00"]),
        RecurrenceExample(
            rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", start: "1997-08-05 09:00",
            expected: ["1997-08-05T09:00", "1997-08-10T09:00", "1997-08-19T09:00", "1997-08-24T09:00"]),
        RecurrenceExample(
            rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", start: "1997-08-05 09:00",
            expected: ["1997-08-05T09:00", "1997-08-17T09:00", "1997-08-19T09:00", "1997-08-31T09:00"]),
        RecurrenceExample(
            rule: "FREQ=MONTHLY;BYMONTHDAY=-3", start: "1997-09-28 09:00",
            expected: ["1997-09-28T09:00", "1997-10-29T09:00", "1997-11-28T09:00", "1997-12-29T09:00"]),
        RecurrenceExample(
            rule: "FREQ=MONTHLY;BYDAY=-1FR", start: "2026-12-01 09:00",
            expected: ["2026-12-25T09:00", "2027-01-29T09:00", "2027-02-26T09:00"]),
        RecurrenceExample(
            rule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", start: "1997-09-29 09:00",
            expected: ["1997-09-29T09:00", "1997-10-30T09:00", "1997-11-27T09:00", "1997-12-30T09:00"]),
        RecurrenceExample(
            rule: "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", start: "1997-09-02 09:00",
            expected: ["1998-02-13T09:00", "1998-03-13T09:00", "1998-11-13T09:00"]),
        RecurrenceExample(
            rule: "FREQ=YEARLY;BYDAY=20MO", start: "1997-05-19 09:00",
            expected: ["1997-05-19T09:00", "1998-05-18T09:00", "1999-05-17T09:00"]),
        RecurrenceExample(
            rule: "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", start: "1997-05-12 09:00",
            expected: ["1997-05-12T09:00", "1998-05-11T09:00", "1999-05-17T09:00"]),
        RecurrenceExample(
            rule: "FREQ=YEARLY;INTERVAL=3;COUNT=4;BYYEARDAY=1,100,200", start: "1997-01-01 09:00",
            expected: ["1997-01-01T09:00", "1997-04-10T09:00", "1997-07-19T09:00", "2000-01-01T09:00"]),
        RecurrenceExample(
            rule: "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", start: "1996-11-05 09:00",
            expected: ["1996-11-05T09:00", "2000-11-07T09:00", "2004-11-02T09:00"]),
        RecurrenceExample(
            rule: "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z", start: "1997-09-02 09:00",
            expected: ["1997-09-02T09:00", "1997-09-02T12:00", "1997-09-02T15:00"]),
        RecurrenceExample(
            rule: "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,16", start: "1997-09-02 09:00",
            expected: ["1997-09-02T09:00", "1997-09-02T09:20", "1997-09-02T09:40", "1997-09-02T16:00"]),
        RecurrenceExample(
            rule: "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", start: "2007-01-15 09:00",
            expected: ["2007-01-15T09:00", "2007-01-30T09:00", "2007-02-15T09:00", "2007-03-15T09:00"]),
        RecurrenceExample(
            rule: "RRULE:freq=yearly;bymonth=2;bymonthday=29", start: "2026-12-01 09:00",
            expected: ["2028-02-29T09:00", "2032-02-29T09:00"]),
    ])
    func `the examples of RFC 5545 fire as it says`(example: RecurrenceExample) throws {
        #expect(try example.times() == example.expected)
    }

    @Test func `an end is kept: COUNT, UNTIL as a date, as a local time and in UTC`() throws {
        func all(_ rule: String) throws -> [String] {
            try occurrences([.rrule(rule)], in: "Europe/Berlin", after: "2026-01-01T00:00:00Z", count: 9) {
                $0.starts = "2026-12-01 09:00"
            }
        }
        let two = ["2026-12-01T09:00:00+01:00", "2026-12-02T09:00:00+01:00"]
        #expect(try all("FREQ=DAILY;COUNT=2") == two)
        #expect(try all("FREQ=DAILY;UNTIL=20261202") == two)
        #expect(try all("FREQ=DAILY;UNTIL=20261202T090000") == two)
        #expect(try all("FREQ=DAILY;UNTIL=20261202T080000Z") == two)
        #expect(try all("FREQ=DAILY;UNTIL=20261202T075959Z") == [two[0]])
    }

    @Test func `COUNT counts from the start, whenever it is asked, and excepted dates count`() throws {
        let found = try occurrences(
            [.rrule("FREQ=DAILY;COUNT=4")], in: "UTC", after: "2026-12-02T12:00:00Z", count: 9
        ) {
            $0.starts = "2026-12-01 09:00"
            $0.except = [.date("2026-12-03")]
        }
        #expect(found == ["2026-12-04T09:00:00Z"])
    }

    @Test func `the start is an anchor, starts, or a line DTSTART of the text`() throws {
        let ways: [(ScheduleDeclaration.Rule, String?)] = [
            (.rrule("FREQ=DAILY;INTERVAL=3", anchor: "2026-12-01 09:00"), nil),
            (.rrule("FREQ=DAILY;INTERVAL=3"), "2026-12-01 09:00"),
            (.rrule("DTSTART:20261201T090000\nRRULE:FREQ=DAILY;INTERVAL=3"), nil),
            (.rrule("DTSTART;TZID=Europe/Berlin:20261201T090000\r\nRRULE:FREQ=DAILY;INTERVAL=3\r\n"), nil),
            (.rrule("DTSTART:20261201T080000Z\nFREQ=DAILY;INTERVAL=3"), nil),
        ]
        for (rule, starts) in ways {
            let found = try occurrences([rule], in: "Europe/Berlin", after: "2026-12-05T00:00:00Z", count: 1) {
                $0.starts = starts
            }
            #expect(found == ["2026-12-07T09:00:00+01:00"])
        }
    }

    @Test func `without a start a rule must name all that it would take from there`() throws {
        let found = try occurrences(
            [.rrule("FREQ=WEEKLY;BYDAY=MO;BYHOUR=9")], in: "UTC", after: "2026-12-01T00:00:00Z", count: 1)
        #expect(found == ["2026-12-07T09:00:00Z"])
        for rule in [
            "FREQ=DAILY", "FREQ=WEEKLY;BYHOUR=9", "FREQ=MONTHLY;BYHOUR=9", "FREQ=YEARLY;BYMONTH=1;BYHOUR=9",
            "FREQ=DAILY;BYHOUR=9;COUNT=3", "FREQ=DAILY;BYHOUR=9;INTERVAL=2",
        ] {
            let errors = try #require(throws: ScheduleErrors.self) {
                try Schedule(ScheduleDeclaration(rules: [.rrule(rule)]), campaign: "a")
            }
            #expect(errors.errors.first?.remedy.contains("starts:") == true, "\(rule)")
        }
    }

    @Test(arguments: [
        ("FREQ=FORTNIGHTLY", 5, 11, "no frequency"), ("BYDAY=MO", 0, 8, "no FREQ"), ("", 0, 0, "empty"),
        ("FREQ=DAILY;FREQ=DAILY", 11, 4, "second time"), ("FREQ=DAILY;INTERVAL=0", 20, 1, "from 1 to"),
        ("FREQ=DAILY;INTERVAL=99999999999999999999", 20, 20, "from 1 to"),
        ("FREQ=DAILY;COUNT=1;UNTIL=20270101", 25, 8, "exclude each other"),
        ("FREQ=DAILY;BYDAY", 11, 5, "a name and a value"),
        ("FREQ=WEEKLY;BYDAY=MO,XX", 21, 2, "no day of the week"), ("FREQ=WEEKLY;BYDAY=1MO", 18, 3, "does not go with"),
        ("FREQ=MONTHLY;BYDAY=0MO", 19, 1, "there is no 0"), ("FREQ=WEEKLY;BYMONTHDAY=1", 23, 1, "does not go with"),
        ("FREQ=MONTHLY;BYYEARDAY=1", 23, 1, "does not go with"), ("FREQ=MONTHLY;BYWEEKNO=1", 22, 1, "does not go with"),
        ("FREQ=DAILY;BYHOUR=24", 18, 2, "from 0 to 23"), ("FREQ=DAILY;BYHOUR=9,,10", 20, 0, "from 0 to 23"),
        ("FREQ=MONTHLY;BYSETPOS=1", 22, 1, "there is none"), ("FREQ=DAILY;UNTIL=2027-01-01", 17, 10, "no date"),
        ("FREQ=DAILY;UNTIL=20270230", 17, 8, "no date"), ("FREQ=DAILY;BYEASTER=0", 11, 8, "no part 'BYEASTER'"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 0, 35, "never fires"),
        ("FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", 0, 37, "never fires"),
        ("FREQ=SECONDLY;INTERVAL=2;BYSECOND=1", 0, 35, "never fires"),
        ("FREQ=SECONDLY;INTERVAL=7;BYHOUR=9;BYMINUTE=1;BYSECOND=1;BYDAY=MO", 0, 64, "never fires"),
        ("FREQ=SECONDLY;BYSETPOS=2;BYHOUR=9", 0, 33, "never fires"),
        ("FREQ=DAILY;UNTIL=20200101", 0, 25, "never fires"),
        ("RRULE:FREQ=DAILY\nRRULE:FREQ=DAILY", 17, 16, "one recurrence rule"),
        ("DTSTART;TZID=Asia/Tokyo:20261201T090000\nRRULE:FREQ=DAILY", 13, 10, "another time zone"),
    ])
    func `a wrong rule is refused at its place`(rule: String, offset: Int, length: Int, part: String) throws {
        let errors = try #require(throws: ScheduleErrors.self) {
            try Schedule(
                ScheduleDeclaration(rules: [.rrule(rule)], starts: "2026-12-01 09:00:00"), campaign: "a")
        }.errors
        #expect(errors.map(\.field) == [.rrule])
        #expect(errors.first.map { [$0.text.offset, $0.text.length] } == [offset, length], "\(errors)")
        #expect(errors.first?.problem.contains(part) == true, "\(errors)")
    }

    @Test func `a question about a far year takes as long as one about the next day`() throws {
        let schedule = try Schedule(
            ScheduleDeclaration(rules: [.rrule("FREQ=SECONDLY;INTERVAL=7;BYMONTH=3")], starts: "1990-01-01"),
            campaign: "a")
        let next = schedule.next(after: try Instant(rfc3339: "2190-06-01T00:00:00Z"))
        #expect(next?.local.date == CivilDate(year: 2191, month: 3, day: 1))
    }

    @Test func `a random text is refused or read, and never traps`() throws {
        var random = SeededGenerator(seed: 7)
        let pieces = [
            "FREQ=", "DAILY", "YEARLY", "SECONDLY", ";", "=", ",", "BYDAY=", "-1", "MO", "99999999999999999999",
            "BYHOUR=",
            "COUNT=", "UNTIL=", "20261201T0900", "Z", "é", "\n", "DTSTART:", "INTERVAL=", "BYSETPOS=", "-0", "+",
            "WKST=",
        ]
        var read = 0
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            let start = LocalDateTime(date: CivilDate(daysSinceEpoch: 20_000))
            do throws(TextError) {
                _ = try RecurrenceRule(parsing: text, start: start, zone: .utc)
                read += 1
            } catch {
                #expect(error.offset >= 0 && error.offset + error.length <= text.utf8.count, "\(text): \(error)")
            }
        }
        #expect(read > 0)
    }
}
