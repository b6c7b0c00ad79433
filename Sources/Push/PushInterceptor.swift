/// What interceptors see and may change for one device. One context lives through all hooks of its device.
public struct PushSendContext: Sendable {
    public let batchID: String
    public let registration: Registration
    /// Replace it to change what this device gets.
    public var notification: PushNotification
    /// A bag that an interceptor may use to carry a value from `beforeSend` to its outcome hooks.
    public var values: [String: PushValue]

    public init(batchID: String, registration: Registration, notification: PushNotification) {
        self.batchID = batchID
        self.registration = registration
        self.notification = notification
        self.values = [:]
    }
}

/// An interceptor's verdict on one device.
public enum InterceptorResult: Sendable, Hashable {
    case proceed
    /// Drop the notification for this device; the reason is kept in history.
    case skip(reason: String)
}

/// A step that may change or drop a notification for one registration, and hears the outcome.
///
/// Interceptors run in order; the first skip ends the chain. An error thrown by `beforeSend` fails that device alone;
/// one thrown by an outcome hook is logged.
public protocol PushInterceptor: Sendable {
    /// The name shown in history, logs and previews.
    var name: String { get }

    func beforeSend(_ context: inout PushSendContext) async throws -> InterceptorResult
    func onSent(_ context: PushSendContext, _ result: PushDeliveryResult) async throws
    func onFailed(_ context: PushSendContext, _ result: PushDeliveryResult) async throws
}

extension PushInterceptor {
    public func onSent(_ context: PushSendContext, _ result: PushDeliveryResult) async throws {}
    public func onFailed(_ context: PushSendContext, _ result: PushDeliveryResult) async throws {}
}
