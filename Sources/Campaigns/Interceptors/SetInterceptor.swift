internal import Push

/// `set`: lays fields over the notification.
struct SetInterceptor: PushInterceptor {
    private let layer: NotificationLayer

    init(_ layer: NotificationLayer) { self.layer = layer }

    var name: String { "set" }

    func beforeSend(_ context: inout PushSendContext) async throws -> InterceptorResult {
        context.notification = try layer.lay(over: context.notification, for: context.registration)
        return .proceed
    }
}
