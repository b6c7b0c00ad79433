import Campaigns
import CommandLineKit
import FoundationEssentials
import Storage

extension Invocation {
    /// The store that the option names, or the configuration, or the default one.
    func openStore() async throws -> any Store { try await openStore(try configuration()) }

    func openStore(_ configuration: Configuration) async throws -> any Store {
        try await SQLiteStore.open(at: try storePath(configuration))
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
}
