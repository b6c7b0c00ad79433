import Storage

/// Where a store is, as `--store` and the key `store` of the configuration say it.
enum StoreAddress: Equatable {
    /// An SQLite file; the path is absolute.
    case sqlite(path: String)

    /// What holds when neither names a store.
    static let standard = "sqlite:carillon.sqlite"

    /// - Parameter directory: what a relative path starts from.
    init(_ url: String, directory: String) throws(StorageError) {
        func refuse(_ reason: String) -> StorageError {
            StorageError(.unsupportedAddress(reason), action: "open the store", location: url)
        }
        guard let colon = url.firstIndex(of: ":") else {
            throw refuse("an address begins with its kind. Write it like sqlite:carillon.sqlite.")
        }
        let rest = String(url[url.index(after: colon)...])
        switch url[..<colon] {
        case "sqlite":
            guard !rest.isEmpty else { throw refuse("the path is missing. Write it like sqlite:carillon.sqlite.") }
            self = .sqlite(path: rest.hasPrefix("/") ? rest : directory + "/" + rest)
        case "postgresql", "postgres":
            throw refuse("PostgreSQL is not available in this version. Use sqlite:PATH.")
        case let kind:
            throw refuse("\(kind) is no kind of store. Write it like sqlite:carillon.sqlite.")
        }
    }

    func open() async throws(StorageError) -> any Store {
        switch self {
        case .sqlite(let path): try await SQLiteStore.open(at: path)
        }
    }
}
