internal import Dispatch
internal import FoundationEssentials

/// Runs an actor's work on a queue of its own, so that waiting for a disk or a lock never takes a thread of the
/// concurrency pool.
private final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = unsafe asUnownedSerialExecutor()
        queue.async { unsafe job.runSynchronously(on: executor) }
    }
}

/// One connection to the file, and the turn of those who use it.
actor SQLiteDatabase {
    private let executor: QueueExecutor
    private var session: SQLiteSession?
    private let path: String
    private var isReserved = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(path: String, label: String) {
        executor = QueueExecutor(label: label)
        self.path = path
    }

    /// How a connection is set up.
    struct Settings: Sendable {
        /// How long to wait for another process's lock.
        var busyTimeoutMilliseconds: Int32
        /// Memory for the pages of the file.
        var cacheKibibytes: Int
        var mayWrite: Bool
    }

    func open(_ settings: Settings) throws(StorageError) {
        do throws(StorageError) {
            let connection = try Connection(path: path)
            connection.setBusyTimeout(milliseconds: settings.busyTimeoutMilliseconds)
            try connection.execute("PRAGMA cache_size = -\(settings.cacheKibibytes)")
            if settings.mayWrite {
                try Self.prepareForWriting(connection)
            } else {
                try connection.execute("PRAGMA query_only = ON")
            }
            session = try SQLiteSession(connection, cacheKibibytes: settings.cacheKibibytes)
        } catch {
            throw error.during("open the store")
        }
    }

    private static func prepareForWriting(_ connection: Connection) throws(StorageError) {
        // Asked for first, so that a file of another program is refused before anything in it changes.
        try Schema.refuseForeignFile(connection)
        // WAL: readers and the writer do not block each other. FULL: a commit is on the disk when it returns.
        // The checkpoint copies the log back every 40 MB, which imports with their scattered index pages need.
        try connection.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA foreign_keys = ON;
            PRAGMA wal_autocheckpoint = 10000;
            PRAGMA journal_size_limit = 67108864;
            """)
        try Schema.migrate(connection)
    }

    /// Runs `body` in a write transaction.
    func write<Result: Sendable>(
        _ action: String, _ body: @Sendable (SQLiteSession) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        while isReserved { await withCheckedContinuation { waiting.append($0) } }
        do throws(StorageError) { return try opened().write(body) } catch { throw error.during(action) }
    }

    /// Runs `body` on one snapshot of the store.
    func read<Result: Sendable>(
        _ action: String, _ body: @Sendable (SQLiteSession) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        // Only a store in memory has readers where an import can be half-way.
        while isReserved { await withCheckedContinuation { waiting.append($0) } }
        do throws(StorageError) { return try opened().read(body) } catch { throw error.during(action) }
    }

    /// Runs `body` for the one who reserved the connection, without a transaction around it.
    func use<Result: Sendable>(
        _ action: String, _ body: @Sendable (SQLiteSession) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        do throws(StorageError) { return try body(opened()) } catch { throw error.during(action) }
    }

    /// Keeps all other writers waiting until `release`, for a transaction that goes on over several calls.
    func reserve() async {
        while isReserved { await withCheckedContinuation { waiting.append($0) } }
        isReserved = true
    }

    func release() {
        isReserved = false
        let all = waiting
        waiting = []
        for continuation in all { continuation.resume() }
    }

    /// Undoes the transaction of the one who reserved the connection.
    func abandon() {
        session?.abandon()
    }

    func close() { session = nil }

    private func opened() throws(StorageError) -> SQLiteSession {
        guard let session else { throw StorageError(.closed, action: "use the store", location: path) }
        return session
    }
}
