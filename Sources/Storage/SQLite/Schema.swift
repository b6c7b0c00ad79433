/// The tables of the store and how older files come to have them.
///
/// Dates are whole milliseconds and occurrences whole seconds since 1970. A file says that it is ours by its
/// `application_id`, and how new it is by the row of `schema_version`.
enum Schema {
    /// "Carl" in ASCII, so that another program's database is recognised before anything is written to it.
    static let applicationID: Int64 = 0x4361_726C

    /// One step of the schema's history. Steps are never edited after a release, only followed by others.
    struct Migration {
        var version: Int64
        var sql: String
    }

    static let migrations = [Migration(version: 1, sql: tables + registrationIndexes)]

    static var latestVersion: Int64 { migrations.last?.version ?? 0 }

    /// Brings the file up to the latest version, each step in a transaction of its own.
    static func migrate(_ connection: Connection) throws(StorageError) {
        for migration in migrations {
            // Another process may be migrating the same file, so the version is read under the write lock.
            guard try version(of: connection) < migration.version else { continue }
            try connection.writeTransaction { () throws(StorageError) in
                guard try version(of: connection) < migration.version else { return }
                try connection.execute(migration.sql)
                try connection.execute(
                    """
                    PRAGMA application_id = \(applicationID);
                    DELETE FROM schema_version;
                    INSERT INTO schema_version (version) VALUES (\(migration.version));
                    """)
            }
        }
        let found = try version(of: connection)
        guard found <= latestVersion else {
            throw StorageError(
                .newerSchema(found: found, supported: latestVersion), action: "open the store",
                location: connection.path)
        }
    }

    /// The version of the file; 0 when it is empty.
    static func version(of connection: Connection) throws(StorageError) -> Int64 {
        let exists = try connection.firstInt(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_version'")
        guard exists != nil else { return 0 }
        return try connection.firstInt("SELECT version FROM schema_version") ?? 0
    }

    /// Refuses a database of another program, and a file that is none.
    static func refuseForeignFile(_ connection: Connection) throws(StorageError) {
        let application = try connection.firstInt("PRAGMA application_id") ?? 0
        let tables = try connection.firstInt("SELECT count(*) FROM sqlite_schema") ?? 0
        guard application == applicationID || (application == 0 && tables == 0) else {
            throw StorageError(.foreignDatabase, action: "open the store", location: connection.path)
        }
    }

    private static let tables = """
        CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT;

        -- Where a push goes: what a provider is chosen by, and the scope within which tokens and device ids are unique.
        -- The default app has the empty id.
        CREATE TABLE routes (
            id INTEGER PRIMARY KEY,
            app_id TEXT NOT NULL,
            platform TEXT NOT NULL,
            token_kind TEXT NOT NULL,
            registrations INTEGER NOT NULL DEFAULT 0,
            UNIQUE (app_id, platform, token_kind)
        ) STRICT;

        -- Under which tokens, device ids and user ids are hashed (SipHash-2-4); one row.
        CREATE TABLE lookup_key (key0 INTEGER NOT NULL, key1 INTEGER NOT NULL) STRICT;
        INSERT INTO lookup_key VALUES (random(), random());

        -- Within a route, a token and a device id stand in one row each; the program sees to it under the write lock.
        -- tags, topics and data are JSON, the form they are read in.
        CREATE TABLE registrations (
            id INTEGER PRIMARY KEY,
            route INTEGER NOT NULL,
            sandbox INTEGER NOT NULL,
            token_hash INTEGER NOT NULL,
            device_hash INTEGER,
            user_hash INTEGER,
            token TEXT NOT NULL,
            device_id TEXT,
            user_id TEXT,
            locale TEXT,
            locale_key TEXT,
            time_zone TEXT,
            app_version TEXT,
            tags TEXT,
            topics TEXT,
            data TEXT,
            registered_at INTEGER NOT NULL
        ) STRICT;

        -- The last id ever given, so that the id of a removed registration never comes back: ids grow in registration
        -- order, and deliveries go on naming the device they were for. What AUTOINCREMENT does, but once a transaction.
        CREATE TABLE registration_sequence (last INTEGER NOT NULL) STRICT;
        INSERT INTO registration_sequence VALUES (0);

        CREATE TABLE tags (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            registrations INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE registration_tags (
            tag INTEGER NOT NULL,
            registration INTEGER NOT NULL,
            route INTEGER NOT NULL,
            PRIMARY KEY (tag, registration)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE topics (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            registrations INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE registration_topics (
            topic INTEGER NOT NULL,
            registration INTEGER NOT NULL,
            route INTEGER NOT NULL,
            PRIMARY KEY (topic, registration)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE runs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            campaign TEXT NOT NULL,
            occurrence INTEGER NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            batch_id TEXT NOT NULL,
            sent INTEGER NOT NULL DEFAULT 0,
            failed INTEGER NOT NULL DEFAULT 0,
            tokens_removed INTEGER NOT NULL DEFAULT 0,
            skipped INTEGER NOT NULL DEFAULT 0,
            uncertain INTEGER NOT NULL DEFAULT 0,
            cursor INTEGER NOT NULL DEFAULT 0,
            started_at INTEGER NOT NULL,
            finished_at INTEGER,
            UNIQUE (campaign, occurrence)
        ) STRICT;
        CREATE INDEX runs_by_occurrence ON runs (occurrence);
        CREATE INDEX runs_unfinished ON runs (occurrence) WHERE finished_at IS NULL;

        CREATE TABLE deliveries (
            run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            registration INTEGER NOT NULL,
            status TEXT NOT NULL,
            provider TEXT,
            reason TEXT,
            provider_message_id TEXT,
            PRIMARY KEY (run, registration)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE campaign_progress (
            campaign TEXT PRIMARY KEY,
            schedule_fingerprint TEXT NOT NULL,
            considered_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        """

    /// Apart from the tables, because an import into an empty store builds them after its rows.
    static let registrationIndexes = """
        CREATE INDEX registrations_by_token ON registrations (token_hash);
        CREATE INDEX registrations_by_device ON registrations (device_hash) WHERE device_hash IS NOT NULL;
        CREATE INDEX registrations_by_user ON registrations (user_hash) WHERE user_hash IS NOT NULL;
        CREATE INDEX registrations_by_route ON registrations (route);
        CREATE INDEX registrations_in_sandbox ON registrations (route, sandbox) WHERE sandbox = 1;

        """

    static let registrationIndexNames = [
        "registrations_by_token", "registrations_by_device", "registrations_by_user", "registrations_by_route",
        "registrations_in_sandbox",
    ]
}
