import Campaigns
import FoundationEssentials
import Push
import PushTestSupport
import Scheduler
import Schedules
import Storage
import Synchronization
import Testing

/// One occurrence, from its claim to its end.
@Suite(.timeLimit(.minutes(1)))
struct RunTests {
    private static let nine = "2026-12-01T09:00:00Z"

    private func loop(
        _ store: any Store, _ campaigns: [Campaign], _ provider: RecordingProvider, at time: String = nine,
        notifications: PlainNotifications = PlainNotifications(), settings: SchedulerSettings = SchedulerSettings(),
        events: EventRecorder = EventRecorder()
    ) throws -> SchedulerLoop {
        SchedulerLoop(
            store: store, source: FixedCampaigns(campaigns), notifications: notifications,
            pipeline: try PushPipeline(providers: [provider]), settings: settings,
            clock: SimulatedClock(try instant(time)).clock, onEvent: events.take)
    }

    private func daily(_ id: String = "digest", filter: String = "everyone", more: String = "") throws -> Campaign {
        try campaign(id, schedule: "{cron: \"0 9 * * *\"}", filter: filter, more: more)
    }

    @Test func `an occurrence is sent to its audience, recorded and finished`() async throws {
        let store = try await SQLiteStore.withDevices(5)
        try await store.save([.test("other", platform: .android)])
        let provider = RecordingProvider()
        let runs = try await loop(
            store, [daily(filter: "{platforms: [iOS]}")], provider, settings: SchedulerSettings(pageSize: 2)
        ).runOnce()
        let run = try #require(runs.first)
        #expect(runs.count == 1)
        #expect(run.state == .succeeded && run.reason == nil && run.finishedAt != nil)
        #expect(run.campaign == "digest")
        #expect(run.occurrence == (try instant(Self.nine)))
        #expect(run.counts.sent == 5 && run.counts.total == 5)
        #expect(provider.tokens == ["t1", "t2", "t3", "t4", "t5"])
        #expect(Set(provider.messages.map(\.notification.title)) == ["digest"])
        #expect(try await store.runs(campaign: nil, limit: 10) == runs)
        let deliveries = try await store.deliveries(of: run.id, after: .unsaved, limit: 10)
        #expect(deliveries.map(\.status) == Array(repeating: .success, count: 5))
        #expect(deliveries.allSatisfy { $0.provider == "test" })
    }

    @Test func `an occurrence runs once however often it is asked for`() async throws {
        let store = try await SQLiteStore.withDevices(3)
        let provider = RecordingProvider()
        for second in ["09:00:00", "09:00:30", "09:00:00", "08:59:59", "09:00:59"] {
            _ = try await loop(store, [daily()], provider, at: "2026-12-01T\(second)Z").runOnce()
        }
        #expect(provider.messages.count == 3)
        #expect(try await store.runs(campaign: nil, limit: 10).count == 1)
    }

    @Test func `dead tokens go, renewed ones stay, and the counts say what happened`() async throws {
        let store = try await SQLiteStore.withDevices(4)
        let provider = RecordingProvider { message in
            switch message.registration.token {
            case "t1": PushOutcome(.tokenExpired, reason: "Unregistered", tokenInvalidSince: .test(100))
            case "t2": PushOutcome(.tokenExpired, reason: "Unregistered", tokenInvalidSince: .test(-100))
            case "t3": PushOutcome(.success, updatedToken: "t3-new")
            default: PushOutcome(.success)
            }
        }
        let run = try #require(try await loop(store, [daily()], provider).runOnce().first)
        #expect(run.state == .partial)
        #expect(run.reason == "2 token_expired (Unregistered)")
        #expect(run.counts.sent == 2 && run.counts.failed == 2 && run.counts.tokensRemoved == 1)
        let left = try await store.page(of: .everyone, after: .unsaved, limit: 10).map(\.token)
        #expect(left == ["t2", "t3-new", "t4"])
    }

    @Test func `nobody to send to and a condition that does not hold are skipped runs that say so`() async throws {
        let store = try await SQLiteStore.withDevices(1)
        let provider = RecordingProvider()
        let notifications = PlainNotifications { campaign, _ in campaign.id == "empty" ? "when does not hold" : nil }
        let runs = try await loop(
            store, [daily("nobody", filter: "{tags: [none]}"), daily("empty")], provider, notifications: notifications
        ).runOnce()
        #expect(runs.map(\.state) == [.skipped, .skipped])
        #expect(Set(runs.map(\.reason)) == ["no device matches the filter", "when does not hold"])
        #expect(provider.calls.isEmpty)
    }

    @Test func `data that cannot be resolved fails its run before anything is sent, and no other`() async throws {
        let store = try await SQLiteStore.withDevices(1)
        let provider = RecordingProvider()
        let notifications = PlainNotifications { campaign, _ in
            if campaign.id == "bad" { throw ProcessDied() }
            return nil
        }
        let runs = try await loop(store, [daily("bad"), daily("good")], provider, notifications: notifications)
            .runOnce()
        #expect(
            Dictionary(uniqueKeysWithValues: runs.map { ($0.campaign, $0.state) }) == [
                "bad": .failed, "good": .succeeded,
            ])
        #expect(runs.first { $0.campaign == "bad" }?.reason == "the process died")
    }

    @Test func `a configuration error stops the run at once and removes no token`() async throws {
        let store = try await SQLiteStore.withDevices(100)
        let provider = RecordingProvider("apns") { message in
            message.registration.token == "t3"
                ? PushOutcome(.configurationError, reason: "TopicDisallowed") : PushOutcome(.invalidToken)
        }
        let run = try #require(
            try await loop(store, [daily()], provider, settings: SchedulerSettings(pageSize: 10)).runOnce().first)
        #expect(run.state == .failed)
        #expect(run.reason?.hasPrefix("Configuration error at apns: TopicDisallowed.") == true)
        #expect(provider.messages.count <= 20)
        #expect(try await store.count(of: .everyone) == 100)
    }

    @Test(arguments: 0...6)
    func `a stop between any two pages loses nobody and sends nobody twice`(_ page: Int) async throws {
        let store = try await SQLiteStore.withDevices(12)
        let provider = RecordingProvider()
        let settings = SchedulerSettings(pageSize: 2)
        let first = Later<SchedulerLoop>()
        let events = EventRecorder { event in
            if case .runProgress(let progress) = event, progress.handled >= 2 * page { first.value?.stop() }
        }
        first.value = try loop(store, [daily()], provider, settings: settings, events: events)
        if page == 0 { first.value?.stop() }
        let stopped = try await first.value?.runOnce()
        let unfinished = try await store.unfinishedRuns()
        if page < 4 {
            #expect(stopped?.map(\.state) == (page == 0 ? [] : [.sending]))
            #expect(page == 0 || unfinished.first?.counts.sent == provider.messages.count)
        }
        let rest = try await loop(store, [daily()], provider, settings: settings).runOnce()
        let runs = try await store.runs(campaign: nil, limit: 10)
        #expect(runs.map(\.state) == [.succeeded])
        #expect(runs.first?.counts.sent == 12)
        #expect(provider.tokens == (1...12).map { "t\($0)" })
        #expect(Set(provider.messages.map(\.messageID)).count == 12)
        #expect(rest.count <= 1)
    }

    @Test(arguments: 0...5)
    func `after a crash only what was in flight is sent again, with the same message ids`(_ page: Int) async throws {
        let store = try await SQLiteStore.withDevices(12)
        let provider = RecordingProvider()
        let settings = SchedulerSettings(pageSize: 2)
        let dead = BreakingStore(store, beforePage: page)
        _ = try? await loop(dead, [daily()], provider, settings: settings).runOnce()
        let recorded = try #require(try await store.unfinishedRuns().first)
        #expect(recorded.counts.sent == 2 * page)
        let sentBefore = provider.messages
        _ = try await loop(store, [daily()], provider, settings: settings).runOnce()

        let run = try #require(try await store.runs(campaign: nil, limit: 10).first)
        #expect(run.state == .succeeded && run.counts.sent == 12)
        #expect(Set(provider.tokens) == Set((1...12).map { "t\($0)" }))
        // Two pages may have been in flight when the process died.
        #expect(provider.messages.count <= 12 + 4)
        let again = provider.messages.dropFirst(sentBefore.count)
        #expect(
            !again.contains { message in
                (1...max(1, 2 * page)).contains { page > 0 && message.registration.token == "t\($0)" }
            })
        #expect(Set(provider.messages.map { "\($0.registration.token) \($0.messageID)" }).count == 12)
    }

    @Test func `a run of a campaign that is gone or disabled is ended and says why`() async throws {
        for (campaigns, reason) in [
            ([], "the campaign is no longer there"), ([try daily(more: "enabled: false")], "the campaign was disabled"),
        ] {
            let store = try await SQLiteStore.withDevices(4)
            let provider = RecordingProvider()
            let dead = BreakingStore(store, beforePage: 1)
            _ = try? await loop(dead, [daily()], provider, settings: SchedulerSettings(pageSize: 1)).runOnce()
            let sent = provider.messages.count
            let runs = try await loop(store, campaigns, provider).runOnce()
            #expect(runs.map(\.state) == [.cancelled])
            #expect(runs.map(\.reason) == [reason])
            #expect(provider.messages.count == sent)
        }
    }

    @Test func `several campaigns run side by side, and a slow one holds nobody up`() async throws {
        let store = try await SQLiteStore.withDevices(3)
        let others = (1...5).map { "quick-\($0)" }
        let othersFinished = Signal()
        let left = Mutex(others.count)
        let events = EventRecorder { event in
            guard case .runFinished = event else { return }
            let isLast = left.withLock { left in
                left -= 1
                return left == 0
            }
            if isLast { othersFinished.fire() }
        }
        // The slow one is answered only after all others have finished.
        let provider = RecordingProvider { message in
            if message.notification.title == "slow" { await othersFinished.wait() }
            return PushOutcome(.success)
        }
        let runs = try await loop(
            store, [daily("slow")] + others.map { try daily($0) }, provider,
            settings: SchedulerSettings(concurrentRuns: 2), events: events
        ).runOnce()
        #expect(runs.count == 6 && runs.allSatisfy { $0.state == .succeeded })
        #expect(events.finished.last?.campaign == "slow")
    }

    @Test func `progress tells audience, counts, rate and time left`() async throws {
        let store = try await SQLiteStore.withDevices(5)
        let events = EventRecorder()
        _ = try await loop(
            store, [daily()], RecordingProvider(),
            settings: SchedulerSettings(pageSize: 2, countsAudiences: true), events: events
        ).runOnce()
        let progress = events.events.compactMap { if case .runProgress(let progress) = $0 { progress } else { nil } }
        #expect(progress.map(\.run.counts.sent) == [2, 4, 5])
        #expect(progress.map(\.audience) == [5, 5, 5])
        #expect(progress.last?.timeLeft == .zero)
        let half = RunProgress(
            run: try #require(progress.first).run, audience: 12, handled: 2, elapsed: .seconds(4))
        #expect(half.rate == 0.5)
        #expect(half.timeLeft == .seconds(20))
    }

    @Test func `a dry run counts what would happen and does none of it`() async throws {
        let store = try await SQLiteStore.withDevices(3)
        try await store.save([.test("tagged", tags: ["opted-out"]), .test("window", platform: .windows)])
        let provider = RecordingProvider(platforms: [.iOS])
        let skipping = SkipTagged(tag: "opted-out")
        let dryRun = DryRun(
            registrations: store, notifications: PlainNotifications(interceptors: [skipping]),
            pipeline: try PushPipeline(providers: [provider]), pageSize: 2)
        let campaign = try daily()
        let occurrence = try #require(campaign.schedule.occurrence(at: try instant(Self.nine)))
        let report = try await dryRun.report(campaign, at: occurrence)
        #expect(report.audience == 5 && report.wouldSend == 3)
        #expect(report.byProvider == ["test": 3])
        #expect(report.skipped == ["tagged opted-out": 1])
        #expect(report.failed == ["no provider serves Windows for the default app": 1])
        #expect(provider.calls.isEmpty)
        #expect(try await store.runs(campaign: nil, limit: 10).isEmpty)
    }
}

private struct SkipTagged: PushInterceptor {
    let name = "skip"
    let tag: String

    func beforeSend(_ context: inout PushSendContext) async throws -> InterceptorResult {
        context.registration.tags.contains(tag) ? .skip(reason: "tagged \(tag)") : .proceed
    }
}
