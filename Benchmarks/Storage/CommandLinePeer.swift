import Foundation

/// The `sqlite3` program on the same file: what SQLite itself needs for the same rows.
struct CommandLinePeer {
    let database: String

    /// Copies the registrations into an empty file in one transaction and then builds the same indexes.
    func secondsToCopyRegistrations() throws -> Double {
        let copy = database + "-peer"
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) } }
        return try seconds(
            for: """
                ATTACH '\(copy)' AS peer;
                PRAGMA peer.journal_mode = WAL;
                CREATE TABLE peer.tagged (tag INTEGER, registration INTEGER, route INTEGER,
                    PRIMARY KEY (tag, registration)) WITHOUT ROWID;
                CREATE TABLE peer.registrations AS SELECT * FROM main.registrations WHERE 0;
                BEGIN;
                INSERT INTO peer.registrations SELECT * FROM main.registrations ORDER BY id;
                INSERT INTO peer.tagged SELECT * FROM main.registration_tags;
                CREATE INDEX peer.by_token ON registrations (token_hash);
                CREATE INDEX peer.by_device ON registrations (device_hash) WHERE device_hash IS NOT NULL;
                CREATE INDEX peer.by_user ON registrations (user_hash) WHERE user_hash IS NOT NULL;
                CREATE INDEX peer.by_route ON registrations (route);
                CREATE INDEX peer.in_sandbox ON registrations (route, sandbox) WHERE sandbox = 1;
                COMMIT;
                """)
    }

    /// Selects the columns that we read for two tags, an app and two platforms, in one statement and as text.
    func secondsToSelect(_ tags: [String]) throws -> Double {
        let numbers = tags.map { "(SELECT id FROM tags WHERE name = '\($0)')" }
        return try seconds(
            for: """
                SELECT r.id, r.route, r.token, r.sandbox, r.device_id, r.user_id, r.locale, r.time_zone, r.app_version,
                    r.tags, r.topics, r.data, r.registered_at
                FROM registration_tags AS a CROSS JOIN registration_tags AS b CROSS JOIN registrations AS r
                WHERE a.tag = \(numbers[1]) AND b.tag = \(numbers[0]) AND b.registration = a.registration
                    AND r.id = a.registration AND a.route IN (SELECT id FROM routes
                        WHERE app_id = 'consumer' AND platform IN ('iOS', 'Android') AND token_kind = 'device')
                ORDER BY a.registration;
                """)
    }

    /// Copies the deliveries into an empty table in one transaction.
    func secondsToCopyDeliveries() throws -> Double {
        let copy = database + "-peer"
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) } }
        return try seconds(
            for: """
                ATTACH '\(copy)' AS peer;
                PRAGMA peer.journal_mode = WAL;
                CREATE TABLE peer.deliveries (run INTEGER, registration INTEGER, status TEXT, provider TEXT, reason TEXT,
                    provider_message_id TEXT, PRIMARY KEY (run, registration)) WITHOUT ROWID;
                INSERT INTO peer.deliveries SELECT * FROM main.deliveries;
                """)
    }

    /// Runs SQL and returns how long SQLite was at it, without the start of the program.
    func seconds(for sql: String) throws -> Double {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [database]
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // Rows go to /dev/null, the time to us.
        let script = ".timer on\n.output /dev/null\n\(sql)\n.quit\n"
        input.fileHandleForWriting.write(Data(script.utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // "Run Time: real 0.153 user 0.140 sys 0.010", one line a statement.
        return text.split(separator: "\n").reduce(0) { sum, line in
            let words = line.split(separator: " ")
            guard words.count > 3, words[0] == "Run", let seconds = Double(words[3]) else { return sum }
            return sum + seconds
        }
    }
}
