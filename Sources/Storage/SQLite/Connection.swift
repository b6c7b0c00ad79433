internal import CSQLite

/// One connection with its prepared statements. It is used by one thread at a time.
final class Connection {
    private let database: DatabaseHandle
    private var statements: [String: Statement] = [:]

    /// Filters make statements of their own, so the cache has a bound; past it we start afresh.
    private static let statementLimit = 200

    init(path: String) throws(StorageError) {
        database = try DatabaseHandle(path: path)
    }

    var path: String { database.path }

    /// The rows that the last INSERT, UPDATE or DELETE changed.
    var changes: Int { unsafe Int(sqlite3_changes64(database.pointer)) }

    var lastInsertedID: Int64 { unsafe sqlite3_last_insert_rowid(database.pointer) }

    /// Whether a transaction is open.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(database.pointer) == 0 }

    /// How long a statement waits for another connection's lock.
    func setBusyTimeout(milliseconds: Int32) {
        unsafe sqlite3_busy_timeout(database.pointer, milliseconds)
    }

    /// A statement that is prepared once and reset on each use.
    func prepare(_ sql: String) throws(StorageError) -> Statement {
        if let statement = statements[sql] {
            statement.reset()
            return statement
        }
        let statement = try Statement(sql, on: database)
        if statements.count >= Self.statementLimit { statements.removeAll(keepingCapacity: true) }
        statements[sql] = statement
        return statement
    }

    /// Runs statements separated by semicolons; their rows are dropped.
    func execute(_ sql: String) throws(StorageError) {
        let code = unsafe sqlite3_exec(database.pointer, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw database.failure(code) }
    }

    /// The first column of the first row, `nil` when there is no row.
    func firstInt(_ sql: String) throws(StorageError) -> Int64? {
        let statement = try prepare(sql)
        guard try statement.step() else { return nil }
        let number = statement.int(0)
        statement.reset()
        return number
    }

    /// All that `body` writes, or none of it. It takes the write lock at once, so that it cannot lose it half-way.
    func writeTransaction<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        try transaction("BEGIN IMMEDIATE", body)
    }

    /// Everything that `body` reads comes from one snapshot.
    func readTransaction<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        try transaction("BEGIN", body)
    }

    private func transaction<Result>(
        _ begin: String, _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try execute(begin)
        do throws(StorageError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Undoes an open transaction. A full disk or an I/O error may have undone it already.
    func rollBack() {
        guard isInTransaction else { return }
        for statement in statements.values { statement.reset() }
        _ = unsafe sqlite3_exec(database.pointer, "ROLLBACK", nil, nil, nil)
    }
}
