import Campaigns
import Scheduler
import Schedules
import Storage
import Testing

struct DueOccurrencesTests {
    private static let daily = "{cron: \"0 9 * * *\"}"

    private func due(
        _ schedule: String = daily, considered: String?, now: String, mode: DueOccurrences.Mode = .loop,
        edited: Bool = false, more: String = ""
    ) throws -> DueOccurrences {
        let timing = CampaignTiming(try campaign("c", schedule: schedule, more: more))
        let progress = try considered.map {
            CampaignProgress(
                campaign: "c", scheduleFingerprint: edited ? "another" : timing.fingerprint,
                consideredUntil: try instant($0))
        }
        return DueOccurrences(of: timing, progress: progress, now: try instant(now), mode: mode)
    }

    private func expectRuns(_ due: DueOccurrences, _ expected: [String]) throws {
        #expect(due.runs.map(\.instant) == (try expected.map(instant)))
    }

    @Test func `an occurrence is due when its instant is reached, and once`() throws {
        let before = try due(considered: "2026-12-01T09:00:00Z", now: "2026-12-02T08:59:59Z")
        try expectRuns(before, [])
        #expect(before.wakeAt == (try instant("2026-12-02T09:00:00Z")))
        let at = try due(considered: "2026-12-01T09:00:00Z", now: "2026-12-02T09:00:00Z")
        try expectRuns(at, ["2026-12-02T09:00:00Z"])
        #expect(at.progress.consideredUntil == (try instant("2026-12-02T09:00:00Z")))
        #expect(at.wakeAt == (try instant("2026-12-03T09:00:00Z")))
        let after = try due(considered: "2026-12-02T09:00:00Z", now: "2026-12-02T09:00:00Z")
        try expectRuns(after, [])
    }

    @Test(arguments: [false, true])
    func `a campaign that is new or edited fires nothing that is past`(_ edited: Bool) throws {
        let due = try due(
            considered: edited ? "2026-11-01T00:00:00Z" : nil, now: "2026-12-02T09:00:00Z", edited: edited)
        try expectRuns(due, [])
        #expect(due.missed == nil)
        #expect(due.wakeAt == (try instant("2026-12-03T09:00:00Z")))
        #expect(due.progress.consideredUntil == (try instant("2026-12-02T09:00:00Z")))
    }

    @Test(arguments: [
        ("2026-12-02T08:59:59Z", []), ("2026-12-02T09:00:00Z", ["2026-12-02T09:00:00Z"]),
        ("2026-12-02T09:00:59Z", ["2026-12-02T09:00:00Z"]), ("2026-12-02T09:01:00Z", []),
    ])
    func `called once, the minute that ends now counts for a new campaign`(_ now: String, _ runs: [String]) throws {
        try expectRuns(try due(considered: nil, now: now, mode: .once), runs)
        try expectRuns(try due(considered: "2026-11-01T00:00:00Z", now: now, mode: .once, edited: true), runs)
    }

    @Test(arguments: [
        // Down from Tuesday evening, up again at some time on Thursday.
        ("latest", "1h", "2026-12-03T09:59:00Z", ["2026-12-03T09:00:00Z"], 1),
        ("latest", "1h", "2026-12-03T10:00:00Z", ["2026-12-03T09:00:00Z"], 1),
        ("latest", "1h", "2026-12-03T10:00:01Z", [], 2),
        ("latest", "2d", "2026-12-03T12:00:00Z", ["2026-12-03T09:00:00Z"], 1),
        ("all", "2d", "2026-12-03T08:00:00Z", ["2026-12-02T09:00:00Z"], 0),
        ("all", "2d", "2026-12-03T09:00:00Z", ["2026-12-02T09:00:00Z", "2026-12-03T09:00:00Z"], 0),
        ("all", "1h", "2026-12-03T09:00:00Z", ["2026-12-03T09:00:00Z"], 1),
        ("none", "2d", "2026-12-03T09:01:00Z", ["2026-12-03T09:00:00Z"], 1),
        ("none", "2d", "2026-12-03T09:01:01Z", [], 2),
    ])
    func `what was missed is caught up as the campaign says`(
        _ runs: String, _ within: String, _ now: String, _ expected: [String], _ missed: Int
    ) throws {
        // `catch_up` stands within the schedule.
        let due = try due(
            "{cron: \"0 9 * * *\", catch_up: {runs: \(runs), within: \(within)}}", considered: "2026-12-01T20:00:00Z",
            now: now)
        try expectRuns(due, expected)
        #expect((due.missed?.count ?? 0) == missed)
        #expect(due.progress.consideredUntil <= (try instant(now)))
    }

    @Test func `without a word of the campaign the latest within an hour is caught up`() throws {
        try expectRuns(
            try due(considered: "2026-12-01T20:00:00Z", now: "2026-12-03T10:00:00Z"), ["2026-12-03T09:00:00Z"])
        try expectRuns(try due(considered: "2026-12-01T20:00:00Z", now: "2026-12-03T10:00:01Z"), [])
    }

    @Test func `a year of missed minutes is one run, told as more than a thousand`() throws {
        let due = try due("{cron: \"* * * * *\"}", considered: "2025-12-01T00:00:00Z", now: "2026-12-01T00:00:00Z")
        try expectRuns(due, ["2026-12-01T00:00:00Z"])
        let missed = try #require(due.missed)
        #expect(!missed.isExact && missed.count == 1_000)
        #expect(missed.first.instant == (try instant("2025-12-01T00:01:00Z")))
        #expect(missed.last.instant == (try instant("2026-11-30T23:59:00Z")))
    }

    @Test func `a long backlog that is to be run is taken a thousand at a time`() throws {
        let due = try due(
            "{cron: \"* * * * *\", catch_up: {runs: all, within: 2d}}", considered: "2026-11-30T00:00:00Z",
            now: "2026-12-01T00:00:00Z")
        #expect(due.runs.count == 1_000)
        #expect(due.progress.consideredUntil == due.runs.last?.instant)
        #expect(due.wakeAt == (try instant("2026-12-01T00:00:01Z")))
    }

    @Test func `a campaign that is not enabled fires nothing, and nothing for that time once it is`() throws {
        let off = CampaignTiming(try campaign("c", schedule: Self.daily, more: "enabled: false"))
        let on = CampaignTiming(try campaign("c", schedule: Self.daily))
        let asleep = DueOccurrences(of: off, progress: nil, now: try instant("2026-12-01T08:00:00Z"), mode: .loop)
        #expect(asleep.runs.isEmpty && asleep.wakeAt == nil)
        let awake = DueOccurrences(
            of: on, progress: asleep.progress, now: try instant("2026-12-01T09:30:00Z"), mode: .loop)
        #expect(awake.runs.isEmpty && awake.missed == nil)
        #expect(awake.wakeAt == (try instant("2026-12-02T09:00:00Z")))
    }

    @Test func `when the clock is set back progress follows it`() throws {
        // A clock a year ahead had passed everything over.
        let due = try due(considered: "2027-12-01T09:00:00Z", now: "2026-12-01T08:00:00Z")
        #expect(due.runs.isEmpty)
        #expect(due.progress.consideredUntil == (try instant("2026-12-01T08:00:00Z")))
        #expect(due.wakeAt == (try instant("2026-12-01T09:00:00Z")))
    }

    @Test func `jitter delays the sending and not the instant, and keeps the order`() throws {
        let timing = CampaignTiming(try campaign("c", schedule: "{cron: \"*/5 * * * *\", jitter: 20m}"))
        var progress = CampaignProgress(
            campaign: "c", scheduleFingerprint: timing.fingerprint, consideredUntil: try instant("2026-12-01T08:59:59Z")
        )
        var now = try instant("2026-12-01T09:00:00Z")
        var fired: [(occurrence: Occurrence, at: Instant)] = []
        while fired.count < 50 {
            let due = DueOccurrences(of: timing, progress: progress, now: now, mode: .loop)
            fired += due.runs.map { ($0, now) }
            progress = due.progress
            now = try #require(due.wakeAt)
        }
        #expect(fired.map(\.occurrence.instant) == fired.map(\.occurrence.instant).sorted())
        #expect(fired.allSatisfy { $0.occurrence.firesAt <= $0.at })
        #expect(fired.contains { $0.occurrence.delay.seconds > 0 })
    }

    @Test func `a schedule that is over is never looked at again`() throws {
        let due = try due("{at: 2026-12-01T09:00:00Z}", considered: "2026-12-01T08:00:00Z", now: "2026-12-01T09:00:00Z")
        try expectRuns(due, ["2026-12-01T09:00:00Z"])
        #expect(due.wakeAt == nil)
    }

    @Test func `the history says what was missed`() throws {
        let one = try due(considered: "2026-12-01T20:00:00Z", now: "2026-12-02T20:00:00Z").missed
        #expect(one?.reason == "missed: nothing was running at its time, and the campaign's catch_up leaves it out")
        let three = try due(considered: "2026-12-01T20:00:00Z", now: "2026-12-04T20:00:00Z").missed
        #expect(three?.reason.hasSuffix(", with 2 later ones up to 2026-12-04T09:00:00Z") == true)
    }
}
