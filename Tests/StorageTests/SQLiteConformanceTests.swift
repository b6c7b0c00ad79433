import PushTestSupport
import Testing

@testable import Storage

@Suite struct SQLiteConformanceTests {
    @Test(arguments: RegistrationRepositoryCase.all)
    func `a store in a file keeps the rules of repositories`(_ rule: RegistrationRepositoryCase) async throws {
        try await withTemporaryStore { try await rule.check($0) }
    }

    @Test(arguments: RegistrationRepositoryCase.all)
    func `a store in memory keeps the rules of repositories`(_ rule: RegistrationRepositoryCase) async throws {
        let store = try await SQLiteStore.inMemory()
        try await rule.check(store)
        await store.close()
    }

    @Test(arguments: StoreCase.all)
    func `a store in a file keeps the rules of stores`(_ rule: StoreCase) async throws {
        try await withTemporaryStore { try await rule.check($0) }
    }

    @Test(arguments: StoreCase.all)
    func `a store in memory keeps the rules of stores`(_ rule: StoreCase) async throws {
        let store = try await SQLiteStore.inMemory()
        try await rule.check(store)
        await store.close()
    }
}
