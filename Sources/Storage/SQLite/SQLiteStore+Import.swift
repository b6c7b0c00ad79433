package import Push

extension SQLiteStore {
    package func importRegistrations(
        _ nextBatch: @escaping @Sendable () async throws -> [Registration]?
    ) async throws -> SaveCounts {
        guard var batch = try await nextBatch() else { return SaveCounts() }
        let action = "import registrations"
        var counts = SaveCounts()
        var hasMore = true
        while hasMore {
            // Other writers get their turn after each transaction.
            await writer.reserve()
            do {
                var importer = try await writer.use(action) { session throws(StorageError) in
                    try RegistrationImporter(beginningIn: session)
                }
                while hasMore, importer.hasRoom {
                    async let following = nextBatch()
                    let current = batch
                    let soFar = importer
                    importer = try await writer.use(action) { session throws(StorageError) in
                        try soFar.adding(current, in: session)
                    }
                    if let next = try await following { batch = next } else { hasMore = false }
                }
                let complete = importer
                counts =
                    counts
                    + (try await writer.use(action) { session throws(StorageError) in
                        try complete.commit(in: session)
                    })
            } catch {
                await writer.abandon()
                await writer.release()
                throw error
            }
            await writer.release()
        }
        return counts
    }
}
