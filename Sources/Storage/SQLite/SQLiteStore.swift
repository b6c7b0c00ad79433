internal import FoundationEssentials
internal import Push
internal import Synchronization

/// The store in one SQLite file.
///
/// One connection writes; two more read, each from a snapshot, so that reading never waits for writing. Every method
/// that writes is one transaction that is on the disk when the method returns.
package final class SQLiteStore: Store {
    /// The path of the file, or `:memory:`.
    package let path: String
    let writer: SQLiteDatabase
    private let readers: [SQLiteDatabase]
    private let turn = Atomic<Int>(0)
    let listedAudiences = ListedAudiences()
    let runLocks: Mutex<RunLocks>

    private init(path: String, writer: SQLiteDatabase, readers: [SQLiteDatabase]) {
        self.path = path
        self.writer = writer
        self.readers = readers
        runLocks = Mutex(RunLocks(storePath: readers.isEmpty ? nil : path))
    }

    /// Opens the store, creates it where there is none, and brings an older one up to date.
    ///
    /// - Parameter busyTimeout: How long to wait while another process writes.
    package static func open(
        at path: String, busyTimeout: Duration = .seconds(10)
    ) async throws(StorageError) -> SQLiteStore {
        let milliseconds =
            busyTimeout.components.seconds * 1_000
            + busyTimeout.components.attoseconds / 1_000_000_000_000_000
        let timeout = Int32(clamping: milliseconds)
        let writer = SQLiteDatabase(path: path, label: "carillon.store.writer")
        try await writer.open(.init(busyTimeoutMilliseconds: timeout, cacheKibibytes: 32_768, mayWrite: true))
        var readers: [SQLiteDatabase] = []
        for number in 1...2 {
            let reader = SQLiteDatabase(path: path, label: "carillon.store.reader\(number)")
            try await reader.open(.init(busyTimeoutMilliseconds: timeout, cacheKibibytes: 8_192, mayWrite: false))
            readers.append(reader)
        }
        return SQLiteStore(path: path, writer: writer, readers: readers)
    }

    /// A store that nobody else sees and that ends with this object.
    package static func inMemory() async throws(StorageError) -> SQLiteStore {
        let path = ":memory:"
        let database = SQLiteDatabase(path: path, label: "carillon.store")
        try await database.open(.init(busyTimeoutMilliseconds: 0, cacheKibibytes: 8_192, mayWrite: true))
        return SQLiteStore(path: path, writer: database, readers: [])
    }

    package func close() async {
        for reader in readers { await reader.close() }
        await writer.close()
        runLocks.withLock { $0 = RunLocks(storePath: nil) }
    }

    func read<Result: Sendable>(
        _ action: String, _ body: @Sendable (SQLiteSession) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        guard !readers.isEmpty else { return try await writer.read(action, body) }
        let number = turn.wrappingAdd(1, ordering: .relaxed).newValue
        return try await readers[Int(UInt(bitPattern: number) % UInt(readers.count))].read(action, body)
    }
}
