import Campaigns
import Crypto
import HTTPClient
import Providers
import Push
import Schedules

/// The providers of all apps, and the HTTP clients that they share.
struct AssembledProviders: Sendable {
    enum Purpose: Sendable {
        case sending
        /// Previews and dry runs: no secret is read and no connection is made.
        case rehearsal
    }

    /// The order counts: of an app's providers the log comes last, since it takes what no other serves.
    private(set) var providers: [any PushProvider] = []
    private(set) var clients: [any HTTPClient] = []

    /// - Parameter storePath: the file of the store, beside which provider tokens are kept; only sending needs it.
    init(
        _ configuration: Configuration, purpose: Purpose, storePath: String? = nil, clock: WallClock, logger: Logger
    ) throws {
        var assembly = Assembly(
            configuration: configuration, clock: clock, logger: logger,
            tokenFile: storePath.map { APNsTokenFile(path: $0 + "-apns-tokens", logger: logger) })
        for app in configuration.apps {
            do {
                providers += try purpose == .sending ? assembly.sending(app) : assembly.rehearsing(app)
            } catch {
                throw CommandFailure(.usage, "The app \(app.id ?? "default") cannot be served: \(error)")
            }
        }
        if let log = configuration.fallbackLog {
            providers.append(LogProvider(path: configuration.path(log.path), clock: clock))
        }
        clients = assembly.clients.map(\.client)
    }
}

/// Makes the providers of one app after the other, and the clients where they need one that is not there yet.
private struct Assembly {
    let configuration: Configuration
    let clock: WallClock
    let logger: Logger
    let tokens: APNsTokenRegistry
    var clients: [(key: ClientKey, client: any HTTPClient)] = []

    init(configuration: Configuration, clock: WallClock, logger: Logger, tokenFile: APNsTokenFile?) {
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        tokens = APNsTokenRegistry(clock: clock, file: tokenFile)
    }

    mutating func sending(_ app: AppConfiguration) throws -> [any PushProvider] {
        var providers: [any PushProvider] = []
        if let settings = app.apns { providers.append(try apns(app.id, settings)) }
        if let settings = app.fcm { providers.append(try fcm(app.id, settings)) }
        if let settings = app.log { providers.append(log(app, settings)) }
        return providers
    }

    func rehearsing(_ app: AppConfiguration) throws -> [any PushProvider] {
        var providers: [any PushProvider] = []
        if let settings = app.apns {
            providers.append(
                RehearsalProvider.apns(
                    appID: app.id, bundleID: settings.bundleID, forcedEnvironment: settings.environment,
                    endpoint: try settings.endpoint.map(ProviderEndpoint.origin), clock: clock))
        }
        if let settings = app.fcm {
            providers.append(
                RehearsalProvider.fcm(
                    appID: app.id, projectID: settings.projectID,
                    endpoint: try settings.endpoint.map(ProviderEndpoint.origin), clock: clock))
        }
        if let settings = app.log { providers.append(log(app, settings)) }
        return providers
    }

    private mutating func apns(_ app: String?, _ settings: APNsSettings) throws -> APNsProvider {
        let pem = try settings.key.value(in: configuration)
        return APNsProvider(
            APNsConfiguration(
                appID: app, key: try SigningKey(pem: pem.exposedText, algorithm: .es256), keyID: settings.keyID,
                teamID: settings.teamID, bundleID: settings.bundleID, forcedEnvironment: settings.environment,
                endpoint: try settings.endpoint.map(ProviderEndpoint.origin)),
            registry: tokens,
            client: try client(configuration.engine.http, caFile: settings.caFile, requiresHTTP2: true), clock: clock,
            logger: logger)
    }

    private mutating func fcm(_ app: String?, _ settings: FCMSettings) throws -> FCMProvider {
        let account = try FCMServiceAccount(json: try settings.serviceAccount.value(in: configuration).exposedText)
        let endpoint = try settings.endpoint.map(ProviderEndpoint.origin)
        // A stand-in on this machine may speak plain HTTP, which is libcurl's.
        let implementation = endpoint?.scheme == "http" ? .curl : configuration.engine.http
        return FCMProvider(
            try FCMConfiguration(
                appID: app, serviceAccount: account, projectID: settings.projectID, endpoint: endpoint,
                tokenEndpoint: try settings.tokenEndpoint.map { try ProviderEndpoint($0) }),
            client: try client(implementation, caFile: settings.caFile, requiresHTTP2: false),
            tokenClient: try client(.curl, caFile: settings.caFile, requiresHTTP2: false), clock: clock, logger: logger)
    }

    private func log(_ app: AppConfiguration, _ settings: LogSettings) -> LogProvider {
        LogProvider(path: configuration.path(settings.path), apps: .one(app.id), clock: clock)
    }

    private mutating func client(
        _ implementation: HTTPImplementation, caFile: String?, requiresHTTP2: Bool
    ) throws -> any HTTPClient {
        let engine = configuration.engine
        let wanted = HTTPClientConfiguration(
            connectionsPerOrigin: engine.connections, streamsPerConnection: engine.streams,
            timeout: .seconds(engine.timeout.seconds), caFile: caFile.map(configuration.path),
            requiresHTTP2: requiresHTTP2)
        let key = ClientKey(implementation: implementation, configuration: wanted)
        if let known = clients.first(where: { $0.key == key }) { return known.client }
        let client: any HTTPClient =
            switch implementation {
            case .nghttp2: try NGHTTP2Client(configuration: wanted)
            case .curl: try CurlClient(configuration: wanted)
            }
        clients.append((key, client))
        return client
    }
}

/// What must be the same for providers to share a client.
private struct ClientKey: Hashable {
    var implementation: HTTPImplementation
    var configuration: HTTPClientConfiguration
}
