internal import Push

/// One transaction of an import.
///
/// New registrations touch their indexes in a different place each. In a large transaction the pages of the indexes are
/// written once for many registrations, and in an empty store the indexes are built after the rows, from sorted keys.
struct RegistrationImporter: Sendable {
    private let isIntoEmptyStore: Bool
    private var counts = SaveCounts()
    private var unflushed = 0

    /// Registrations in one transaction, except into an empty store, where all go into one.
    private static let transactionSize = 50_000

    /// Begins a transaction.
    init(beginningIn session: SQLiteSession) throws(StorageError) {
        let connection = session.connection
        // Room for the changed pages of the indexes; it is given back at the end.
        try connection.execute("PRAGMA cache_size = -131072; BEGIN IMMEDIATE")
        isIntoEmptyStore = try connection.firstInt("SELECT 1 FROM registrations LIMIT 1") == nil
        guard isIntoEmptyStore else { return }
        for index in Schema.registrationIndexNames { try connection.execute("DROP INDEX \(index)") }
    }

    /// Whether another batch fits into the transaction.
    var hasRoom: Bool { isIntoEmptyStore || counts.new + counts.renewed < Self.transactionSize }

    func adding(_ batch: [Registration], in session: SQLiteSession) throws(StorageError) -> RegistrationImporter {
        var importer = self
        if isIntoEmptyStore {
            for registration in batch { try session.registrations.insertUnchecked(registration) }
            importer.counts.new += batch.count
            importer.unflushed += batch.count
            guard importer.unflushed >= Self.transactionSize else { return importer }
            importer.unflushed = 0
        } else {
            importer.counts = counts + (try session.save(batch))
        }
        try session.registrations.flush()
        return importer
    }

    /// Ends the transaction and says what it did.
    func commit(in session: SQLiteSession) throws(StorageError) -> SaveCounts {
        var counts = counts
        if isIntoEmptyStore {
            try session.registrations.flush()
            try session.connection.execute(Schema.registrationIndexes)
            let repeated = try RepeatedRegistrations(in: session).saveAgain()
            counts.new -= repeated.renewed
            counts.renewed += repeated.renewed
        }
        try session.connection.execute("COMMIT")
        try session.restoreCache()
        return counts
    }
}

/// Registrations that an import into an empty store brought more than once: same token, or same device id.
///
/// The first of them stays. The others are taken out and saved again in their order, once the indexes are there to
/// find the first by, so that the outcome is the same as if each had been saved in its turn.
private struct RepeatedRegistrations {
    private let session: SQLiteSession
    private let connection: Connection

    init(in session: SQLiteSession) {
        self.session = session
        connection = session.connection
    }

    func saveAgain() throws(StorageError) -> SaveCounts {
        try connection.execute("CREATE TEMP TABLE repeated (id INTEGER PRIMARY KEY)")
        try noteRepeated(hash: "token_hash", text: "token", index: "registrations_by_token")
        try noteRepeated(hash: "device_hash", text: "device_id", index: "registrations_by_device")
        try connection.execute(
            """
            CREATE TEMP TABLE repeated_registrations AS \
            SELECT r.* FROM temp.repeated CROSS JOIN registrations AS r ON r.id = temp.repeated.id ORDER BY r.id
            """)
        let counts = try moveAll()
        try connection.execute("DROP TABLE temp.repeated_registrations; DROP TABLE temp.repeated")
        return counts
    }

    /// Notes each row for which there is an earlier one in the same route with the same text.
    private func noteRepeated(hash: String, text: String, index: String) throws(StorageError) {
        try connection.execute(
            """
            INSERT OR IGNORE INTO temp.repeated
            SELECT later.id
            FROM (SELECT \(hash) AS hash FROM registrations INDEXED BY \(index) WHERE \(hash) IS NOT NULL
                  GROUP BY \(hash) HAVING count(*) > 1) AS shared
            CROSS JOIN registrations AS later INDEXED BY \(index) ON later.\(hash) = shared.hash
            WHERE EXISTS (
                SELECT 1 FROM registrations AS earlier INDEXED BY \(index)
                WHERE earlier.\(hash) = later.\(hash) AND earlier.route = later.route
                    AND earlier.\(text) = later.\(text) AND earlier.id < later.id)
            """)
    }

    private func moveAll() throws(StorageError) -> SaveCounts {
        try inPages { page throws(StorageError) in
            _ = try session.registrations.remove(page.map(\.id))
            try session.registrations.flush()
        }
        var counts = SaveCounts()
        try inPages { page throws(StorageError) in
            counts = counts + (try session.save(page))
            try session.registrations.flush()
        }
        return counts
    }

    private func inPages(_ body: ([Registration]) throws(StorageError) -> Void) throws(StorageError) {
        var done: Int64 = 0
        while true {
            let statement = try connection.prepare(
                """
                SELECT \(RegistrationRow.columns) FROM temp.repeated_registrations AS r \
                WHERE r.rowid > ? ORDER BY r.rowid LIMIT 10000
                """)
            try statement.bind(1, done)
            var page: [Registration] = []
            while try statement.step() { page.append(try RegistrationRow.read(statement, session.routes)) }
            if page.isEmpty { return }
            try body(page)
            done += Int64(page.count)
        }
    }
}
