import Testing

@testable import Schedules

/// `only`, `except` with calendars, `limit`, and each device's own zone.
@Suite struct ConditionTests {
    private func schedule(
        _ rules: [ScheduleDeclaration.Rule], in zone: String = "Europe/Berlin",
        calendars: [String: ExceptedDates] = [:], adjust: (inout ScheduleDeclaration) -> Void = { _ in }
    ) throws -> Schedule {
        var declaration = ScheduleDeclaration(rules: rules, timezone: zone)
        adjust(&declaration)
        return try Schedule(declaration, campaign: "test", calendars: calendars)
    }

    private func times(_ schedule: Schedule, after: String, count: Int) throws -> [String] {
        schedule.occurrences(after: try Instant(rfc3339: after), limit: count).map { "\($0.local)" }
    }

    @Test func `only keeps what lies in a window, its first minute and not its last`() throws {
        let schedule = try schedule([.every("30m")]) { $0.only = [.init(days: "MON-FRI", hours: "09:00-10:00")] }
        #expect(
            try times(schedule, after: "2026-12-04T08:15:00Z", count: 3) == [
                "2026-12-04T09:30:00", "2026-12-07T09:00:00", "2026-12-07T09:30:00",
            ])
    }

    @Test func `a window past midnight belongs to the day on which it opens, the last of the week too`() throws {
        let schedule = try schedule([.cron("0 * * * *")]) { $0.only = [.init(days: "SAT", hours: "23:00-01:00")] }
        #expect(
            try times(schedule, after: "2026-12-04T12:00:00Z", count: 3) == [
                "2026-12-05T23:00:00", "2026-12-06T00:00:00", "2026-12-12T23:00:00",
            ])
    }

    @Test func `several windows unite`() throws {
        let schedule = try schedule([.cron("0 * * * *")]) {
            $0.only = [.init(days: "SUN"), .init(hours: "12:00-13:00"), .init(days: "MON", hours: "00:00-02:00")]
        }
        #expect(
            try times(schedule, after: "2026-12-05T10:30:00Z", count: 28).suffix(4) == [
                "2026-12-06T23:00:00", "2026-12-07T00:00:00", "2026-12-07T01:00:00", "2026-12-07T12:00:00",
            ])
    }

    @Test func `a rule that no window ever admits ends its search`() throws {
        for rule in [ScheduleDeclaration.Rule.cron("0 3 * * *"), .every("24h"), .calendar("03:00")] {
            let schedule = try schedule([rule], in: "UTC") { $0.only = [.init(hours: "09:00-10:00")] }
            #expect(schedule.next(after: Instant(secondsSinceEpoch: 0)) == nil)
        }
    }

    @Test func `windows are kept where the clocks change`() throws {
        // 02:00 to 03:00 does not exist on 2026-03-29 and comes twice on 2026-10-25.
        let schedule = try schedule([.cron("*/30 * * * *")]) { $0.only = [.init(hours: "02:00-03:00")] }
        #expect(
            try times(schedule, after: "2026-03-28T12:00:00Z", count: 2) == [
                "2026-03-30T02:00:00", "2026-03-30T02:30:00",
            ])
        #expect(
            schedule.occurrences(after: try Instant(rfc3339: "2026-10-24T12:00:00Z"), limit: 4).map(\.description) == [
                "2026-10-25T02:00:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-25T02:00:00+01:00",
                "2026-10-25T02:30:00+01:00",
            ])
    }

    @Test func `a shared calendar excepts its dates, and the reason names it`() throws {
        let christmas = try #require(CivilDate(year: 2026, month: 12, day: 25))
        let schedule = try schedule(
            [.cron("0 9 * * *")],
            calendars: ["holidays-de": ExceptedDates([christmas...christmas.advanced(byDays: 1)])]
        ) {
            $0.except = [.calendar("holidays-de"), .date("2026-12-28")]
        }
        #expect(
            try times(schedule, after: "2026-12-24T09:00:00Z", count: 2) == [
                "2026-12-27T09:00:00", "2026-12-29T09:00:00",
            ])
        #expect(
            schedule.explain(christmas).reasons.map { $0.words(in: schedule.zone) } == [
                "except: the calendar holidays-de has this date"
            ])
        #expect(schedule.sentence.contains("except on the dates of holidays-de and on 2026-12-28"))
    }

    @Test func `limit counts occurrences from starts, whenever it is asked`() throws {
        let schedule = try schedule([.cron("0 9 * * MON"), .at(["2026-12-09 10:00"])]) {
            $0.starts = "2026-12-01"
            $0.limit = 3
        }
        let all = ["2026-12-07T09:00:00", "2026-12-09T10:00:00", "2026-12-14T09:00:00"]
        #expect(try times(schedule, after: "2020-01-01T00:00:00Z", count: 9) == all)
        #expect(try times(schedule, after: "2026-12-10T00:00:00Z", count: 9) == all.suffix(1))
        let later = try #require(CivilDate(year: 2026, month: 12, day: 21))
        #expect(schedule.explain(later).reasons == [.limitReached(3)])
    }

    @Test func `a skipped window, a gap and silence each have their reason`() throws {
        let office = try schedule([.cron("0 7 * * *")]) { $0.only = [.init(days: "MON-FRI", hours: "09:00-18:00")] }
        let monday = try #require(CivilDate(year: 2026, month: 12, day: 7))
        #expect(
            office.explain(monday).reasons.map { $0.words(in: office.zone) } == [
                "only: 2026-12-07 at 07:00 lies in no window of only"
            ])
        let night = try schedule([.cron("30 2 * * *")]) { $0.gap = "skip" }
        let spring = try #require(CivilDate(year: 2026, month: 3, day: 29))
        #expect(
            night.explain(spring).reasons.map { $0.words(in: night.zone) } == [
                "the clocks went forward by 1h to 2026-03-29 at 03:00",
                "gap: skip: the clocks never showed 2026-03-29 at 02:30",
            ])
    }

    // MARK: Each device's own zone

    @Test func `an occurrence of recipient time begins where it is that time first`() throws {
        let schedule = try schedule([.cron("0 9 * * MON")], in: "recipient") { $0.fallbackTimezone = "Europe/Berlin" }
        let next = try #require(schedule.next(after: try Instant(rfc3339: "2026-12-01T00:00:00Z")))
        #expect(next.description == "2026-12-07T09:00:00+14:00")
        #expect(schedule.fallbackZone?.name == "Europe/Berlin")
        let berlin = try TimeZoneDatabase.system.rules(named: "Europe/Berlin")
        let kiritimati = try TimeZoneDatabase.system.rules(named: "Pacific/Kiritimati")
        let west = try TimeZoneDatabase.system.rules(named: "Etc/GMT+12")
        #expect(schedule.instant(of: next, in: berlin)?.description == "2026-12-07T08:00:00Z")
        #expect(schedule.instant(of: next, in: kiritimati) == next.instant)
        #expect(schedule.instant(of: next, in: west) == Schedule.lastZone(of: next))
    }

    @Test func `recipient time meets the changes of each zone's clocks by the schedule's own words`() throws {
        let berlin = try TimeZoneDatabase.system.rules(named: "Europe/Berlin")
        for (gap, expected) in [("next", "2026-03-29T01:00:00Z"), ("skip", nil)] {
            let schedule = try schedule([.cron("30 2 * * *")], in: "recipient") { $0.gap = gap }
            let night = try #require(schedule.next(after: try Instant(rfc3339: "2026-03-28T00:00:00Z")))
            #expect("\(night.local)" == "2026-03-29T02:30:00")
            #expect(schedule.instant(of: night, in: berlin)?.description == expected)
        }
    }
}
