import Campaigns
import Foundation
import Schedules
import Storage
import TestSupport
import Testing

@testable import Scheduler

/// A scheduler without sending: the agenda and the pure core, with what a store would keep.
private struct SimulatedScheduler {
    let timings: [String: CampaignTiming]
    /// Kept through restarts, as in a store.
    var progress: [String: CampaignProgress] = [:]
    var runs: [String: Set<Instant>] = [:]
    var missed = 0
    /// Gone with the process.
    var agenda = Agenda()

    mutating func start(at now: Instant) {
        agenda = Agenda()
        for campaign in timings.keys { look(at: campaign, now: now) }
    }

    mutating func wake(at now: Instant) {
        for campaign in agenda.takeDue(at: now) { look(at: campaign, now: now) }
    }

    private mutating func look(at campaign: String, now: Instant) {
        guard let timing = timings[campaign] else { return }
        let due = DueOccurrences(of: timing, progress: progress[campaign], now: now, mode: .loop)
        // The store refuses a second run of the same instant.
        for occurrence in due.runs { runs[campaign, default: []].insert(occurrence.instant) }
        if due.missed != nil { missed += 1 }
        progress[campaign] = due.progress
        agenda.set(campaign, at: due.wakeAt)
    }
}

@Suite struct SimulatedYearTests {
    private static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Havana", "Pacific/Chatham",
        "Asia/Kolkata", "America/Santiago",
    ]
    private static let days = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    private func rule(_ random: inout SeededGenerator) -> ScheduleDeclaration.Rule {
        let (hour, minute) = (Int.random(in: 0...23, using: &random), Int.random(in: 0...59, using: &random))
        let day = Int.random(in: 0...6, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<5: return .cron("\(minute) \(hour) * * *")
        case 5..<8: return .every("\(Int.random(in: 9...40, using: &random))h")
        case 8..<40: return .cron("\(minute) \(hour) * * \(day)")
        case 40..<60: return .rrule("FREQ=WEEKLY;BYDAY=\(Self.days[day]);BYHOUR=\(hour);BYMINUTE=\(minute)")
        case 60..<70: return .rrule("FREQ=MONTHLY;BYDAY=-1\(Self.days[day]);BYHOUR=2;BYMINUTE=30")
        case 70..<90: return .calendar("*-*~0\(day + 1) \(hour):\(minute)")
        default: return .at(["2026-03-29 02:30", "2026-10-25 02:30", "2026-07-01 12:00"])
        }
    }

    private func timings(_ random: inout SeededGenerator) throws -> [String: CampaignTiming] {
        var timings: [String: CampaignTiming] = [:]
        for number in 0..<1_000 {
            let id = "campaign-\(number)"
            let declaration = ScheduleDeclaration(
                rules: [rule(&random)], timezone: Self.zones.randomElement(using: &random),
                except: number % 5 == 0 ? [.range(from: "2026-12-20", to: "2026-12-27")] : [],
                only: number % 7 == 0 ? [.init(days: "MON-SAT")] : [])
            timings[id] = CampaignTiming(
                campaign: id, schedule: CampaignSchedule(parts: [try Schedule(declaration, campaign: id)]),
                catchUp: CatchUp(runs: .all, within: TimeSpan(seconds: 7 * 86_400)))
        }
        return timings
    }

    @Test func `a year of restarts, downtime, suspends and clock steps runs exactly what the schedules say`() throws {
        let seed = ProcessInfo.processInfo.environment["CARILLON_TEST_SEED"].flatMap(UInt64.init) ?? 20_261_130
        var random = SeededGenerator(seed: seed)
        let begin = try Instant(rfc3339: "2026-01-01T00:00:00Z")
        let end = try Instant(rfc3339: "2027-01-01T00:00:00Z")
        var scheduler = SimulatedScheduler(timings: try timings(&random))
        scheduler.start(at: begin)
        var now = begin
        var nextTrouble = begin
        var troubles: [String: Int] = [:]
        while now < end {
            let wake = max(scheduler.agenda.next ?? end, now.advanced(bySeconds: 1))
            now = min(wake, nextTrouble, end)
            if now == nextTrouble, now < end {
                nextTrouble = now.advanced(bySeconds: Int64.random(in: 3_600...400_000, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    // A process that starts again, at once or after days.
                    troubles["restart", default: 0] += 1
                    now = min(end, now.advanced(bySeconds: Int64.random(in: 0...3 * 86_400, using: &random)))
                    scheduler.start(at: now)
                case 1:
                    troubles["suspend", default: 0] += 1
                    now = min(end, now.advanced(bySeconds: 2 * 86_400))
                case 2:
                    troubles["set back", default: 0] += 1
                    now = max(begin, now.advanced(bySeconds: -3_600))
                default:
                    troubles["step", default: 0] += 1
                    now = min(end, now.advanced(bySeconds: Int64.random(in: -30...30, using: &random)))
                }
                nextTrouble = max(nextTrouble, now.advanced(bySeconds: 1))
            }
            scheduler.wake(at: now)
        }
        var total = 0
        var wrong: [String] = []
        for (id, timing) in scheduler.timings {
            let expected = Set(timing.schedule.occurrences(after: begin, through: end, limit: 100_000).map(\.instant))
            total += expected.count
            if scheduler.runs[id, default: []] != expected { wrong.append(id) }
        }
        print("simulated year: seed \(seed), \(total) runs, \(troubles), \(wrong.count) campaigns differ")
        #expect(wrong.sorted().prefix(5) == [])
        #expect(scheduler.missed == 0)
        #expect(total > 40_000)
        #expect(troubles.count == 4)
    }
}
