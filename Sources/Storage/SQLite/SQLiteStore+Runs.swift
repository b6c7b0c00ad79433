package import FoundationEssentials
package import Push
package import Schedules
internal import Synchronization

extension SQLiteStore {
    package func claimRun(
        campaign: String, occurrence: Instant, batchID: String, now: Date
    ) async throws -> RunClaim {
        // The lock is taken before the commit, so that nobody who sees the new run can take it.
        try await writer.write("claim a run") { [self] session throws(StorageError) in
            if let run = try session.runs.open(
                campaign: campaign, occurrence: occurrence, batchID: batchID, now: now)
            {
                return try hold(run) ? .opened(run) : .heldByAnother(run)
            }
            guard let run = try session.runs.run(campaign: campaign, occurrence: occurrence) else {
                throw StorageError(
                    .corrupt, action: "claim a run", location: path, detail: "an index of the runs disagrees with them")
            }
            if run.state.isFinished { return .alreadyFinished(run) }
            return try hold(run) ? .resumed(run) : .heldByAnother(run)
        }
    }

    private func hold(_ run: Run) throws(StorageError) -> Bool {
        try runLocks.withLock { locks throws(StorageError) in try locks.hold(run.id) }
    }

    package func record(_ page: PageRecord, of run: RunID) async throws -> Run {
        try await writer.write("record a page of a run") { session throws(StorageError) in
            let known = try session.runs.run(run)
            if page.cursor <= known.cursor { return known }
            var counts = page.counts
            try session.runs.insert(page.deliveries, of: run)
            counts.tokensRemoved = 0
            for change in page.tokenChanges {
                let isMade = try session.registrations.apply(change)
                if isMade, case .remove = change { counts.tokensRemoved += 1 }
            }
            return try session.runs.advance(run, by: counts, to: page.cursor)
        }
    }

    package func finish(_ run: RunID, state: RunState, reason: String?, now: Date) async throws -> Run {
        let finished = try await writer.write("finish a run") { session throws(StorageError) in
            try session.runs.finish(run, state: state, reason: reason, now: now)
        }
        runLocks.withLock { $0.letGo(run) }
        return finished
    }

    package func runs(campaign: String?, limit: Int) async throws -> [Run] {
        try await read("read runs") { session throws(StorageError) in
            try session.runs.newest(campaign: campaign, limit: limit)
        }
    }

    package func run(_ id: RunID) async throws -> Run {
        try await read("read a run") { session throws(StorageError) in try session.runs.run(id) }
    }

    package func unfinishedRuns() async throws -> [Run] {
        try await read("read runs") { session throws(StorageError) in try session.runs.unfinished() }
    }

    package func deliveries(of run: RunID, after: RegistrationID, limit: Int) async throws -> [Delivery] {
        try await read("read deliveries") { session throws(StorageError) in
            try session.runs.deliveries(of: run, after: after, limit: limit)
        }
    }

    package func progress() async throws -> [CampaignProgress] {
        try await read("read the campaigns' progress") { session throws(StorageError) in try session.runs.progress() }
    }

    package func saveProgress(_ progress: [CampaignProgress]) async throws {
        guard !progress.isEmpty else { return }
        try await writer.write("save the campaigns' progress") { session throws(StorageError) in
            try session.runs.save(progress)
        }
    }
}
