import FoundationEssentials
import HTTPClient
import JSON
package import Push

/// Writes what would go on the wire to a file, one JSON object a line, and sends nothing.
///
/// The requests are built by the code of the real transports, with placeholders where those need an account. Web Push
/// messages are written before their encryption.
package struct LogProvider: PushProvider, PushRequestPreviewing {
    /// Which registrations are served.
    package enum Apps: Sendable, Hashable {
        case every
        /// One app; `nil` is the default app.
        case one(String?)
    }

    package let identifier: String
    private let apps: Apps
    private let file: AppendOnlyFile
    private let clock: WallClock

    private let apns: APNsRequestBuilder
    private let fcm: FCMRequestBuilder
    private let web = WebPushRequestBuilder()
    private let wns = WNSRequestBuilder()

    /// - Parameters:
    ///   - path: The file to append to. It and its folders are made when they are missing.
    ///   - bundleID: What stands as the topic of Apple's pushes.
    ///   - projectID: What stands as the FCM project.
    package init(
        path: String, apps: Apps = .every, bundleID: String = "com.example.app", projectID: String = "example-project",
        clock: WallClock = .system
    ) {
        self.apps = apps
        file = AppendOnlyFile(path: path)
        self.clock = clock
        apns = APNsRequestBuilder(bundleID: bundleID, forcedEnvironment: nil, endpoints: [:])
        fcm = FCMRequestBuilder(projectID: projectID, origin: FCMConfiguration.googleOrigin)
        identifier = if case .one(let app) = apps { ProviderIdentifier.make("log", app: app) } else { "log" }
    }

    package func canDeliver(to registration: Registration) -> Bool {
        if case .one(let app) = apps { registration.appID == app } else { true }
    }

    package func previewRequest(for message: PushMessage) throws -> ProviderRequest {
        let now = clock.now
        return switch message.registration.platform {
        case .iOS, .macOS: try apns.previewRequest(for: message, now: now)
        case .android: try fcm.previewRequest(for: message, now: now)
        case .web: try web.previewRequest(for: message, now: now)
        case .windows: try wns.previewRequest(for: message, now: now)
        }
    }

    package func send(_ messages: [PushMessage]) async throws -> [PushOutcome] {
        let now = clock.now
        var lines = LogLines(time: now)
        var apple = PageOfRequests(apns, now: now)
        var android = PageOfRequests(fcm, now: now)
        var browsers = PageOfRequests(web, now: now)
        var windows = PageOfRequests(wns, now: now)
        var outcomes = messages.map { message in
            let request =
                switch message.registration.platform {
                case .iOS, .macOS: apple.request(for: message)
                case .android: android.request(for: message)
                case .web: browsers.request(for: message)
                case .windows: windows.request(for: message)
                }
            switch request {
            case .failure(let refusal): return refusal.outcome
            case .success(let request):
                lines.append(request, for: message)
                return PushOutcome(.success, providerMessageID: message.messageID)
            }
        }
        do {
            if !lines.bytes.isEmpty { try file.append(lines.bytes) }
        } catch {
            let failure = PushOutcome(.configurationError, reason: "the log provider's file: \(error)")
            for index in outcomes.indices where outcomes[index].status == .success { outcomes[index] = failure }
        }
        return outcomes
    }
}

/// Puts requests into lines.
private struct LogLines {
    private let time: String
    private var writer = JSONWriter()

    init(time: Date) { self.time = time.formatted(.iso8601) }

    var bytes: [UInt8] { writer.bytes }

    mutating func append(_ request: ProviderRequest, for message: PushMessage) {
        writer.beginObject()
        for (key, value) in [
            ("time", time), ("message_id", message.messageID),
            ("provider", Self.transport(message.registration.platform)),
            ("platform", message.registration.platform.rawValue), ("method", request.method),
            ("origin", request.origin), ("path", request.path),
        ] {
            writer.key(key)
            writer.string(value)
        }
        writer.key("registration")
        writer.int(message.registration.id.rawValue)
        writer.key("headers")
        writer.beginObject()
        for header in request.headers {
            writer.key(header.name)
            writer.string(header.value)
        }
        writer.endObject()
        writer.key("body")
        write(body: request.body, platform: message.registration.platform)
        writer.endObject()
        writer.newline()
    }

    /// Bodies are JSON that was built in one line, except on Windows: there they are XML, or a text given verbatim that
    /// may have line breaks.
    private mutating func write(body: [UInt8], platform: Platform) {
        if platform != .windows {
            writer.raw(body)
        } else if let value = try? JSON(parsing: body) {
            writer.value(value)
        } else {
            writer.string(String(decoding: body, as: UTF8.self))
        }
    }

    private static func transport(_ platform: Platform) -> String {
        switch platform {
        case .iOS, .macOS: "apns"
        case .android: "fcm"
        case .web: "webpush"
        case .windows: "wns"
        }
    }
}
