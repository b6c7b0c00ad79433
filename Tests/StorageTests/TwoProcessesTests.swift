import Push
import PushTestSupport
import Schedules
import Synchronization
import TestSupport
import Testing

@testable import Storage

@Suite struct TwoProcessesTests {
    @Test func `of two stores on one file that claim an occurrence, one sends and the other is told so`() async throws {
        let folder = try TemporaryFolder()
        let stores = [
            try await SQLiteStore.open(at: folder.file()), try await SQLiteStore.open(at: folder.file()),
        ]
        let claims = try await withThrowingTaskGroup(of: [RunClaim].self) { group in
            for store in stores {
                group.addTask {
                    var claims: [RunClaim] = []
                    for hours: Int64 in 0..<30 { claims.append(try await store.claim("digest", hours)) }
                    return claims
                }
            }
            return try await group.reduce(into: [RunClaim]()) { $0 += $1 }
        }
        let opened = claims.count { if case .opened = $0 { true } else { false } }
        let refused = claims.count { if case .heldByAnother = $0 { true } else { false } }
        #expect(opened == 30 && refused == 30)
        for store in stores { await store.close() }
    }

    @Test func `a run is free again when the store that held it is closed, or finishes it`() async throws {
        let folder = try TemporaryFolder()
        let first = try await SQLiteStore.open(at: folder.file())
        let second = try await SQLiteStore.open(at: folder.file())
        let run = try await first.open("digest", 1)
        _ = try await first.open("digest", 2)
        #expect(try await second.claim("digest", 1) == .heldByAnother(run))
        let finished = try await first.finish(run.id, state: .succeeded, reason: nil, now: .test())
        #expect(try await second.claim("digest", 1) == .alreadyFinished(finished))
        await first.close()
        guard case .resumed = try await second.claim("digest", 2) else {
            Issue.record("the closed store still holds its run")
            return
        }
        await second.close()
    }

    @Test func `a run that another process sends is refused until that process dies`() async throws {
        try await withTemporaryStore { store in
            let run = try await store.open()
            // The same claim again, by a store that does not hold it.
            store.runLocks.withLock { $0.letGo(run.id) }
            let process = try ServerProcess(
                python: "Tests/Servers/store_holder.py", ["run", store.path, "\(run.id.rawValue)"])
            #expect(try await store.claim() == .heldByAnother(run))
            process.stop()
            #expect(try await store.claim() == .resumed(run))
        }
    }

    @Test func `a run that another process made is not made again`() async throws {
        try await withTemporaryStore { store in
            let process = try ServerProcess(python: "Tests/Servers/store_holder.py", ["commit", store.path])
            guard case .resumed(let run) = try await store.claim() else {
                Issue.record("the occurrence has two runs")
                return
            }
            #expect(run.batchID == "p")
            process.stop()
        }
    }

    @Test func `while another process writes, reading goes on and writing ends with a clear error`() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(at: folder.file(), busyTimeout: .milliseconds(50))
        try await store.save([.test("before")])
        let process = try ServerProcess(python: "Tests/Servers/store_holder.py", ["write", store.path])
        #expect(try await store.count(of: .everyone) == 1)
        let error = await #expect(throws: StorageError.self) { try await store.save([.test("more")]) }
        #expect(error?.problem == .busy)
        #expect(error?.description.contains("Cannot save registrations in \(store.path): another process") == true)
        process.stop()
        try await store.save([.test("after")])
        #expect(try await store.count(of: .everyone) == 2)
        await store.close()
    }

    @Test func `what a killed process had not committed is not there, and the file is whole`() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(at: folder.file())
        try await store.save([.test("kept", tags: ["x"])])
        let process = try ServerProcess(python: "Tests/Servers/store_holder.py", ["write", store.path])
        process.stop()
        await store.close()
        let again = try await SQLiteStore.open(at: folder.file())
        #expect(try await again.runs(campaign: nil, limit: 5) == [])
        #expect(try await again.progress() == [])
        #expect(try await again.count(of: PushFilter(tags: ["x"])) == 1)
        await again.close()
        let connection = try Connection(path: folder.file())
        let check = try connection.prepare("PRAGMA integrity_check")
        #expect(try check.step() && check.text(0) == "ok")
    }
}
