internal import Push

/// `localize`: lays the fields of the device's language over the notification.
struct LocalizeInterceptor: PushInterceptor {
    private let languages: Languages
    /// By the place of the language; nil for the notification itself, which nothing is laid over.
    private let layers: [NotificationLayer?]

    init(_ languages: Languages, _ variables: RunVariables, inputsAreShared: Bool) throws(Diagnostic) {
        self.languages = languages
        var layers: [NotificationLayer?] = [nil]
        for fields in languages.overlays.dropFirst() {
            layers.append(
                NotificationLayer(try NotificationOverlay(fields, variables), inputsAreShared: inputsAreShared))
        }
        self.layers = layers
        outputsAreShared = inputsAreShared && layers.allSatisfy { $0?.outputsAreShared ?? true }
    }

    let outputsAreShared: Bool

    var name: String { "localize" }

    func beforeSend(_ context: inout PushSendContext) async throws -> InterceptorResult {
        guard let layer = layers[languages.place(of: context.registration.locale)] else { return .proceed }
        context.notification = try layer.lay(over: context.notification, for: context.registration)
        return .proceed
    }
}
