import JSON
import TestSupport
import Testing

@testable import Commands

/// The forms of `next` beside its table: words, a month, a calendar file.
struct NextFormTests {
    private func project() throws -> CommandHarness {
        let harness = try CommandHarness()
        try harness.write(
            "campaigns/office.yaml",
            """
            description: News, for the office; all of it
            schedule:
              cron: "30 2 * * *"
              timezone: Europe/Berlin
              only: {days: MON-SUN, hours: "02:00-04:00"}
              except: [winter, 2026-03-27]
            filter: everyone
            notification: {title: Hello}

            """)
        try harness.write("campaigns/_calendars/winter.yaml", "winter: [{from: 2026-12-24, to: 2027-01-03}]\n")
        return harness
    }

    @Test func `a schedule is explained in words, with its clock changes and its silence`() async throws {
        let result = try await project().run(
            "next", "office", "--explain", "--now", "2026-03-26T12:00:00Z", "--count", "2")
        #expect(result.exitCode == .success)
        #expect(
            result.output == """
                office:
                  At 02:30 every day, Europe/Berlin time, but only every day from 02:00 to 04:00, except on \
                the dates of winter and on 2026-03-27.
                  A time that the clocks skip fires at the first instant after the gap; a time that they show twice \
                fires once, in the first pass.
                  fires   Sat 2026-03-28 02:30 +01:00
                  fires   Sun 2026-03-29 03:00 +02:00: the clocks skipped from 2026-03-29T02:00:00 past \
                2026-03-29T02:59:59, so a time in between fires at the first instant after
                  silent  2026-03-27: except: 2026-03-27

                """)
        let json = try await project().run(
            "next", "office", "--explain", "--now", "2026-12-23T12:00:00Z", "--count", "1", "--format", "json")
        let object = try #require(try JSON(parsing: Array(json.output.utf8)).arrayValue?.first)
        #expect(object["skipped"]?.arrayValue?.count == 11)
        #expect(object["occurrences"]?.arrayValue?.first?["occurrence"]?.stringValue == "2027-01-04T02:30:00+01:00")
    }

    @Test func `a month shows how often something fires on each day`() async throws {
        let result = try await project().run("next", "--month", "2026-12")
        #expect(result.exitCode == .success)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "December 2026")
        #expect(lines.dropFirst().first == "Mon     Tue     Wed     Thu     Fri     Sat     Sun")
        #expect(lines.dropFirst(2).first == "         1×1     2×1     3×1     4×1     5×1     6×1")
        #expect(lines.last == "28      29      30      31")
    }

    @Test(arguments: ["2026", "2026-13", "december"])
    func `what is no month is refused`(month: String) async throws {
        let result = try await project().run("next", "--month", month)
        #expect(result.exitCode == .usage)
        #expect(result.errors.contains("is no month"))
    }

    @Test func `two forms at once are refused`() async throws {
        #expect(try await project().run("next", "--ics", "--explain").exitCode == .usage)
    }

    @Test func `another program reads the calendar file`() async throws {
        let result = try await project().run("next", "--ics", "--now", "2026-03-28T12:00:00Z", "--count", "2")
        #expect(result.exitCode == .success)
        #expect(result.output.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        let script = """
            import json, sys, icalendar
            calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
            print(json.dumps([[str(e["UID"]), e.decoded("DTSTART").isoformat(), str(e["DESCRIPTION"]).split(chr(10))[0]]
                              for e in calendar.walk("VEVENT")]))
            """
        let read = try ChildProcess.run(Repository.python, ["-c", script], input: .init(result.output.utf8))
        #expect(
            read.standardOutput
                == #"[["office/20260329T010000Z@carillon", "2026-03-29T01:00:00+00:00", "News, for the office; all of it"], "#
                + #"["office/20260330T003000Z@carillon", "2026-03-30T00:30:00+00:00", "News, for the office; all of it"]]"#
                + "\n", "\(read.standardError)")
    }

    @Test func `the lines of the seam take every kind of schedule`() async throws {
        let schedules = [
            #"{"rrule": "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9", "timezone": "Europe/Berlin"}"#,
            #"{"calendar": "Mon..Fri 09:00", "timezone": "Europe/Berlin"}"#,
            #"{"rrule": "FREQ=WEEKLY;COUNT=2", "starts": "2026-12-01 09:00"}"#,
            #"[{"calendar": "*-*~01"}, {"at": "2026-12-30 09:00"}]"#,
            #"{"every": "1h", "only": {"days": "SAT", "hours": "12:00-13:00"}}"#,
        ]
        let lines = schedules.map { #"{"schedule": \#($0), "after": "2026-12-01T12:00:00Z", "count": 2}"# }
        let result = await (try CommandHarness()).run("next", "--jsonl", input: lines.joined(separator: "\n"))
        #expect(
            result.output.split(separator: "\n").map(String.init) == [
                #"{"occurrences":["2026-12-25T09:00:00+01:00","2027-01-29T09:00:00+01:00"]}"#,
                #"{"occurrences":["2026-12-02T09:00:00+01:00","2026-12-03T09:00:00+01:00"]}"#,
                #"{"occurrences":["2026-12-08T09:00:00Z"]}"#,
                #"{"occurrences":["2026-12-30T09:00:00Z","2026-12-31T00:00:00Z"]}"#,
                #"{"occurrences":["2026-12-05T12:00:00Z","2026-12-12T12:00:00Z"]}"#,
            ])
    }
}
