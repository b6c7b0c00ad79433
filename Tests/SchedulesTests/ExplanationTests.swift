import Testing

@testable import Schedules

@Suite struct ExplanationTests {
    private func schedule(
        _ cron: String, _ zone: String, adjust: (inout ScheduleDeclaration) -> Void = { _ in }
    ) throws -> Schedule {
        var declaration = ScheduleDeclaration(rules: [.cron(cron)], timezone: zone)
        adjust(&declaration)
        return try Schedule(declaration, campaign: "a")
    }

    @Test func `an occurrence tells what the clocks have to do with it`() throws {
        let berlin = try schedule("30 2 * * *", "Europe/Berlin") { $0.overlapHour = "both" }
        let spring = try Instant(rfc3339: "2026-03-29T03:00:00+02:00")
        let remark = try #require(berlin.remark(at: spring))
        #expect(remark.description.hasPrefix("the clocks skipped from 2026-03-29T02:00:00 past 2026-03-29T02:59:59"))
        let first = try Instant(rfc3339: "2026-10-25T02:30:00+02:00")
        let second = try Instant(rfc3339: "2026-10-25T02:30:00+01:00")
        #expect(berlin.remark(at: first) == .firstPass(other: second))
        #expect(berlin.remark(at: second) == .secondPass(other: first))
        #expect(berlin.remark(at: try Instant(rfc3339: "2026-12-01T02:30:00+01:00")) == nil)
        #expect(try schedule("0 * * * *", "Europe/Berlin").remark(at: spring) == nil)
        #expect(try schedule("0 3 * * *", "Europe/Berlin").remark(at: spring) == nil)
    }

    @Test func `a date tells why nothing fires on it`() throws {
        let date = try CivilDate(parsing: "2026-12-25")
        func reasons(
            _ cron: String, adjust: (inout ScheduleDeclaration) -> Void = { _ in }
        ) throws -> [DayExplanation.Reason] {
            try schedule(cron, "UTC", adjust: adjust).explain(date).reasons
        }
        #expect(try reasons("0 9 * * *") == [])
        #expect(try reasons("0 9 * * MON") == [.noRuleNamesIt])
        #expect(
            try reasons("0 9 * * *") { $0.except = [.date("2026-12-25")] } == [.excepted(date...date, calendar: nil)])
        #expect(
            try reasons("0 9 * * *") { $0.starts = "2026-12-26" } == [
                .notStarted(Instant(rfc3339: "2026-12-26T00:00:00Z"))
            ])
        #expect(
            try reasons("0 9 * * *") { $0.ends = "2026-12-24" } == [.ended(Instant(rfc3339: "2026-12-25T00:00:00Z"))])
    }

    @Test func `a date tells of the clocks that change on it`() throws {
        let spring = try schedule("30 2 * * *", "Europe/Berlin") { $0.gap = "skip" }
            .explain(try CivilDate(parsing: "2026-03-29"))
        #expect(spring.occurrences == [])
        #expect(
            spring.reasons == [
                .clocksWentForward(at: try Instant(rfc3339: "2026-03-29T01:00:00Z"), by: 3_600),
                .skippedInGap(LocalDateTime(secondsSinceEpoch: 1_774_751_400)),
            ])
        let autumn = try schedule("30 2 * * *", "Europe/Berlin").explain(try CivilDate(parsing: "2026-10-25"))
        #expect(autumn.occurrences.map(\.description) == ["2026-10-25T02:30:00+02:00"])
        #expect(autumn.reasons == [.clocksWentBack(at: try Instant(rfc3339: "2026-10-25T01:00:00Z"), by: 3_600)])
        let apia = try schedule("0 9 * * *", "Pacific/Apia").explain(try CivilDate(parsing: "2011-12-30"))
        #expect(
            apia.reasons == [
                .clocksWentForward(at: try Instant(rfc3339: "2011-12-30T10:00:00Z"), by: 86_400), .dateWasSkipped,
            ])
        #expect(apia.occurrences == [])
    }
}
