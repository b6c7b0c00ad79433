import FoundationEssentials
import Push
import Schedules
import Storage
import Synchronization

struct ProcessDied: Error, CustomStringConvertible {
    let description = "the process died"
}

/// A store that takes no writes while it is broken, as when its process died or its disk is full.
final class BreakingStore: Store {
    private let behind: any Store
    private let state: Mutex<(pagesLeft: Int, isBroken: Bool)>

    /// - Parameter page: how many pages are recorded before it breaks by itself.
    init(_ behind: any Store, beforePage page: Int = .max) {
        self.behind = behind
        state = Mutex((page, false))
    }

    var isBroken: Bool {
        get { state.withLock { $0.isBroken } }
        set { state.withLock { $0.isBroken = newValue } }
    }

    private func stayAlive() throws {
        if isBroken { throw ProcessDied() }
    }

    func record(_ page: PageRecord, of run: RunID) async throws -> Run {
        state.withLock { state in
            if state.pagesLeft == 0 { state.isBroken = true }
            state.pagesLeft -= 1
        }
        try stayAlive()
        return try await behind.record(page, of: run)
    }

    func save(_ registrations: [Registration]) async throws { try await behind.save(registrations) }
    func remove(token: String, platform: Platform, appID: String?) async throws -> Bool {
        try await behind.remove(token: token, platform: platform, appID: appID)
    }
    func subscribe(token: String, platform: Platform, appID: String?, to topic: String) async throws -> Bool {
        try await behind.subscribe(token: token, platform: platform, appID: appID, to: topic)
    }
    func unsubscribe(token: String, platform: Platform, appID: String?, from topic: String) async throws -> Bool {
        try await behind.unsubscribe(token: token, platform: platform, appID: appID, from: topic)
    }
    func page(of filter: PushFilter, after: RegistrationID, limit: Int) async throws -> [Registration] {
        try await behind.page(of: filter, after: after, limit: limit)
    }
    func count(of filter: PushFilter) async throws -> Int { try await behind.count(of: filter) }
    func apply(_ changes: [TokenChange]) async throws -> [Bool] { try await behind.apply(changes) }
    func importRegistrations(
        _ nextBatch: @escaping @Sendable () async throws -> [Registration]?
    ) async throws -> SaveCounts { try await behind.importRegistrations(nextBatch) }
    func registrations(after: RegistrationID, limit: Int) async throws -> [Registration] {
        try await behind.registrations(after: after, limit: limit)
    }
    func remove(_ filter: PushFilter) async throws -> Int { try await behind.remove(filter) }
    func claimRun(campaign: String, occurrence: Instant, batchID: String, now: Date) async throws -> RunClaim {
        try stayAlive()
        return try await behind.claimRun(campaign: campaign, occurrence: occurrence, batchID: batchID, now: now)
    }
    func finish(_ run: RunID, state: RunState, reason: String?, now: Date) async throws -> Run {
        try stayAlive()
        return try await behind.finish(run, state: state, reason: reason, now: now)
    }
    func runs(campaign: String?, limit: Int) async throws -> [Run] {
        try await behind.runs(campaign: campaign, limit: limit)
    }
    func run(_ id: RunID) async throws -> Run { try await behind.run(id) }
    func unfinishedRuns() async throws -> [Run] { try await behind.unfinishedRuns() }
    func deliveries(of run: RunID, after: RegistrationID, limit: Int) async throws -> [Delivery] {
        try await behind.deliveries(of: run, after: after, limit: limit)
    }
    func progress() async throws -> [CampaignProgress] { try await behind.progress() }
    func saveProgress(_ progress: [CampaignProgress]) async throws {
        try stayAlive()
        try await behind.saveProgress(progress)
    }
    func close() async {}
}
