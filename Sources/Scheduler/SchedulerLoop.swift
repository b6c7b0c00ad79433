import Campaigns
import FoundationEssentials
package import Push
package import Schedules
package import Storage

/// Watches the time and the campaign files, and has every occurrence run once.
///
/// It sleeps until the next occurrence, but never longer than a minute before it compares the wall clock again, so that a
/// clock that is set or a machine that slept is noticed. An occurrence becomes a claimed run in the store before the
/// campaign's progress is saved; what is claimed and not finished is gone on with at the next start.
package actor SchedulerLoop {
    private let store: any Store
    private let source: any CampaignSource
    private let runner: CampaignRunner
    private let clock: SchedulerClock
    private let makeBatchID: @Sendable () -> String
    private let onEvent: @Sendable (SchedulerEvent) -> Void
    private nonisolated let stopFlag: StopFlag

    private var campaigns = LoadedCampaigns()
    private var board: RunBoard
    /// What `runOnce` returns; nil in the loop, which keeps nothing.
    private var endedRuns: [Run]?
    private var lastSeen: Instant?
    private var nextUpdate: Instant?
    /// When to look for runs that were begun and that nobody goes on with.
    private var nextRecovery: Instant?
    private var sleeping: Task<Void, Never>?
    private var wakeIsDue = false
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    /// How long, in seconds, to wait after the store failed or a run was interrupted.
    private static let retryPause: Int64 = 10
    /// How often, in seconds, runs are looked for whose process died.
    private static let recoveryPause: Int64 = 60

    package init(
        store: any Store,
        source: any CampaignSource,
        notifications: any NotificationSource,
        pipeline: PushPipeline,
        settings: SchedulerSettings = SchedulerSettings(),
        clock: SchedulerClock = .system,
        makeBatchID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() },
        onEvent: @escaping @Sendable (SchedulerEvent) -> Void = { _ in }
    ) {
        let stopFlag = StopFlag()
        self.store = store
        self.source = source
        self.clock = clock
        self.makeBatchID = makeBatchID
        self.onEvent = onEvent
        self.stopFlag = stopFlag
        self.board = RunBoard(limit: settings.concurrentRuns)
        self.runner = CampaignRunner(
            store: store, notifications: notifications, pipeline: pipeline, settings: settings, clock: clock,
            stop: stopFlag, onEvent: onEvent)
    }

    // MARK: Running

    /// Runs until it is stopped, its task is cancelled, or every occurrence up to `until` was dealt with. Returns when
    /// the pages that are in flight are recorded.
    ///
    /// Throws when the store cannot be read at the start; later it is tried again.
    package func run(until: Instant? = nil) async throws {
        try await withTaskCancellationHandler {
            try await begin()
            var shown: Instant??
            while !stopFlag.isSet {
                let now = clock.instant
                await look(at: min(now, until ?? now), mode: .loop)
                if let until, now >= until { break }
                let next = campaigns.agenda.next
                if shown != .some(next) { onEvent(.waiting(until: next)) }
                shown = .some(next)
                await sleep(from: now, until: until)
            }
            await waitUntilIdle()
        } onCancel: {
            stop()
        }
    }

    /// Runs what is due now to its end, and what was begun before. Returns these runs, those that were interrupted in the
    /// state `sending`.
    package func runOnce() async throws -> [Run] {
        endedRuns = []
        try await withTaskCancellationHandler {
            try await begin()
            await look(at: clock.instant, mode: .once)
            await waitUntilIdle()
        } onCancel: {
            stop()
        }
        return (endedRuns ?? []).sorted { ($0.occurrence, $0.id) < ($1.occurrence, $1.id) }
    }

    /// Asks for a clean stop: pages in flight are answered and recorded, unfinished runs stay claimed for the next start.
    package nonisolated func stop() {
        stopFlag.set()
        Task { await wake() }
    }

    /// Has the campaign files looked at now.
    package func reload() {
        nextUpdate = nil
        wake()
    }

    /// Waits until no run goes on or waits.
    package func waitUntilIdle() async {
        if stopFlag.isSet { board.clearWaiting() }
        while !board.isIdle { await withCheckedContinuation { idleWaiters.append($0) } }
    }

    private func begin() async throws {
        campaigns.restore(try await store.progress())
    }

    private func look(at now: Instant, mode: DueOccurrences.Mode) async {
        if nextUpdate.map({ $0 <= now }) ?? true { await takeUpdate(now: now) }
        if let lastSeen, now < lastSeen {
            campaigns.reconsiderAll(at: now)
            nextUpdate = now
            nextRecovery = now
        }
        lastSeen = now
        if nextRecovery.map({ $0 <= now }) ?? true { await recover(now: now) }
        await fireDue(at: now, mode: mode)
        startRuns()
    }

    // MARK: Campaigns

    private func takeUpdate(now: Instant) async {
        let update = await source.update()
        nextUpdate =
            await source.pause().map { now.advanced(bySeconds: max(1, Int64($0.rounded(.up)))) } ?? .distantFuture
        guard let update else { return }
        if let problem = update.treeProblem { onEvent(.treeProblem(problem)) }
        if !update.diagnostics.isEmpty { onEvent(.diagnostics(update.diagnostics)) }
        let isFirst = campaigns.isEmpty
        let changes = campaigns.take(update, now: now)
        if update.timeZonesChanged { campaigns.reconsiderAll(at: now) }
        if isFirst || !(changes.added + changes.changed + changes.removed).isEmpty {
            onEvent(.campaignsLoaded(changes))
        }
    }

    // MARK: Occurrences

    private func fireDue(at now: Instant, mode: DueOccurrences.Mode) async {
        var moved: [CampaignProgress] = []
        for id in campaigns.agenda.takeDue(at: now) {
            guard !stopFlag.isSet else { break }
            do {
                if let progress = try await fire(id, now: now, mode: mode) { moved.append(progress) }
            } catch {
                retryLater([id], now: now, error)
            }
        }
        guard !moved.isEmpty else { return }
        do {
            try await store.saveProgress(moved)
            for progress in moved { campaigns.note(progress) }
        } catch {
            // Their runs are claimed, so looking at them again repeats nothing.
            retryLater(moved.map(\.campaign), now: now, error)
        }
    }

    private func retryLater(_ ids: [String], now: Instant, _ error: any Error) {
        onEvent(.storeFailed("\(error)"))
        for id in ids { campaigns.agenda.set(id, at: now.advanced(bySeconds: Self.retryPause)) }
    }

    /// Claims what is due of one campaign and returns its progress where that moved.
    private func fire(_ id: String, now: Instant, mode: DueOccurrences.Mode) async throws -> CampaignProgress? {
        guard let timing = campaigns.timing(id), let campaign = campaigns[id] else {
            return campaigns.progress[id].flatMap { $0.isRemoved ? nil : CampaignProgress.removed(id, at: now) }
        }
        let due = DueOccurrences(of: timing, progress: campaigns.progress[id], now: now, mode: mode)
        if let missed = due.missed { try await recordMissed(missed, of: campaign, besides: due.runs) }
        for (position, occurrence) in due.runs.enumerated() {
            try await claim(occurrence, of: campaign, origin: position == 0 ? .due : .backlog)
        }
        campaigns.agenda.set(id, at: due.wakeAt)
        return due.progress == campaigns.progress[id] ? nil : due.progress
    }

    private func claim(_ occurrence: Occurrence, of campaign: Campaign, origin: RunBoard.Origin) async throws {
        let claim = try await store.claimRun(
            campaign: campaign.id, occurrence: occurrence.instant, batchID: makeBatchID(), now: clock.wall.now)
        switch claim {
        case .opened(let run):
            if case .overlaps(let other) = board.add(run, overlap: campaign.overlap, origin: origin) {
                let reason = "the run of \(campaign.written(other.occurrence)) was still sending"
                note(try await store.finish(run.id, state: .skipped, reason: reason, now: clock.wall.now))
            }
        case .resumed(let run):
            guard !board.contains(run.id) else { return }
            _ = board.add(run, overlap: campaign.overlap, origin: .resumed)
        case .heldByAnother, .alreadyFinished:
            return
        }
    }

    /// Records a stretch of missed occurrences as the run of the first that has none yet: after the clock was set back
    /// the first ones may have theirs.
    private func recordMissed(
        _ missed: MissedOccurrences, of campaign: Campaign, besides runs: [Occurrence]
    ) async throws {
        var rest: MissedOccurrences? = missed
        while let missed = rest {
            let claim = try await store.claimRun(
                campaign: campaign.id, occurrence: missed.first.instant, batchID: makeBatchID(), now: clock.wall.now)
            switch claim {
            case .opened(let run):
                _ = try await store.finish(run.id, state: .skipped, reason: missed.reason, now: clock.wall.now)
                return onEvent(.missed(campaign: campaign.id, missed))
            case .alreadyFinished(let run) where run.reason == missed.reason:
                // Recorded before, and the progress was not saved.
                return
            case .resumed, .heldByAnother, .alreadyFinished:
                rest = missed.withoutFirst(campaign.schedule, besides: runs)
            }
        }
    }

    // MARK: Runs

    /// Goes on with runs that were begun and that nobody is sending.
    private func recover(now: Instant) async {
        nextRecovery = now.advanced(bySeconds: Self.recoveryPause)
        do {
            for run in try await store.unfinishedRuns() where !board.contains(run.id) { try await goOn(with: run) }
        } catch {
            onEvent(.storeFailed("\(error)"))
            nextRecovery = now.advanced(bySeconds: Self.retryPause)
        }
    }

    /// Goes on with a run, or ends it where that is no longer wanted.
    private func goOn(with run: Run) async throws {
        // A campaign whose file cannot be read is waited for.
        guard let campaign = campaigns[run.campaign] else {
            if campaigns.isComplete { try await cancel(run, because: "the campaign is no longer there") }
            return
        }
        guard campaign.isEnabled else { return try await cancel(run, because: "the campaign was disabled") }
        guard let run = try await claimAgain(run), !board.contains(run.id) else { return }
        _ = board.add(run, overlap: campaign.overlap, origin: .resumed)
    }

    private func cancel(_ run: Run, because reason: String) async throws {
        guard let run = try await claimAgain(run) else { return }
        note(try await store.finish(run.id, state: .cancelled, reason: reason, now: clock.wall.now))
    }

    /// The run, if it is ours to go on with.
    private func claimAgain(_ run: Run) async throws -> Run? {
        let claim = try await store.claimRun(
            campaign: run.campaign, occurrence: run.occurrence, batchID: run.batchID, now: clock.wall.now)
        if case .resumed(let run) = claim { return run }
        return nil
    }

    private func startRuns() {
        guard !stopFlag.isSet else { return board.clearWaiting() }
        for run in board.takeStartable() {
            // Taken now, so that an edit while it is sent does not change what later pages get.
            let campaign = campaigns[run.campaign]
            onEvent(.runStarted(run, isResumed: run.cursor != .unsaved))
            Task {
                guard let campaign else {
                    return ended(run, .interrupted(run, reason: "the campaign is no longer there"))
                }
                ended(run, await runner.send(run, of: campaign))
            }
        }
    }

    private func ended(_ run: Run, _ end: CampaignRunner.End) {
        board.end(run)
        switch end {
        case .finished(let run):
            note(run)
        case .interrupted(let run, let reason):
            onEvent(.runInterrupted(run, reason: reason))
            endedRuns?.append(run)
            nextRecovery = min(nextRecovery ?? .distantFuture, clock.instant.advanced(bySeconds: Self.retryPause))
        }
        startRuns()
        guard board.isIdle else { return }
        for waiter in idleWaiters { waiter.resume() }
        idleWaiters = []
    }

    private func note(_ run: Run) {
        endedRuns?.append(run)
        onEvent(.runFinished(run))
    }

    // MARK: Waiting

    private func sleep(from now: Instant, until: Instant?) async {
        guard !stopFlag.isSet, !wakeIsDue else {
            wakeIsDue = false
            return
        }
        let longest = now.advanced(bySeconds: DueOccurrences.grace)
        let next = [campaigns.agenda.next, nextUpdate, nextRecovery, until].compactMap { $0 }.min()
        let seconds = clock.seconds(until: min(next ?? longest, longest))
        let sleeping = Task { [clock] in await clock.sleep(seconds) }
        self.sleeping = sleeping
        await sleeping.value
        self.sleeping = nil
        wakeIsDue = false
    }

    private func wake() {
        wakeIsDue = true
        sleeping?.cancel()
    }
}

extension Instant {
    /// Later than anything that is scheduled.
    fileprivate static let distantFuture = Instant(secondsSinceEpoch: .max)
}

extension Campaign {
    /// An instant as the campaign's own time zone writes it.
    fileprivate func written(_ instant: Instant) -> String {
        schedule.occurrence(at: instant)?.description ?? "\(instant)"
    }
}
