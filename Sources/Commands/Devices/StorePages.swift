import Push
import Storage

extension RegistrationRepository {
    /// Hands over the registrations that the filters select, page by page, until the closure returns false.
    func forEachPage(
        of filters: [PushFilter], after start: RegistrationID = .unsaved, size: Int = 1_000,
        _ body: ([Registration]) async throws -> Bool
    ) async throws {
        for filter in filters {
            var audience = FilteredAudience(filter, in: self, pageSize: size, after: start)
            while true {
                let page = try await audience.nextPage()
                if page.isEmpty { break }
                guard try await body(page) else { return }
            }
        }
    }
}

/// Runs the body and closes the store afterwards, whatever happens.
func closing<Result>(_ store: (any Store)?, _ body: () async throws -> Result) async throws -> Result {
    do {
        let result = try await body()
        await store?.close()
        return result
    } catch {
        await store?.close()
        throw error
    }
}
