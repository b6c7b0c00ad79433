import FoundationEssentials
import HTTPClient
import Push

/// Turns messages into the requests of one transport. It holds no secret, so that previews and the log provider use the
/// very code that sends.
protocol ProviderRequestBuilder: Sendable {
    /// What all devices of one notification share.
    associatedtype Shared: Sendable

    /// Builds and checks what is shared.
    ///
    /// - Parameter now: What a time to live counts from.
    func shared(for notification: PushNotification, now: Date) throws(NotificationRejection) -> Shared

    /// The request for one device, with every secret left out. An error concerns this device alone.
    func request(_ shared: Shared, for message: PushMessage) throws(NotificationRejection) -> ProviderRequest
}

extension ProviderRequestBuilder {
    func previewRequest(for message: PushMessage, now: Date) throws(NotificationRejection) -> ProviderRequest {
        try request(try shared(for: message.notification, now: now), for: message)
    }
}

extension ProviderRequest {
    /// Stands in place of a secret.
    static let redacted = "<redacted>"

    init(origin: String, path: String, headers: [HTTPHeader], body: [UInt8]) {
        self.init(
            method: "POST", origin: origin, path: path, headers: headers.map { Header($0.name, $0.value) }, body: body)
    }
}

/// Builds the requests of a page, with what is shared built once.
struct PageOfRequests<Builder: ProviderRequestBuilder> {
    private let builder: Builder
    private let now: Date
    private var cache = OncePerNotification<Result<Builder.Shared, NotificationRejection>>()

    init(_ builder: Builder, now: Date) {
        self.builder = builder
        self.now = now
    }

    /// All that was built so far, at the positions that `shared(for:)` returns.
    var built: [Result<Builder.Shared, NotificationRejection>] { cache.values }

    /// What the devices of this message's notification share, with its position; or the outcome of all of them.
    mutating func shared(for message: PushMessage) -> Result<(position: Int, value: Builder.Shared), RefusedLocally> {
        let position = cache.position(of: message.notification) { [builder, now] notification in
            Result { () throws(NotificationRejection) in try builder.shared(for: notification, now: now) }
        }
        return cache.values[position].map { (position, $0) }.mapError { RefusedLocally(.messageRejected, $0) }
    }

    /// The request for one message, or its outcome.
    mutating func request(for message: PushMessage) -> Result<ProviderRequest, RefusedLocally> {
        shared(for: message).flatMap { shared in
            Result { () throws(NotificationRejection) in try builder.request(shared.value, for: message) }
                .mapError { RefusedLocally(.error, $0) }
        }
    }
}

/// A message that was refused before anything was sent.
struct RefusedLocally: Error {
    let outcome: PushOutcome

    init(_ status: PushDeliveryStatus, _ rejection: NotificationRejection) {
        outcome = PushOutcome(status, reason: rejection.description)
    }
}
