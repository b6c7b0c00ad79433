import Campaigns
import CommandLineKit
import FoundationEssentials
import HTTPClient
import Push
import Storage

/// The parts of the engine, as the configuration puts them together.
struct Engine: Sendable {
    let configuration: Configuration
    let store: any Store
    let providers: [any PushProvider]
    private let clients: [any HTTPClient]

    init(configuration: Configuration, store: any Store, providers: AssembledProviders) {
        self.configuration = configuration
        self.store = store
        self.providers = providers.providers
        clients = providers.clients
    }

    func pipeline(logger: Logger, clock: WallClock) throws(PushConfigurationError) -> PushPipeline {
        try PushPipeline(
            providers: providers, maxConcurrency: configuration.engine.maxConcurrency,
            hygiene: TokenHygiene(autoPruneDeadTokens: configuration.engine.autoPruneDeadTokens),
            logger: logger, clock: clock)
    }

    func pushManager(logger: Logger, clock: WallClock) throws(PushConfigurationError) -> PushManager {
        try PushManager(
            repository: store, providers: providers,
            options: PushManagerOptions(
                pageSize: configuration.engine.pageSize, maxConcurrency: configuration.engine.maxConcurrency,
                autoPruneDeadTokens: configuration.engine.autoPruneDeadTokens),
            logger: logger, clock: clock)
    }

    func close() async {
        for client in clients { await client.shutdown() }
        await store.close()
    }
}

extension Invocation {
    /// The store that the option names, or the configuration, or the default one.
    func openStore() async throws -> any Store { try await openStore(try configuration()) }

    func openStore(_ configuration: Configuration) async throws -> any Store {
        try await SQLiteStore.open(at: try storePath(configuration))
    }

    /// The store, or an empty one in memory where there is none: what only looks makes no file.
    private func openStoreToRead(_ configuration: Configuration) async throws -> any Store {
        guard FileManager.default.fileExists(atPath: try storePath(configuration)) else {
            return try await SQLiteStore.inMemory()
        }
        return try await openStore(configuration)
    }

    /// The path of the store's file. The option starts from the working directory, the configuration from its folder.
    func storePath(_ configuration: Configuration) throws -> String {
        guard let url = options.storeURL else {
            switch configuration.store {
            case .sqlite(let path): return configuration.path(path)
            }
        }
        do throws(StoreLocationError) {
            switch try StoreLocation(parsing: url) {
            case .sqlite(let path): return environment.openablePath(path)
            }
        } catch {
            throw command.error("--store cannot be '\(url)': \(error.reason)")
        }
    }

    /// Puts the engine together, and takes it apart again whatever happens.
    ///
    /// - Parameter purpose: Without sending, no secret is read and no connection is made.
    func withEngine<Result>(
        _ purpose: AssembledProviders.Purpose, _ body: (Engine) async throws -> Result
    ) async throws -> Result {
        let configuration = try configuration()
        let providers = try AssembledProviders(
            configuration, purpose: purpose, clock: environment.clock, logger: logger)
        let engine = Engine(
            configuration: configuration,
            store: try await purpose == .sending ? openStore(configuration) : openStoreToRead(configuration),
            providers: providers)
        do {
            let result = try await body(engine)
            await engine.close()
            return result
        } catch {
            await engine.close()
            throw error
        }
    }
}
