import Campaigns
import FoundationEssentials
import Push
import Schedules
import Storage

/// Sends one run: audience page by page, each page in one transaction with its deliveries, token changes and cursor.
struct CampaignRunner: Sendable {
    let store: any Store
    let notifications: any NotificationSource
    let pipeline: PushPipeline
    let settings: SchedulerSettings
    let clock: SchedulerClock
    let stop: StopFlag
    let onEvent: @Sendable (SchedulerEvent) -> Void

    enum End: Sendable {
        case finished(Run)
        case interrupted(Run, reason: String)
    }

    /// Sends a claimed run after its cursor and finishes it, unless it is interrupted.
    @concurrent
    func send(_ run: Run, of campaign: Campaign) async -> End {
        do {
            guard let occurrence = campaign.schedule.occurrence(at: run.occurrence) else {
                return .finished(try await finish(run, .failed, "the campaign has no schedule"))
            }
            let content: RunContent
            do {
                content = try await notifications.content(of: campaign, at: occurrence)
            } catch {
                return .finished(try await finish(run, .failed, "\(error)"))
            }
            switch content {
            case .nothing(let reason):
                let state: RunState = run.counts.total == 0 ? .skipped : .partial
                return .finished(try await finish(run, state, reason))
            case .notifications(let make, let interceptors):
                return try await send(
                    run, to: campaign.filter, make, through: pipeline.with(interceptors: interceptors))
            }
        } catch {
            return .interrupted(run, reason: "\(error)")
        }
    }

    private func send(
        _ claimed: Run, to filter: PushFilter, _ make: @escaping @Sendable (Registration) throws -> PushNotification,
        through pipeline: PushPipeline
    ) async throws -> End {
        let audienceSize = settings.countsAudiences ? try await store.count(of: filter) : nil
        let began = ContinuousClock.now
        var audience = FilteredAudience(filter, in: store, pageSize: settings.pageSize, after: claimed.cursor)
        var run = claimed
        var failures = FailureSummary()
        let end = await pipeline.sendBatch(
            batchID: claimed.batchID, to: &audience, pagesInFlight: settings.pagesInFlight, notification: make,
            shouldStop: { stop.isSet },
            commit: { page in
                run = try await store.record(PageRecord(page), of: claimed.id)
                failures.add(page.results)
                onEvent(
                    .runProgress(
                        RunProgress(
                            run: run, audience: audienceSize, handled: run.counts.total - claimed.counts.total,
                            elapsed: .now - began)))
            })
        switch RunConclusion(end, counts: run.counts, failures: failures) {
        case .interrupted(let reason): return .interrupted(run, reason: reason.description)
        case .finished(let state, let reason): return .finished(try await finish(run, state, reason))
        }
    }

    private func finish(_ run: Run, _ state: RunState, _ reason: String?) async throws -> Run {
        try await store.finish(run.id, state: state, reason: reason, now: clock.wall.now)
    }
}

extension PageRecord {
    /// What a page of a run changes.
    init(_ page: ReviewedPage) {
        self.init(
            deliveries: page.results.map { result in
                Delivery(
                    registrationID: result.registrationID, status: result.status, provider: result.provider,
                    reason: result.reason, providerMessageID: result.outcome.providerMessageID)
            }, tokenChanges: page.tokenChanges, counts: page.counts, cursor: page.page.cursor)
    }
}
