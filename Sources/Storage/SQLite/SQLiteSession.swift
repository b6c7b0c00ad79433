internal import Push

/// A connection and what belongs to it. It is used by one thread at a time.
final class SQLiteSession {
    let connection: Connection
    let routes: RouteTable
    let registrations: RegistrationWriter
    let runs: RunRecords
    private let tags: NameTable
    private let topics: NameTable

    private let hash: LookupHash
    private let cacheKibibytes: Int

    init(_ connection: Connection, cacheKibibytes: Int) throws(StorageError) {
        self.cacheKibibytes = cacheKibibytes
        self.connection = connection
        routes = RouteTable(on: connection)
        tags = NameTable(.tags, on: connection)
        topics = NameTable(.topics, on: connection)
        hash = try LookupHash(of: connection)
        registrations = RegistrationWriter(connection, routes, tags: tags, topics: topics, hash: hash)
        runs = RunRecords(connection: connection)
    }

    func audiences(_ listed: ListedAudiences) -> AudienceReader {
        AudienceReader(
            connection: connection, routes: routes, tags: tags, topics: topics, hash: hash, listedAudiences: listed)
    }

    /// All of `body`, or none of it and nothing of it remembered.
    func write<Result>(_ body: (SQLiteSession) throws(StorageError) -> Result) throws(StorageError) -> Result {
        do throws(StorageError) {
            return try connection.writeTransaction { () throws(StorageError) in
                let result = try body(self)
                try registrations.flush()
                return result
            }
        } catch {
            forget()
            throw error
        }
    }

    func read<Result>(_ body: (SQLiteSession) throws(StorageError) -> Result) throws(StorageError) -> Result {
        try connection.readTransaction { () throws(StorageError) in try body(self) }
    }

    /// Undoes the open transaction.
    func abandon() {
        connection.rollBack()
        forget()
        // The transaction is undone whether or not the cache shrinks.
        try? restoreCache()
    }

    /// Gives back the memory that an import took for its pages.
    func restoreCache() throws(StorageError) {
        try connection.execute("PRAGMA cache_size = -\(cacheKibibytes); PRAGMA shrink_memory")
    }

    /// Forgets what an undone transaction may have made up.
    func forget() {
        routes.forget()
        tags.forget()
        topics.forget()
        registrations.forget()
    }
}
