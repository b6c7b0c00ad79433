package import FoundationEssentials
package import Push
package import Schedules

/// Registrations, runs, deliveries and progress behind one protocol.
///
/// Every implementation passes one conformance suite. Methods are safe to call from anywhere; writes are serialized
/// by the store, and reads see what was committed.
package protocol Store: RegistrationRepository {
    /// Opens the run of an occurrence, or says that it has one. Campaign and occurrence are unique.
    func claimRun(campaign: String, occurrence: Instant, batchID: String, now: Date) async throws -> RunClaim

    /// Records a page in one transaction and returns the run with its counts brought up to date.
    func record(_ page: PageRecord, of run: RunID) async throws -> Run

    /// Ends a run.
    func finish(_ run: RunID, state: RunState, reason: String?, now: Date) async throws -> Run

    /// Runs, the newest occurrence first.
    func runs(campaign: String?, limit: Int) async throws -> [Run]

    /// Runs that were begun and not finished, the oldest first.
    func unfinishedRuns() async throws -> [Run]

    /// Deliveries of a run in registration order, after a registration.
    func deliveries(of run: RunID, after: RegistrationID, limit: Int) async throws -> [Delivery]

    func progress() async throws -> [CampaignProgress]
    func saveProgress(_ progress: [CampaignProgress]) async throws

    /// Releases the store. Nothing may be called afterwards.
    func close() async
}
