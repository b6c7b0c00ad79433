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

    /// The store for a verb that has nothing to do in a new one. Where there is no file yet it is an empty store in
    /// memory, and a note says so: who looks in the wrong folder gets told, and leaves no file behind.
    func openExistingStore() async throws -> any Store {
        let path = try storePath(try configuration())
        guard isYetToBeMade(path) else { return try await SQLiteStore.open(at: path) }
        try note("There is no store in \(path) yet.")
        return try await SQLiteStore.inMemory()
    }

    /// Whether the store's file could be made but is not there.
    private func isYetToBeMade(_ path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        return !FileManager.default.fileExists(atPath: path) && FileManager.default.fileExists(atPath: String(folder))
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
    func withEngine(
        _ purpose: AssembledProviders.Purpose, _ body: (Engine) async throws -> ExitCode
    ) async throws -> ExitCode {
        let engine = try await openEngine(purpose)
        let outcome: Result<ExitCode, any Error>
        do {
            outcome = .success(try await body(engine))
        } catch {
            outcome = .failure(error)
        }
        await engine.close()
        return try outcome.get()
    }

    private func openEngine(_ purpose: AssembledProviders.Purpose) async throws -> Engine {
        let configuration = try configuration()
        let path = try storePath(configuration)
        let providers = try AssembledProviders(
            configuration, purpose: purpose, storePath: path, clock: environment.clock, logger: logger)
        // What only looks makes no file.
        let isInMemory = purpose == .rehearsal && !FileManager.default.fileExists(atPath: path)
        let store = isInMemory ? try await SQLiteStore.inMemory() : try await SQLiteStore.open(at: path)
        return Engine(configuration: configuration, store: store, providers: providers)
    }
}
