/// The path of one page of registrations, in two halves: `prepare` decides what each device gets, `deliver` sends it.
///
/// Dry runs, previews and sends share the first half. Nothing that goes wrong for one device touches another: an error
/// thrown by an interceptor, by the notification closure or by an outcome hook is logged and concerns its device alone.
public struct PushPipeline: Sendable {
    /// The first that can deliver to a registration is the one that does.
    public let providers: [any PushProvider]
    public let interceptors: [any PushInterceptor]
    public let hygiene: TokenHygiene
    let inFlight: MessagesInFlight
    let logger: Logger
    let clock: WallClock

    /// How many messages may be in flight at a time unless somebody says otherwise: two whole pages of a thousand.
    public static let defaultConcurrency = 2_000

    /// - Parameter maxConcurrency: the most messages that are with providers and not yet answered, over everything that
    ///   this pipeline and its copies send; zero stands for `defaultConcurrency`. A transport's own limit of connections
    ///   and streams applies below it.
    public init(
        providers: [any PushProvider],
        interceptors: [any PushInterceptor] = [],
        maxConcurrency: Int = 0,
        hygiene: TokenHygiene = TokenHygiene(),
        logger: Logger = .disabled,
        clock: WallClock = .system
    ) throws(PushConfigurationError) {
        guard maxConcurrency >= 0 else {
            throw PushConfigurationError(
                setting: "maxConcurrency", value: maxConcurrency, rule: "0 (the default) or more")
        }
        try hygiene.check()
        self.providers = providers
        self.interceptors = interceptors
        self.hygiene = hygiene
        self.inFlight = MessagesInFlight(limit: maxConcurrency == 0 ? Self.defaultConcurrency : maxConcurrency)
        self.logger = logger
        self.clock = clock
    }

    /// The same providers, limits and bookkeeping of messages in flight, with another chain of interceptors.
    public func with(interceptors: [any PushInterceptor]) -> PushPipeline {
        PushPipeline(copying: self, interceptors: interceptors)
    }

    private init(copying other: PushPipeline, interceptors: [any PushInterceptor]) {
        providers = other.providers
        self.interceptors = interceptors
        hygiene = other.hygiene
        inFlight = other.inFlight
        logger = other.logger
        clock = other.clock
    }

    /// Chooses each device's provider, makes its notification and runs the interceptors in order.
    ///
    /// Devices for which `notification` returns copies of one value go on sharing it, unless an interceptor replaces it.
    /// A token that occurs twice in the page for one app, platform and kind is sent to once; its second registration is
    /// skipped. (Over pages a repository sees to that: it keeps one registration for such a token.)
    @concurrent
    public func prepare(
        _ page: [Registration], batchID: String, notification: @Sendable (Registration) throws -> PushNotification
    ) async -> PreparedPage {
        var devices: [PreparedDevice] = []
        devices.reserveCapacity(page.count)
        var tokens = TokensSeen(capacity: page.count)
        var failures = FailureLog(logger: logger, batchID: batchID)
        for registration in page {
            var device = PreparedDevice(registration)
            if !tokens.insert(registration) {
                device.settled = PushOutcome(.skipped, reason: "the same token occurs earlier in this batch")
            } else if let provider = providers.firstIndex(where: { $0.canDeliver(to: registration) }) {
                device.providerIndex = provider
                await prepare(&device, batchID: batchID, notification: notification, failures: &failures)
            } else {
                let app = registration.appID.map { "the app \($0)" } ?? "the default app"
                device.settled = PushOutcome(
                    .noProvider, reason: "no provider serves \(registration.platform.rawValue) for \(app)")
            }
            devices.append(device)
        }
        failures.close()
        return PreparedPage(batchID: batchID, devices: devices)
    }

    private func prepare(
        _ device: inout PreparedDevice, batchID: String, notification: (Registration) throws -> PushNotification,
        failures: inout FailureLog
    ) async {
        let made: PushNotification
        do {
            made = try notification(device.registration)
        } catch {
            failures.add("A notification could not be made", error, device.registration)
            device.settled = PushOutcome(.error, reason: "the notification could not be made: \(error)")
            return
        }
        device.notification = made
        guard !interceptors.isEmpty else { return }
        var context = PushSendContext(batchID: batchID, registration: device.registration, notification: made)
        for interceptor in interceptors {
            do {
                if case .skip(let reason) = try await interceptor.beforeSend(&context) {
                    device.settled = PushOutcome(.skipped, reason: reason)
                    break
                }
                device.interceptorsPassed += 1
            } catch {
                failures.add("The interceptor \(interceptor.name) failed", error, device.registration)
                device.settled = PushOutcome(.error, reason: "the interceptor \(interceptor.name) failed: \(error)")
                break
            }
        }
        device.notification = context.notification
        device.values = context.values
    }
}

/// The tokens of one page.
private struct TokensSeen {
    private struct Holder: Hashable {
        var token: String
        var platform: Platform
        var tokenKind: TokenKind
        var appID: String?
    }

    private var holders: Set<Holder>

    init(capacity: Int) { holders = Set(minimumCapacity: capacity) }

    /// Whether it is the first registration with its token.
    mutating func insert(_ registration: Registration) -> Bool {
        holders.insert(
            Holder(
                token: registration.token, platform: registration.platform, tokenKind: registration.tokenKind,
                appID: registration.appID)
        ).inserted
    }
}
