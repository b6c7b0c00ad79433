import Foundation

@testable import Storage

/// A folder for one test, which goes away with this object.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("carillon-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder.
    func file(_ name: String = "carillon.sqlite") -> String { path + "/" + name }
}

/// Runs `body` with a store in a new file.
func withTemporaryStore<Result>(_ body: (SQLiteStore) async throws -> Result) async throws -> Result {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.open(at: folder.file())
    do {
        let result = try await body(store)
        await store.close()
        return result
    } catch {
        await store.close()
        throw error
    }
}
