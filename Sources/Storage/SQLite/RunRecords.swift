internal import FoundationEssentials
internal import Push
internal import Schedules

/// Runs, their deliveries and the campaigns' progress. Writes are made inside a write transaction.
struct RunRecords {
    let connection: Connection

    private static let columns = """
        id, campaign, occurrence, state, reason, batch_id, sent, failed, tokens_removed, skipped, uncertain, cursor, \
        started_at, finished_at
        """

    // MARK: - Runs

    /// Makes the run of an occurrence; `nil` when there is one.
    func open(campaign: String, occurrence: Instant, batchID: String, now: Date) throws(StorageError) -> Run? {
        let statement = try connection.prepare(
            """
            INSERT INTO runs (campaign, occurrence, state, batch_id, started_at) VALUES (?, ?, ?, ?, ?) \
            ON CONFLICT (campaign, occurrence) DO NOTHING
            """)
        try statement.bind(1, campaign)
        try statement.bind(2, occurrence.secondsSinceEpoch)
        try statement.bind(3, RunState.sending.rawValue)
        try statement.bind(4, batchID)
        try statement.bind(5, now.storedMilliseconds)
        try statement.run()
        guard connection.changes == 1 else { return nil }
        return try run(RunID(rawValue: connection.lastInsertedID))
    }

    func run(_ id: RunID) throws(StorageError) -> Run {
        let statement = try connection.prepare("SELECT \(Self.columns) FROM runs WHERE id = ?")
        try statement.bind(1, id.rawValue)
        guard let run = try read(statement).first else {
            throw StorageError(.unknownRun(id), action: "read a run", location: connection.path)
        }
        return run
    }

    func run(campaign: String, occurrence: Instant) throws(StorageError) -> Run? {
        let statement = try connection.prepare(
            "SELECT \(Self.columns) FROM runs WHERE campaign = ? AND occurrence = ?")
        try statement.bind(1, campaign)
        try statement.bind(2, occurrence.secondsSinceEpoch)
        return try read(statement).first
    }

    func newest(campaign: String?, limit: Int) throws(StorageError) -> [Run] {
        let condition = campaign == nil ? "" : "WHERE campaign = ?2"
        let statement = try connection.prepare(
            "SELECT \(Self.columns) FROM runs \(condition) ORDER BY occurrence DESC, id DESC LIMIT ?1")
        try statement.bind(1, Int64(max(0, limit)))
        if let campaign { try statement.bind(2, campaign) }
        return try read(statement)
    }

    func unfinished() throws(StorageError) -> [Run] {
        try read(
            connection.prepare(
                "SELECT \(Self.columns) FROM runs WHERE finished_at IS NULL ORDER BY occurrence, id"))
    }

    func finish(_ id: RunID, state: RunState, reason: String?, now: Date) throws(StorageError) -> Run {
        let statement = try connection.prepare(
            "UPDATE runs SET state = ?2, reason = ?3, finished_at = ?4 WHERE id = ?1")
        try statement.bind(1, id.rawValue)
        try statement.bind(2, state.rawValue)
        try statement.bind(3, reason)
        try statement.bind(4, state.isFinished ? now.storedMilliseconds : nil)
        try statement.run()
        return try run(id)
    }

    private func read(_ statement: Statement) throws(StorageError) -> [Run] {
        defer { statement.reset() }
        var runs: [Run] = []
        while try statement.step() {
            guard let state = RunState(rawValue: statement.text(3)) else {
                throw StorageError(
                    .corrupt, action: "read runs", location: connection.path,
                    detail: "a run has the unknown state \(statement.text(3))")
            }
            var counts = PushCounts()
            counts.sent = Int(statement.int(6))
            counts.failed = Int(statement.int(7))
            counts.tokensRemoved = Int(statement.int(8))
            counts.skipped = Int(statement.int(9))
            counts.uncertain = Int(statement.int(10))
            runs.append(
                Run(
                    id: RunID(rawValue: statement.int(0)), campaign: statement.text(1),
                    occurrence: Instant(secondsSinceEpoch: statement.int(2)), state: state,
                    reason: statement.optionalText(4), batchID: statement.text(5), counts: counts,
                    cursor: RegistrationID(rawValue: statement.int(11)),
                    startedAt: Date(storedMilliseconds: statement.int(12)),
                    finishedAt: statement.optionalInt(13).map { Date(storedMilliseconds: $0) }))
        }
        return runs
    }

    // MARK: - Pages

    /// Adds a page's counts to its run and moves the cursor to the page's end.
    func advance(_ id: RunID, by counts: PushCounts, to cursor: RegistrationID) throws(StorageError) -> Run {
        let statement = try connection.prepare(
            """
            UPDATE runs SET sent = sent + ?2, failed = failed + ?3, tokens_removed = tokens_removed + ?4, \
            skipped = skipped + ?5, uncertain = uncertain + ?6, cursor = ?7 WHERE id = ?1
            """)
        try statement.bind(1, id.rawValue)
        try statement.bind(2, Int64(counts.sent))
        try statement.bind(3, Int64(counts.failed))
        try statement.bind(4, Int64(counts.tokensRemoved))
        try statement.bind(5, Int64(counts.skipped))
        try statement.bind(6, Int64(counts.uncertain))
        try statement.bind(7, cursor.rawValue)
        try statement.run()
        return try run(id)
    }

    func insert(_ deliveries: [Delivery], of run: RunID) throws(StorageError) {
        let statement = try connection.prepare("INSERT OR REPLACE INTO deliveries VALUES (?, ?, ?, ?, ?, ?)")
        try statement.bind(1, run.rawValue)
        for delivery in deliveries {
            try statement.bind(2, delivery.registrationID.rawValue)
            try statement.bind(3, delivery.status.rawValue)
            try statement.bind(4, delivery.provider)
            try statement.bind(5, delivery.reason)
            try statement.bind(6, delivery.providerMessageID)
            try statement.run()
        }
    }

    func deliveries(of run: RunID, after: RegistrationID, limit: Int) throws(StorageError) -> [Delivery] {
        let statement = try connection.prepare(
            """
            SELECT registration, status, provider, reason, provider_message_id FROM deliveries \
            WHERE run = ? AND registration > ? ORDER BY registration LIMIT ?
            """)
        try statement.bind(1, run.rawValue)
        try statement.bind(2, after.rawValue)
        try statement.bind(3, Int64(max(0, limit)))
        defer { statement.reset() }
        var deliveries: [Delivery] = []
        while try statement.step() {
            guard let status = PushDeliveryStatus(rawValue: statement.text(1)) else {
                throw StorageError(
                    .corrupt, action: "read deliveries", location: connection.path,
                    detail: "a delivery has the unknown status \(statement.text(1))")
            }
            deliveries.append(
                Delivery(
                    registrationID: RegistrationID(rawValue: statement.int(0)), status: status,
                    provider: statement.optionalText(2), reason: statement.optionalText(3),
                    providerMessageID: statement.optionalText(4)))
        }
        return deliveries
    }

    // MARK: - Progress

    func progress() throws(StorageError) -> [CampaignProgress] {
        let statement = try connection.prepare(
            "SELECT campaign, schedule_fingerprint, considered_until FROM campaign_progress ORDER BY campaign")
        var progress: [CampaignProgress] = []
        while try statement.step() {
            progress.append(
                CampaignProgress(
                    campaign: statement.text(0), scheduleFingerprint: statement.text(1),
                    consideredUntil: Instant(secondsSinceEpoch: statement.int(2))))
        }
        return progress
    }

    func save(_ progress: [CampaignProgress]) throws(StorageError) {
        let statement = try connection.prepare("INSERT OR REPLACE INTO campaign_progress VALUES (?, ?, ?)")
        for campaign in progress {
            try statement.bind(1, campaign.campaign)
            try statement.bind(2, campaign.scheduleFingerprint)
            try statement.bind(3, campaign.consideredUntil.secondsSinceEpoch)
            try statement.run()
        }
    }
}
