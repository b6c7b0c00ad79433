import Storage

extension Invocation {
    /// The store that the option names, or the default one.
    func openStore() async throws -> any Store {
        let address = try StoreAddress(
            options.storeURL ?? StoreAddress.standard, directory: environment.workingDirectory)
        return try await address.open()
    }
}
