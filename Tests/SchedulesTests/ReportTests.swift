import TestSupport
import Testing

@testable import Schedules

/// Faults that users of other schedulers reported, each named by its source.
@Suite struct ReportTests {
    /// The local times of a schedule on the days around a change of the clocks.
    private func clock(
        _ cron: String, _ zone: String, from: String, count: Int, adjust: (inout ScheduleDeclaration) -> Void = { _ in }
    ) throws -> [String] {
        try occurrences(cron: cron, in: zone, after: from, count: count, adjust: adjust).map { String($0.dropFirst(5)) }
    }

    @Test func `node-cron 563: a daily job is neither lost in spring nor doubled in autumn`() throws {
        for (zone, year) in [("America/New_York", 2026), ("Europe/Berlin", 2027), ("Australia/Sydney", 2026)] {
            for hour in 0..<24 {
                let schedule = try Schedule(
                    ScheduleDeclaration(rules: [.cron("30 \(hour) * * *")], timezone: zone), campaign: "a")
                let start = try Instant(rfc3339: "\(year)-01-01T12:00:00Z")
                let days = schedule.occurrences(
                    after: start, through: start.advanced(bySeconds: 365 * 86_400), limit: 1_000)
                #expect(Set(days.map(\.local.date)).count == days.count, "\(zone) \(hour)")
                #expect(days.count == 365, "\(zone) \(hour)")
            }
        }
    }

    @Test func `node-cron 881: a job for every 30 minutes is not silent in the repeated hour`() throws {
        #expect(
            try clock("*/30 * * * *", "Europe/Paris", from: "2026-10-24T23:45:00Z", count: 5) == [
                "10-25T02:00:00+02:00", "10-25T02:30:00+02:00", "10-25T02:00:00+01:00", "10-25T02:30:00+01:00",
                "10-25T03:00:00+01:00",
            ])
    }

    @Test func `robfig cron 541: the job of 02:00 is not skipped on the day in spring, unless it is asked for`() throws
    {
        #expect(
            try clock("0 2 * * *", "America/New_York", from: "2026-03-07T12:00:00Z", count: 2)
                == ["03-08T03:00:00-04:00", "03-09T02:00:00-04:00"])
        #expect(
            try clock("0 2 * * *", "America/New_York", from: "2026-03-07T12:00:00Z", count: 1) { $0.gap = "skip" }
                == ["03-09T02:00:00-04:00"])
    }

    @Test(arguments: ["* * * * *", "*/1 * * * *", "0-59 0-23 * * *"])
    func `systemd 8647 and celery 6438: a timer for every minute goes on through the overlap`(cron: String) throws {
        let schedule = try Schedule(ScheduleDeclaration(rules: [.cron(cron)], timezone: "Europe/London"), campaign: "a")
        let start = try Instant(rfc3339: "2026-10-24T22:00:00Z")
        let minutes = schedule.occurrences(after: start, through: start.advanced(bySeconds: 6 * 3_600), limit: 1_000)
        #expect(minutes.count == 360)
        #expect(zip(minutes, minutes.dropFirst()).allSatisfy { $1.instant == $0.instant.advanced(bySeconds: 60) })
    }

    @Test func `systemd 5595: the daily timer of 02:00 runs at the jump`() throws {
        #expect(
            try clock("0 2 * * *", "Europe/Berlin", from: "2026-03-28T12:00:00Z", count: 1) == ["03-29T03:00:00+02:00"])
    }

    @Test func `airflow 7999: a list of hours keeps to the clock on the wall`() throws {
        #expect(
            try clock("0 7,9 * * *", "America/New_York", from: "2026-03-08T00:00:00Z", count: 4) == [
                "03-08T07:00:00-04:00", "03-08T09:00:00-04:00", "03-09T07:00:00-04:00", "03-09T09:00:00-04:00",
            ])
        #expect(
            try clock("0 7,9 * * *", "America/New_York", from: "2026-11-01T00:00:00Z", count: 2)
                == ["11-01T07:00:00-05:00", "11-01T09:00:00-05:00"])
    }

    @Test func `celery 1604 and xen-orchestra 4024: one run at the local time on the days around the change`() throws {
        #expect(
            try clock("0 11 * * *", "Europe/Paris", from: "2026-10-24T00:00:00Z", count: 3)
                == ["10-24T11:00:00+02:00", "10-25T11:00:00+01:00", "10-26T11:00:00+01:00"])
        #expect(
            try clock("0 2 * * *", "Europe/Paris", from: "2026-10-24T12:00:00Z", count: 2)
                == ["10-25T02:00:00+02:00", "10-26T02:00:00+01:00"])
    }

    @Test func `celery 10107: an hourly job runs in both passes of the repeated hour`() throws {
        #expect(
            try clock("0 * * * *", "America/New_York", from: "2026-11-01T04:30:00Z", count: 3)
                == ["11-01T01:00:00-04:00", "11-01T01:00:00-05:00", "11-01T02:00:00-05:00"])
    }

    @Test func `temporal 8205: the passes and the gap can be chosen`() throws {
        for (choice, expected) in [("first", ["+02:00"]), ("last", ["+01:00"]), ("both", ["+02:00", "+01:00"])] {
            let found = try clock("30 2 25 10 *", "Europe/Berlin", from: "2026-10-01T00:00:00Z", count: expected.count)
            {
                $0.overlapHour = choice
            }
            #expect(found == expected.map { "10-25T02:30:00\($0)" })
        }
    }

    @Test func `healthchecks 196: an expression is valid on every day of the year`() throws {
        let schedule = try Schedule(
            ScheduleDeclaration(rules: [.cron("0 2 * * *")], timezone: "Europe/Riga"), campaign: "a")
        var instant = try Instant(rfc3339: "2026-01-01T00:00:00Z")
        for _ in 0..<365 * 24 {
            let next = try #require(schedule.next(after: instant))
            #expect(next.instant.secondsSinceEpoch - instant.secondsSinceEpoch <= 25 * 3_600)
            instant = instant.advanced(bySeconds: 3_600)
        }
    }

    @Test func `rrule 233: the host's time zone does not matter`() throws {
        // The reader knows no local zone at all; `localtime` is refused by name.
        #expect(throws: TimeZoneError.self) { try TimeZoneDatabase.system.rules(named: "localtime") }
        #expect(
            try clock("0 9 * * *", "UTC", from: "2026-03-28T12:00:00Z", count: 2) == [
                "03-29T09:00:00Z", "03-30T09:00:00Z",
            ])
    }

    @Test func `OpenCTI 4310: a digest keeps its local hour in summer`() throws {
        let schedule = try Schedule(
            ScheduleDeclaration(rules: [.cron("0 8 * * *")], timezone: "Europe/Paris"), campaign: "a")
        let year = schedule.occurrences(after: try Instant(rfc3339: "2026-01-01T00:00:00Z"), limit: 365)
        #expect(year.allSatisfy { $0.local.hour == 8 && $0.local.minute == 0 })
        #expect(Set(year.map(\.offset)) == [3_600, 7_200])
    }

    @Test func `actual 6814 and node-cron 210: the 31st skips short months, says so beforehand, and L does not`() throws
    {
        let cron = try CronExpression(parsing: "0 9 31 * *")
        #expect(cron.monthsWithoutADay == [2, 4, 6, 9, 11])
        #expect(
            try clock("0 9 30,31 * *", "UTC", from: "2027-01-31T00:00:00Z", count: 3)
                == ["01-31T09:00:00Z", "03-30T09:00:00Z", "03-31T09:00:00Z"])
        #expect(
            try clock("0 9 L * *", "UTC", from: "2027-01-31T12:00:00Z", count: 2) == [
                "02-28T09:00:00Z", "03-31T09:00:00Z",
            ])
    }

    @Test func `robfig cron 118 and cron-expression 138: both day fields mean either, and both can be asked for`()
        throws
    {
        #expect(try CronExpression(parsing: "0 9 1-7 * WED").restrictsBothDayFields)
        #expect(try !CronExpression(parsing: "0 9 1-7 * *").restrictsBothDayFields)
        #expect(try !CronExpression(parsing: "0 9 ? * WED").restrictsBothDayFields)
        #expect(
            try clock("0 9 1-7 * WED", "UTC", from: "2026-12-05T00:00:00Z", count: 4)
                == ["12-05T09:00:00Z", "12-06T09:00:00Z", "12-07T09:00:00Z", "12-09T09:00:00Z"])
        #expect(
            try clock("0 9 1-7 * WED", "UTC", from: "2026-12-05T00:00:00Z", count: 1) { $0.cronDays = "both" }
                == ["01-06T09:00:00Z"])
    }

    @Test func `node-cron 187: a misspelt zone is refused with the name that was meant`() throws {
        let declaration = ScheduleDeclaration(rules: [.cron("@daily")], timezone: "America/New_Yrok")
        let errors = try #require(throws: ScheduleErrors.self) { try Schedule(declaration, campaign: "a") }.errors
        #expect(errors.map(\.remedy) == ["did you mean 'America/New_York'?"])
    }
}
