package import FoundationEssentials
package import Push
package import Schedules

/// Registrations, runs, deliveries and progress behind one protocol.
///
/// Every implementation passes one conformance suite. Methods are safe to call from anywhere; writes are serialized
/// by the store, and reads see what was committed.
package protocol Store: RegistrationRepository {
    /// Saves batches until there are no more, as `save` does, and is the fast way for many registrations.
    ///
    /// Into an empty store everything is one transaction; into another one each batch is. The next batch is asked for
    /// while the one before is written.
    func importRegistrations(
        _ nextBatch: @escaping @Sendable () async throws -> [Registration]?
    ) async throws -> SaveCounts

    /// All registrations of every token kind in id order, after one of them.
    func registrations(after: RegistrationID, limit: Int) async throws -> [Registration]

    /// Removes everyone in the audience and returns how many that were.
    func remove(_ filter: PushFilter) async throws -> Int

    /// Opens the run of an occurrence, or says that it has one. Campaign and occurrence are unique, and a run that is
    /// not finished is held by the store that claimed it until it is finished, the store is closed or its process ends.
    /// The same store may claim it again.
    func claimRun(campaign: String, occurrence: Instant, batchID: String, now: Date) async throws -> RunClaim

    /// Records a page in one transaction and returns the run with its counts brought up to date. A page whose cursor the
    /// run has reached already changes nothing, so recording it twice is safe.
    func record(_ page: PageRecord, of run: RunID) async throws -> Run

    /// Ends a run.
    func finish(_ run: RunID, state: RunState, reason: String?, now: Date) async throws -> Run

    /// Runs, the newest occurrence first.
    func runs(campaign: String?, limit: Int) async throws -> [Run]

    /// One run; `StorageError` with `unknownRun` where there is none.
    func run(_ id: RunID) async throws -> Run

    /// Runs that were begun and not finished, the oldest first.
    func unfinishedRuns() async throws -> [Run]

    /// Deliveries of a run in registration order, after a registration.
    func deliveries(of run: RunID, after: RegistrationID, limit: Int) async throws -> [Delivery]

    func progress() async throws -> [CampaignProgress]
    func saveProgress(_ progress: [CampaignProgress]) async throws

    /// Releases the store. Nothing may be called afterwards.
    func close() async
}
