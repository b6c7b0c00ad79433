package import Push

extension SQLiteStore {
    package func importRegistrations(
        _ nextBatch: @escaping @Sendable () async throws -> [Registration]?
    ) async throws -> SaveCounts {
        var counts = SaveCounts()
        var pending = try await nextBatch()
        while let batch = pending {
            async let following = nextBatch()
            counts = counts + (try await importBatch(batch))
            pending = try await following
        }
        return counts
    }

    private func importBatch(_ batch: [Registration]) async throws(StorageError) -> SaveCounts {
        try await writer.write("import registrations") { session throws(StorageError) in try session.save(batch) }
    }
}
