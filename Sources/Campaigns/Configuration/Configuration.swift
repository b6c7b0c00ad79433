package import Push
package import Schedules

/// What `carillon.yaml` says: where things are kept and how pushes leave the house.
package struct Configuration: Sendable {
    /// The folder that relative paths of the file begin at; empty for the working directory.
    package var folder: String
    package var store: StoreLocation
    /// In the order of the file. Each has an id of its own.
    package var apps: [AppConfiguration]
    /// Serves every app and platform, where no app is configured at all.
    package var fallbackLog: LogSettings?
    /// The time zone of schedules that name none.
    package var defaultTimezone: String
    package var engine: EngineSettings

    package init(
        folder: String = "", store: StoreLocation = .standard, apps: [AppConfiguration] = [],
        defaultTimezone: String = "UTC", engine: EngineSettings = EngineSettings()
    ) {
        self.folder = folder
        self.store = store
        self.apps = apps
        self.fallbackLog = apps.isEmpty ? LogSettings() : nil
        self.defaultTimezone = defaultTimezone
        self.engine = engine
    }

    /// A path of the file as the program may open it.
    package func path(_ written: String) -> String {
        written.hasPrefix("/") || folder.isEmpty ? written : folder + "/" + written
    }

    package var campaignSettings: CampaignSettings { CampaignSettings(defaultTimezone: defaultTimezone) }
}

/// Where registrations, runs and deliveries are kept.
package enum StoreLocation: Sendable, Hashable {
    /// The path as it is written.
    case sqlite(path: String)

    package static let standard = StoreLocation.sqlite(path: "carillon.sqlite")

    /// Reads `sqlite:PATH`, which is also what `--store` takes.
    package init(parsing text: String) throws(StoreLocationError) {
        if text.hasPrefix("postgresql:") || text.hasPrefix("postgres:") {
            throw StoreLocationError(reason: "PostgreSQL is not available in this version", isNotAvailable: true)
        }
        let scheme = "sqlite:"
        guard text.hasPrefix(scheme), text.count > scheme.count else {
            throw StoreLocationError(reason: "a store is written like sqlite:carillon.sqlite", isNotAvailable: false)
        }
        self = .sqlite(path: String(text.dropFirst(scheme.count)))
    }
}

/// Why a text does not name a store.
package struct StoreLocationError: Error, Sendable, Hashable, CustomStringConvertible {
    package var reason: String
    package var isNotAvailable: Bool

    package var description: String { reason }
}

/// One app and the providers that serve its devices.
package struct AppConfiguration: Sendable {
    /// Nil for registrations without an app id, which the file calls `default`.
    package var id: String?
    package var apns: APNsSettings?
    package var fcm: FCMSettings?
    /// Serves every platform of the app that nothing else serves.
    package var log: LogSettings?

    package init(id: String?, apns: APNsSettings? = nil, fcm: FCMSettings? = nil, log: LogSettings? = nil) {
        self.id = id
        self.apns = apns
        self.fcm = fcm
        self.log = log
    }
}

package struct APNsSettings: Sendable {
    /// The `.p8` file's text.
    package var key: Secret
    package var keyID: String
    package var teamID: String
    package var bundleID: String
    /// Sends every registration to this environment, whatever the registration says.
    package var environment: PushEnvironment?
    /// Stands in for both of Apple's hosts.
    package var endpoint: String?
    /// The authority that signed the endpoint's certificate, in PEM.
    package var caFile: String?
}

package struct FCMSettings: Sendable {
    /// The service account's JSON.
    package var serviceAccount: Secret
    /// The one of the service account unless set.
    package var projectID: String?
    package var endpoint: String?
    package var tokenEndpoint: String?
    package var caFile: String?
}

/// The provider that writes what it would send, one JSON line a push.
package struct LogSettings: Sendable, Hashable {
    package var path: String

    package init(path: String = "outbox/pushes.jsonl") { self.path = path }
}

/// How much the engine does at once.
package struct EngineSettings: Sendable, Hashable {
    /// Registrations a page: the unit of memory, of transactions and of resumption.
    package var pageSize = 1_000
    /// Connections to one provider host.
    package var connections = 2
    /// Requests under way on one connection.
    package var streams = 100
    /// How long one request may take.
    package var timeout = TimeSpan(seconds: 30)
    /// Whether a registration whose token is proved dead is removed.
    package var autoPruneDeadTokens = true
    /// Messages that are with providers and not yet answered, over all runs together.
    package var maxConcurrency = 2_000
    /// What carries the messages to APNs and FCM.
    package var http = HTTPImplementation.nghttp2

    package init() {}
}

/// The ways to speak HTTP/2 with providers.
package enum HTTPImplementation: String, Sendable, Hashable, CaseIterable {
    case nghttp2, curl
}
