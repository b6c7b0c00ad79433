import Testing

@testable import Schedules

/// A schedule at a change of the clocks, and what is expected of it.
struct ClockChange: Sendable, CustomTestStringConvertible {
    var what: String
    var cron: String
    var zone: String
    var after: String
    var expected: [String]
    var gap: String?
    var overlapHour: String?

    var testDescription: String { "\(what): \(cron) in \(zone)" }

    func occurrences() throws -> [String] {
        try SchedulesTests.occurrences(cron: cron, in: zone, after: after, count: expected.count) {
            $0.gap = gap
            $0.overlapHour = overlapHour
        }
    }
}

@Suite struct ClockChangeTests {
    @Test(arguments: [
        ClockChange(
            what: "02:30 becomes the first instant after the gap", cron: "30 2 * * *", zone: "Europe/Berlin",
            after: "2026-03-28T00:00:00Z",
            expected: ["2026-03-28T02:30:00+01:00", "2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"]),
        ClockChange(
            what: "several times in one gap are one occurrence", cron: "15,45 2 * * *", zone: "Europe/Berlin",
            after: "2026-03-28T12:00:00Z",
            expected: ["2026-03-29T03:00:00+02:00", "2026-03-30T02:15:00+02:00", "2026-03-30T02:45:00+02:00"]),
        ClockChange(
            what: "a time in the gap and the time after it are one occurrence", cron: "0 2,3 * * *",
            zone: "Europe/Berlin", after: "2026-03-28T12:00:00Z",
            expected: ["2026-03-29T03:00:00+02:00", "2026-03-30T02:00:00+02:00", "2026-03-30T03:00:00+02:00"]),
        ClockChange(
            what: "skip leaves the day out", cron: "30 2 * * *", zone: "Europe/Berlin", after: "2026-03-28T12:00:00Z",
            expected: ["2026-03-30T02:30:00+02:00"], gap: "skip"),
        ClockChange(
            what: "the southern hemisphere changes in October", cron: "30 2 * * *", zone: "Australia/Sydney",
            after: "2026-10-03T00:00:00Z",
            expected: ["2026-10-04T03:00:00+11:00", "2026-10-05T02:30:00+11:00"]),
        ClockChange(
            what: "a gap of 30 minutes", cron: "15 2 * * *", zone: "Australia/Lord_Howe", after: "2026-10-03T00:00:00Z",
            expected: ["2026-10-04T02:30:00+11:00", "2026-10-05T02:15:00+11:00"]),
        ClockChange(
            what: "a gap at midnight", cron: "0 0 * * *", zone: "America/Havana", after: "2026-03-07T12:00:00Z",
            expected: ["2026-03-08T01:00:00-04:00", "2026-03-09T00:00:00-04:00"]),
        ClockChange(
            what: "a gap that ends at midnight", cron: "30 23 * * SAT", zone: "America/Nuuk",
            after: "2026-03-28T00:00:00Z",
            expected: ["2026-03-29T00:00:00-01:00", "2026-04-04T23:30:00-01:00"]),
        ClockChange(
            what: "a date that was skipped", cron: "0 9 * * *", zone: "Pacific/Apia", after: "2011-12-29T00:00:00Z",
            expected: [
                "2011-12-29T09:00:00-10:00", "2011-12-31T00:00:00+14:00", "2011-12-31T09:00:00+14:00",
                "2012-01-01T09:00:00+14:00",
            ]),
        ClockChange(
            what: "a date that was skipped, with skip", cron: "0 9 * * *", zone: "Pacific/Apia",
            after: "2011-12-29T00:00:00Z",
            expected: ["2011-12-29T09:00:00-10:00", "2011-12-31T09:00:00+14:00"], gap: "skip"),
        ClockChange(
            what: "the only day named was skipped", cron: "0 9 30 12 *", zone: "Pacific/Apia",
            after: "2011-01-01T00:00:00Z",
            expected: ["2011-12-31T00:00:00+14:00", "2012-12-30T09:00:00+14:00"]),
    ])
    func `a fixed time in a gap follows the gap policy`(change: ClockChange) throws {
        #expect(try change.occurrences() == change.expected)
    }

    @Test(arguments: [
        ClockChange(
            what: "the first pass by default", cron: "30 2 * * *", zone: "Europe/Berlin", after: "2026-10-24T12:00:00Z",
            expected: ["2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"]),
        ClockChange(
            what: "first", cron: "30 2 * * *", zone: "Europe/Berlin", after: "2026-10-24T12:00:00Z",
            expected: ["2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"], overlapHour: "first"),
        ClockChange(
            what: "last", cron: "30 2 * * *", zone: "Europe/Berlin", after: "2026-10-24T12:00:00Z",
            expected: ["2026-10-25T02:30:00+01:00", "2026-10-26T02:30:00+01:00"], overlapHour: "last"),
        ClockChange(
            what: "both", cron: "30 2 * * *", zone: "Europe/Berlin", after: "2026-10-24T12:00:00Z",
            expected: ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00", "2026-10-26T02:30:00+01:00"],
            overlapHour: "both"),
        ClockChange(
            what: "asked between the passes", cron: "30 2 * * *", zone: "Europe/Berlin", after: "2026-10-25T00:45:00Z",
            expected: ["2026-10-26T02:30:00+01:00"]),
        ClockChange(
            what: "the end of the overlap is no part of it", cron: "0 3 * * *", zone: "Europe/Berlin",
            after: "2026-10-24T12:00:00Z",
            expected: ["2026-10-25T03:00:00+01:00", "2026-10-26T03:00:00+01:00"], overlapHour: "last"),
        ClockChange(
            what: "every minute of a fixed hour, first pass", cron: "*/20 2 * * *", zone: "Europe/Berlin",
            after: "2026-10-24T12:00:00Z",
            expected: [
                "2026-10-25T02:00:00+02:00", "2026-10-25T02:20:00+02:00", "2026-10-25T02:40:00+02:00",
                "2026-10-26T02:00:00+01:00",
            ]),
        ClockChange(
            what: "every minute of a fixed hour, last pass", cron: "*/20 2 * * *", zone: "Europe/Berlin",
            after: "2026-10-24T12:00:00Z",
            expected: [
                "2026-10-25T02:00:00+01:00", "2026-10-25T02:20:00+01:00", "2026-10-25T02:40:00+01:00",
                "2026-10-26T02:00:00+01:00",
            ], overlapHour: "last"),
        ClockChange(
            what: "an overlap of 30 minutes", cron: "45 1 * * *", zone: "Australia/Lord_Howe",
            after: "2026-04-04T00:00:00Z",
            expected: ["2026-04-05T01:45:00+11:00", "2026-04-06T01:45:00+10:30"]),
        ClockChange(
            what: "an overlap across midnight", cron: "30 23 * * *", zone: "America/Nuuk",
            after: "2026-10-24T12:00:00Z",
            expected: ["2026-10-24T23:30:00-01:00", "2026-10-25T23:30:00-02:00"]),
        ClockChange(
            what: "winter time as the special one", cron: "30 1 * * *", zone: "Europe/Dublin",
            after: "2026-10-24T12:00:00Z",
            expected: ["2026-10-25T01:30:00+01:00", "2026-10-26T01:30:00Z"]),
    ])
    func `a fixed time in an overlap follows the overlap policy`(change: ClockChange) throws {
        #expect(try change.occurrences() == change.expected)
    }

    @Test(arguments: [
        ClockChange(
            what: "each real hour in spring", cron: "0 * * * *", zone: "Europe/Berlin", after: "2026-03-29T00:00:00Z",
            expected: ["2026-03-29T03:00:00+02:00", "2026-03-29T04:00:00+02:00"]),
        ClockChange(
            what: "no extra firing after a gap", cron: "15 * * * *", zone: "Europe/Berlin",
            after: "2026-03-29T00:00:00Z", expected: ["2026-03-29T01:15:00+01:00", "2026-03-29T03:15:00+02:00"]),
        ClockChange(
            what: "each real hour in autumn", cron: "0 * * * *", zone: "Europe/Berlin", after: "2026-10-24T23:30:00Z",
            expected: [
                "2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00", "2026-10-25T03:00:00+01:00",
            ]),
        ClockChange(
            what: "each half hour in autumn", cron: "*/30 * * * *", zone: "America/New_York",
            after: "2026-11-01T04:45:00Z",
            expected: [
                "2026-11-01T01:00:00-04:00", "2026-11-01T01:30:00-04:00", "2026-11-01T01:00:00-05:00",
                "2026-11-01T01:30:00-05:00", "2026-11-01T02:00:00-05:00",
            ]),
        ClockChange(
            what: "the policies for fixed times do not concern it", cron: "0 * * * *", zone: "Europe/Berlin",
            after: "2026-10-24T23:30:00Z",
            expected: ["2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00"], gap: "skip", overlapHour: "first"),
        ClockChange(
            what: "every second hour", cron: "0 */2 * * *", zone: "Europe/Berlin", after: "2026-10-24T21:30:00Z",
            expected: [
                "2026-10-25T00:00:00+02:00", "2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00",
                "2026-10-25T04:00:00+01:00",
            ]),
        ClockChange(
            what: "all hours written out are the same as a star", cron: "0 0-23 * * *", zone: "Europe/Berlin",
            after: "2026-10-24T23:30:00Z",
            expected: ["2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00"]),
        ClockChange(
            what: "an interval that leaves one hour is a fixed time", cron: "30 */24 * * *", zone: "America/Havana",
            after: "2026-03-07T12:00:00Z", expected: ["2026-03-08T01:00:00-04:00", "2026-03-09T00:30:00-04:00"]),
        ClockChange(
            what: "half hours across a gap of 30 minutes", cron: "*/30 * * * *", zone: "Australia/Lord_Howe",
            after: "2026-10-03T15:00:00Z",
            expected: ["2026-10-04T02:30:00+11:00", "2026-10-04T03:00:00+11:00"]),
        ClockChange(
            what: "a skipped date has no hours", cron: "0 * * * *", zone: "Pacific/Apia", after: "2011-12-30T08:30:00Z",
            expected: ["2011-12-29T23:00:00-10:00", "2011-12-31T00:00:00+14:00", "2011-12-31T01:00:00+14:00"]),
    ])
    func `a schedule that follows the hour follows real time`(change: ClockChange) throws {
        #expect(try change.occurrences() == change.expected)
    }
}
