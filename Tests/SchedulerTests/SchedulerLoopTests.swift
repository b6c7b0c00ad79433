import Campaigns
import Foundation
import Push
import PushTestSupport
import Scheduler
import Schedules
import Storage
import Synchronization
import Testing

/// The loop over simulated time.
@Suite(.timeLimit(.minutes(2)))
struct SchedulerLoopTests {
    /// A loop and the clock that it lives by.
    private struct World {
        let store: SQLiteStore
        let provider = RecordingProvider()
        let clock: SimulatedClock
        let events = EventRecorder()

        init(devices: Int = 1, start: String) async throws {
            store = try await SQLiteStore.withDevices(devices)
            clock = SimulatedClock(try instant(start))
        }

        func loop(
            _ source: any CampaignSource, settings: SchedulerSettings = SchedulerSettings(),
            provider: RecordingProvider? = nil
        ) throws -> SchedulerLoop {
            let loop = SchedulerLoop(
                store: store, source: source, notifications: PlainNotifications(),
                pipeline: try PushPipeline(providers: [provider ?? self.provider]), settings: settings,
                clock: clock.clock, onEvent: events.take)
            clock.whenSleeping { await loop.waitUntilIdle() }
            return loop
        }

        func run(_ campaigns: [Campaign], until end: String) async throws {
            try await loop(FixedCampaigns(campaigns)).run(until: try instant(end))
        }

        func runs() async throws -> [Run] {
            try await store.runs(campaign: nil, limit: 100_000).sorted {
                ($0.occurrence, $0.campaign) < ($1.occurrence, $1.campaign)
            }
        }
    }

    @Test func `a day fires what its schedules say, at their instants`() async throws {
        let world = try await World(start: "2026-12-01T00:00:00Z")
        try await world.run(
            [
                try campaign("half-hourly", schedule: "{every: 30m}"),
                try campaign("morning", schedule: "{cron: \"0 9 * * *\", timezone: Europe/Berlin}"),
            ], until: "2026-12-02T00:00:00Z")
        let runs = try await world.runs()
        #expect(runs.filter { $0.campaign == "half-hourly" }.count == 48)
        #expect(
            runs.filter { $0.campaign == "morning" }.map(\.occurrence) == [try instant("2026-12-01T08:00:00Z")])
        #expect(runs.allSatisfy { $0.state == .succeeded })
        for run in runs {
            #expect(Int64(run.startedAt.timeIntervalSince1970) == run.occurrence.secondsSinceEpoch)
        }
    }

    /// A month with nightly restarts, days of downtime and a clock that is set forwards and back.
    @Test(arguments: ["latest", "all", "none"])
    func `a month with restarts and clock steps is what the schedules predict`(_ catchUp: String) async throws {
        let world = try await World(start: "2026-10-10T12:00:00Z")
        let policy = "catch_up: {runs: \(catchUp), within: 6h}"
        let campaigns = [
            try campaign("a", schedule: "{cron: \"30 2 * * *\", timezone: Europe/Berlin, \(policy)}"),
            try campaign("b", schedule: "{cron: \"*/45 * * * *\", timezone: America/New_York, \(policy)}"),
            try campaign("c", schedule: "{every: 7h, \(policy)}"),
            try campaign("d", schedule: "{cron: \"0 0 1 * *\", timezone: Australia/Lord_Howe, \(policy)}"),
        ]
        // Wall-clock stretches in which a scheduler runs, in the order in which they are lived through.
        let stretches = [
            ("2026-10-10T12:00:00Z", "2026-10-12T03:10:00Z"), ("2026-10-12T03:10:30Z", "2026-10-16T20:00:00Z"),
            // Down for two days.
            ("2026-10-18T20:07:00Z", "2026-10-24T23:59:59Z"),
            // The clock is set back by three hours, over the end of summer time in Europe.
            ("2026-10-24T20:59:59Z", "2026-10-26T06:00:00Z"),
            // And forwards by five hours.
            ("2026-10-26T11:00:00Z", "2026-11-02T09:00:00Z"), ("2026-11-02T09:00:00Z", "2026-11-10T12:00:00Z"),
        ]
        for (start, end) in stretches {
            world.clock.set(try instant(start))
            try await world.run(campaigns, until: end)
        }

        var expected: Set<Fired> = []
        for campaign in campaigns {
            var reached = try instant(stretches[0].0)
            for (start, end) in stretches {
                let (start, end) = (try instant(start), try instant(end))
                if start > reached { expected.formUnion(caughtUp(campaign, from: reached, to: start, policy: catchUp)) }
                for occurrence in campaign.schedule.occurrences(after: start, through: end, limit: .max) {
                    expected.insert(Fired(campaign: campaign.id, instant: occurrence.instant))
                }
                reached = end
            }
        }
        let fired = try await world.runs().filter { $0.state == .succeeded }
        #expect(Set(fired.map { Fired(campaign: $0.campaign, instant: $0.occurrence) }) == expected)
        #expect(world.provider.messages.count == expected.count)
        #expect(Set(world.provider.messages.map(\.messageID)).count == expected.count)
    }

    private struct Fired: Hashable {
        var campaign: String
        var instant: Instant
    }

    private func caughtUp(_ campaign: Campaign, from: Instant, to: Instant, policy: String) -> [Fired] {
        let missed = campaign.schedule.occurrences(after: from, through: to, limit: .max).map(\.instant)
        let recent = missed.filter { $0 >= to.advanced(bySeconds: policy == "none" ? -60 : -6 * 3_600) }
        return (policy == "all" ? recent : recent.suffix(1)).map { Fired(campaign: campaign.id, instant: $0) }
    }

    @Test func `a clock that is set while the loop sleeps repeats nothing and loses nothing`() async throws {
        let world = try await World(start: "2026-12-01T00:00:30Z")
        world.clock.step(at: try instant("2026-12-01T10:30:00Z"), by: -2 * 3_600)
        world.clock.step(at: try instant("2026-12-01T12:30:00Z"), by: 3 * 3_600)
        try await world.run(
            [try campaign("hourly", schedule: "{cron: \"0 * * * *\", catch_up: {runs: all, within: 1d}}")],
            until: "2026-12-02T00:00:00Z")
        let runs = try await world.runs()
        #expect(runs.count == 24 && world.provider.messages.count == 24)
    }

    @Test func `a clock that was far ahead does not silence a campaign once it is right again`() async throws {
        let world = try await World(start: "2027-06-01T00:00:00Z")
        let daily = try campaign("daily", schedule: "{cron: \"0 9 * * *\"}")
        try await world.run([daily], until: "2027-06-01T10:00:00Z")
        world.clock.set(try instant("2026-12-01T00:00:00Z"))
        try await world.run([daily], until: "2026-12-01T10:00:00Z")
        #expect(
            try await world.runs().map(\.occurrence) == [
                try instant("2026-12-01T09:00:00Z"), try instant("2027-06-01T09:00:00Z"),
            ])
    }

    @Test func `a missed stretch whose first occurrences have runs is told by the first that has none`() async throws {
        let world = try await World(start: "2026-12-07T09:30:00Z")
        let hourly = try campaign("hourly", schedule: "{cron: \"0 * * * *\"}")
        try await world.run([hourly], until: "2026-12-07T12:30:00Z")
        // The second time everything has its run, and nothing is told twice.
        for _ in 1...2 {
            world.clock.set(try instant("2026-12-07T09:30:00Z"))
            try await world.run([hourly], until: "2026-12-07T09:40:00Z")
            world.clock.set(try instant("2026-12-14T09:30:00Z"))
            try await world.run([hourly], until: "2026-12-14T09:31:00Z")
            let runs = try await world.runs()
            #expect(runs.count == 5)
            #expect(runs.filter { $0.state == .succeeded }.count == 4)
            let told = try #require(runs.first { $0.state == .skipped })
            #expect(told.occurrence == (try instant("2026-12-07T13:00:00Z")))
            #expect(told.reason?.contains("with 163 later ones up to 2026-12-14T08:00:00Z") == true)
        }
        let notes = world.events.events.filter { if case .missed = $0 { true } else { false } }
        #expect(notes.count == 1)
    }

    @Test func `a missed occurrence is a skipped run that says so`() async throws {
        let world = try await World(start: "2026-12-01T00:00:00Z")
        let daily = try campaign("daily", schedule: "{cron: \"0 9 * * *\"}")
        try await world.run([daily], until: "2026-12-01T08:00:00Z")
        world.clock.set(try instant("2026-12-03T12:00:00Z"))
        try await world.run([daily], until: "2026-12-03T13:00:00Z")
        let run = try #require(try await world.runs().first)
        #expect(run.state == .skipped)
        #expect(run.occurrence == (try instant("2026-12-01T09:00:00Z")))
        #expect(run.reason?.hasPrefix("missed: ") == true)
        #expect(world.provider.calls.isEmpty)
    }

    @Test func `an edit fires neither the past of the edited campaign nor another one`() async throws {
        let world = try await World(start: "2026-12-01T08:00:00Z")
        let source = ScriptedCampaigns()
        source.set([
            try campaign("a", schedule: "{cron: \"0 9 * * *\"}"), try campaign("b", schedule: "{cron: \"0 9 * * *\"}"),
        ])
        let loop = try world.loop(source)
        world.clock.whenSleeping { [clock = world.clock] in
            await loop.waitUntilIdle()
            // At half past nine, a is moved to a quarter past nine.
            guard let now = try? instant("2026-12-01T09:30:00Z"), clock.now >= now,
                let moved = try? campaign("a", schedule: "{cron: \"15 9 * * *\"}"),
                let other = try? campaign("b", schedule: "{cron: \"0 9 * * *\"}", more: "owner: somebody-else")
            else { return }
            source.set([moved, other])
        }
        try await loop.run(until: try instant("2026-12-02T09:30:00Z"))
        let runs = try await world.runs().map { "\($0.campaign) \($0.occurrence)" }
        #expect(
            runs == [
                "a 2026-12-01T09:00:00Z", "b 2026-12-01T09:00:00Z", "b 2026-12-02T09:00:00Z", "a 2026-12-02T09:15:00Z",
            ])
        let changes = world.events.events.compactMap {
            if case .campaignsLoaded(let changes) = $0 { changes } else { nil }
        }
        #expect(changes.count == 2 && changes[1].changed == ["a", "b"])
    }

    @Test func `a campaign that goes and comes back fires nothing for the time between`() async throws {
        let world = try await World(start: "2026-12-01T08:00:00Z")
        let daily = try campaign("a", schedule: "{cron: \"0 9 * * *\"}")
        try await world.run([daily], until: "2026-12-01T08:30:00Z")
        try await world.run([], until: "2026-12-01T09:30:00Z")
        try await world.run([daily], until: "2026-12-02T08:59:00Z")
        #expect(try await world.runs().isEmpty)
    }

    @Test(arguments: [("skip", ["succeeded", "skipped"]), ("queue", ["succeeded", "succeeded"])])
    func `an occurrence that falls into the run before it is skipped or queued`(
        _ overlap: String, _ states: [String]
    ) async throws {
        let world = try await World(start: "2026-12-01T08:59:30Z")
        let gate = Signal()
        let provider = RecordingProvider { _ in
            await gate.wait()
            return PushOutcome(.success)
        }
        let loop = try world.loop(
            FixedCampaigns([try campaign("a", schedule: "{cron: \"* * * * *\", overlap: \(overlap)}")]),
            provider: provider)
        // The first run stays in flight until the second occurrence was dealt with.
        world.clock.whenSleeping { [clock = world.clock] in
            guard let second = try? instant("2026-12-01T09:01:00Z"), clock.now >= second else { return }
            gate.fire()
            await loop.waitUntilIdle()
        }
        try await loop.run(until: try instant("2026-12-01T09:01:30Z"))
        let runs = try await world.runs()
        #expect(runs.map(\.state.rawValue) == states)
        if overlap == "skip" { #expect(runs[1].reason == "the run of 2026-12-01T09:00:00Z was still sending") }
    }

    /// Breaks the store from one instant to another and returns what a loop over it made of the nine o'clock run.
    private func runs(
        _ world: World, broken: (from: String, until: String), beforePage page: Int = .max
    ) async throws -> [Run] {
        let store = BreakingStore(world.store, beforePage: page)
        let loop = SchedulerLoop(
            store: store, source: FixedCampaigns([try campaign("a", schedule: "{cron: \"0 9 * * *\"}")]),
            notifications: PlainNotifications(), pipeline: try PushPipeline(providers: [world.provider]),
            settings: SchedulerSettings(pageSize: 2, pagesInFlight: 1), clock: world.clock.clock,
            onEvent: world.events.take)
        let (from, until) = (try instant(broken.from), try instant(broken.until))
        world.clock.whenSleeping { [clock = world.clock] in
            await loop.waitUntilIdle()
            if clock.now >= from { store.isBroken = clock.now < until }
        }
        try await loop.run(until: try instant("2026-12-01T09:05:00Z"))
        #expect(store.isBroken == false)
        return try await world.runs()
    }

    @Test func `new rules of a time zone move what is to come`() async throws {
        let zones = try ["Europe/Berlin", "America/New_York"].map { place in
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("carillon-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let rules = URL(fileURLWithPath: "/usr/share/zoneinfo/\(place)")
            try FileManager.default.copyItem(at: rules, to: folder.appendingPathComponent("Place"))
            return folder
        }
        defer { for folder in zones { try? FileManager.default.removeItem(at: folder) } }
        let text = "schedule: {cron: \"0 9 * * *\", timezone: Place}\nfilter: everyone\nnotification: {title: Hello}\n"
        let campaigns = try zones.map { folder in
            let settings = CampaignSettings(timeZones: TimeZoneDatabase(directory: folder.path))
            return try #require(
                CampaignFile(path: "campaigns/a.yaml", bytes: Array(text.utf8), root: "campaigns", settings: settings)
                    .campaign)
        }
        let world = try await World(start: "2026-12-01T06:00:00Z")
        let source = ScriptedCampaigns()
        source.set([campaigns[0]])
        let loop = try world.loop(source)
        let change = try instant("2026-12-01T07:00:00Z")
        world.clock.whenSleeping { [clock = world.clock] in
            await loop.waitUntilIdle()
            if clock.now >= change { source.set([campaigns[1]], timeZonesChanged: true) }
        }
        try await loop.run(until: try instant("2026-12-01T18:00:00Z"))
        // Nine o'clock is at 14:00 UTC now, no more at 08:00.
        #expect(try await world.runs().map(\.occurrence) == [try instant("2026-12-01T14:00:00Z")])
    }

    @Test func `a store that takes no claims for a while is tried again and nothing is lost`() async throws {
        let world = try await World(devices: 2, start: "2026-12-01T08:58:00Z")
        let runs = try await runs(world, broken: ("2026-12-01T08:58:30Z", "2026-12-01T09:00:25Z"))
        #expect(world.provider.messages.count == 2)
        #expect(runs.map(\.state) == [.succeeded])
        #expect(world.events.events.contains { if case .storeFailed = $0 { true } else { false } })
    }

    @Test func `a run whose page cannot be recorded goes on after the last one that could`() async throws {
        let world = try await World(devices: 6, start: "2026-12-01T08:59:30Z")
        let runs = try await runs(
            world, broken: ("2026-12-01T09:00:00Z", "2026-12-01T09:00:15Z"), beforePage: 1)
        #expect(runs.map(\.state) == [.succeeded])
        #expect(runs.map(\.counts.sent) == [6])
        // The second page was sent and not recorded, so it is sent again; the first one is not.
        #expect(world.provider.tokens.filter { $0 == "t1" || $0 == "t2" }.count == 2)
        #expect(Set(world.provider.messages.map(\.messageID)).count == 6)
    }

    @Test func `a stop wakes the loop and leaves an unfinished run to the next start`() async throws {
        let world = try await World(devices: 20, start: "2026-12-01T08:59:30Z")
        let stopping = Later<SchedulerLoop>()
        let provider = RecordingProvider { _ in
            stopping.value?.stop()
            return PushOutcome(.success)
        }
        let daily = FixedCampaigns([try campaign("a", schedule: "{cron: \"0 9 * * *\"}")])
        let loop = try world.loop(daily, settings: SchedulerSettings(pageSize: 2), provider: provider)
        stopping.value = loop
        try await loop.run()
        #expect(try await world.store.unfinishedRuns().count == 1)
        #expect(world.events.events.contains { if case .runInterrupted = $0 { true } else { false } })
        let before = provider.messages.count
        #expect(before < 20)

        try await world.run([try campaign("a", schedule: "{cron: \"0 9 * * *\"}")], until: "2026-12-01T09:02:00Z")
        #expect(before + world.provider.messages.count == 20)
        #expect(try await world.runs().map(\.state) == [.succeeded])
    }

    @Test func `a run that is resumed a day later does not cost the day's own run`() async throws {
        let world = try await World(devices: 4, start: "2026-12-01T08:59:30Z")
        let daily = try campaign("a", schedule: "{cron: \"0 9 * * *\"}")
        let dead = SchedulerLoop(
            store: BreakingStore(world.store, beforePage: 1), source: FixedCampaigns([daily]),
            notifications: PlainNotifications(), pipeline: try PushPipeline(providers: [RecordingProvider()]),
            settings: SchedulerSettings(pageSize: 2), clock: world.clock.clock)
        world.clock.whenSleeping { await dead.waitUntilIdle() }
        try await dead.run(until: try instant("2026-12-01T09:00:10Z"))
        world.clock.set(try instant("2026-12-02T09:00:20Z"))
        try await world.run([daily], until: "2026-12-02T09:01:00Z")
        let runs = try await world.runs()
        #expect(runs.map(\.state) == [.succeeded, .succeeded] && runs.map(\.counts.sent) == [4, 4])
        #expect(world.provider.tokens == ["t3", "t4", "t1", "t2", "t3", "t4"])
    }

    @Test func `cancelling the loop's task is a clean stop`() async throws {
        let world = try await World(start: "2026-12-01T08:59:30Z")
        let started = Signal()
        let clock = SchedulerClock(wall: world.clock.clock.wall) { _ in
            started.fire()
            // Ends when it is cut short.
            await Signal().wait()
        }
        let loop = SchedulerLoop(
            store: world.store, source: FixedCampaigns([]), notifications: PlainNotifications(),
            pipeline: try PushPipeline(providers: []), clock: clock)
        let task = Task { try await loop.run() }
        await started.wait()
        task.cancel()
        try await task.value
    }
}

/// Campaigns that a test changes.
private final class ScriptedCampaigns: CampaignSource {
    private let state = Mutex<(campaigns: [Campaign], isNew: Bool, hasNewZones: Bool)>(([], true, false))

    func set(_ campaigns: [Campaign], timeZonesChanged: Bool = false) {
        state.withLock { $0 = (campaigns, true, timeZonesChanged) }
    }

    func update() async -> CampaignUpdate? {
        state.withLock { state in
            defer { state.isNew = false }
            return state.isNew
                ? CampaignUpdate(campaigns: state.campaigns, timeZonesChanged: state.hasNewZones) : nil
        }
    }

    func pause() async -> Double? { 60 }
}
