import Foundation
import Push
import PushTestSupport
import Testing

@testable import Storage

@Suite struct OpeningTests {
    /// The error of opening the file.
    private func failure(at path: String) async -> StorageError? {
        do throws(StorageError) {
            await (try SQLiteStore.open(at: path)).close()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a new file gets the latest schema, and an open one stays as it is`() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.file()))
        let store = try await SQLiteStore.open(at: folder.file())
        try await store.save([.test("t")])
        await store.close()
        let again = try await SQLiteStore.open(at: folder.file())
        #expect(try await again.count(of: .everyone) == 1)
        await again.close()
        let connection = try Connection(path: folder.file())
        #expect(try Schema.version(of: connection) == Schema.latestVersion)
        #expect(try connection.firstInt("SELECT count(*) FROM schema_version") == 1)
        #expect(try connection.firstInt("PRAGMA application_id") == Schema.applicationID)
    }

    @Test func `a store of a newer program is refused and left alone`() async throws {
        let folder = try TemporaryFolder()
        await (try SQLiteStore.open(at: folder.file())).close()
        do {
            let connection = try Connection(path: folder.file())
            try connection.execute("UPDATE schema_version SET version = 99")
        }
        let error = await failure(at: folder.file())
        #expect(error?.problem == .newerSchema(found: 99, supported: Schema.latestVersion))
        #expect(error?.description.contains("has schema version 99") == true)
        let connection = try Connection(path: folder.file())
        #expect(try Schema.version(of: connection) == 99)
    }

    @Test func `a migration that fails leaves the version before it`() throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(path: folder.file())
        // The third table of the first migration is in the way.
        try connection.execute("CREATE TABLE tags (id INTEGER)")
        #expect(throws: StorageError.self) { try Schema.migrate(connection) }
        #expect(try Schema.version(of: connection) == 0)
        #expect(try connection.firstInt("SELECT count(*) FROM sqlite_schema") == 1)
    }

    @Test func `a file that is no database is refused`() async throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "campaign: weekly-digest\n", count: 400)
        try text.write(toFile: folder.file(), atomically: false, encoding: .utf8)
        let error = await failure(at: folder.file())
        #expect(error?.problem == .notADatabase)
        #expect(
            error?.description.contains("Cannot open the store in \(folder.file()): the file is not an SQLite") == true)
        #expect(try String(contentsOfFile: folder.file(), encoding: .utf8) == text)
    }

    @Test func `a database of another program is refused and left alone`() async throws {
        let folder = try TemporaryFolder()
        do {
            let connection = try Connection(path: folder.file())
            try connection.execute("CREATE TABLE songs (name TEXT)")
        }
        #expect(await failure(at: folder.file())?.problem == .foreignDatabase)
        let connection = try Connection(path: folder.file())
        #expect(try connection.firstInt("SELECT count(*) FROM sqlite_schema") == 1)
    }

    @Test func `a folder that does not exist and a folder in place of the file are named`() async throws {
        let folder = try TemporaryFolder()
        for path in [folder.path + "/missing/carillon.sqlite", folder.path] {
            let error = await failure(at: path)
            #expect(error?.problem == .cannotOpen)
            #expect(error?.description.contains(path) == true)
        }
    }

    @Test func `a damaged file is told from other failures`() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(at: folder.file())
        try await store.save((0..<5_000).map { .test("token \($0)", user: "u\($0)", tags: ["x"]) })
        await store.close()
        let file = try #require(FileHandle(forUpdatingAtPath: folder.file()))
        let size = try file.seekToEnd()
        // Everything after the header and the schema's page.
        try file.seek(toOffset: 8_192)
        try file.write(contentsOf: Data(repeating: 0x5A, count: Int(size) - 8_192))
        try file.close()
        let error = await #expect(throws: StorageError.self) {
            let damaged = try await SQLiteStore.open(at: folder.file())
            _ = try await damaged.count(of: PushFilter(tags: ["x"]))
        }
        #expect(error?.problem == .corrupt)
        #expect(error?.description.contains("restore it from a backup") == true)
    }

    @Test func `a full disk undoes the save, and the store goes on when there is room`() async throws {
        try await withTemporaryStore { store in
            try await store.save([.test("t")])
            try await store.writer.use("limit the file") { session throws(StorageError) in
                let pages = try session.connection.firstInt("PRAGMA page_count") ?? 0
                try session.connection.execute("PRAGMA max_page_count = \(pages + 2)")
            }
            let many = (0..<2_000).map { Registration.test("token \($0)", tags: ["x"]) }
            let error = await #expect(throws: StorageError.self) { try await store.save(many) }
            #expect(error?.problem == .diskFull)
            #expect(try await store.count(of: .everyone) == 1)
            try await store.writer.use("lift the limit") { session throws(StorageError) in
                try session.connection.execute("PRAGMA max_page_count = 1000000")
            }
            try await store.save(many)
            #expect(try await store.count(of: PushFilter(tags: ["x"])) == 2_000)
        }
    }

    @Test func `a store that may only be read says so`() async throws {
        try await withTemporaryStore { store in
            try await store.writer.use("forbid writing") { session throws(StorageError) in
                try session.connection.execute("PRAGMA query_only = ON")
            }
            let error = await #expect(throws: StorageError.self) { try await store.save([.test("t")]) }
            #expect(error?.problem == .readOnly)
            #expect(error?.description.contains("write access") == true)
        }
    }

    @Test func `a closed store refuses work`() async throws {
        let store = try await SQLiteStore.inMemory()
        await store.close()
        let error = await #expect(throws: StorageError.self) { try await store.save([.test("t")]) }
        #expect(error?.problem == .closed)
    }

    @Test(
        arguments: [
            (5, .busy), (6, .busy), (261, .busy), (517, .busy), (7, .outOfMemory), (8, .readOnly), (1_032, .readOnly),
            (10, .inputOutput), (778, .inputOutput), (11, .corrupt), (779, .corrupt), (13, .diskFull),
            (14, .cannotOpen),
            (1_550, .cannotOpen), (26, .notADatabase), (3, .readOnly), (1, .other), (19, .other),
        ] as [(Int32, StorageError.Problem)])
    func `result codes of SQLite are sorted by what can be done`(_ code: Int32, _ problem: StorageError.Problem) {
        let error = StorageError(sqliteCode: code, detail: "its words", location: "/var/carillon.sqlite")
        #expect(error.problem == problem)
        #expect(error.during("record a page").description.hasPrefix("Cannot record a page in /var/carillon.sqlite: "))
        #expect(error.description.hasSuffix("(SQLite \(code): its words)"))
    }
}
