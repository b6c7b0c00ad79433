internal import Push

/// A connection and what belongs to it. It is used by one thread at a time.
final class SQLiteSession {
    let connection: Connection
    let routes: RouteTable
    let registrations: RegistrationWriter
    let runs: RunRecords
    private let tags: NameTable
    private let topics: NameTable

    init(_ connection: Connection) {
        self.connection = connection
        routes = RouteTable(on: connection)
        tags = NameTable(.tags, on: connection)
        topics = NameTable(.topics, on: connection)
        registrations = RegistrationWriter(connection, routes, tags: tags, topics: topics)
        runs = RunRecords(connection: connection)
    }

    func audiences(_ listed: ListedAudiences) -> AudienceReader {
        AudienceReader(connection: connection, routes: routes, tags: tags, topics: topics, listedAudiences: listed)
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

    /// Forgets what an undone transaction may have made up.
    func forget() {
        routes.forget()
        tags.forget()
        topics.forget()
    }
}
