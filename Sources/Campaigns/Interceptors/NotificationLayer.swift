internal import Push
internal import Synchronization

/// Lays fields over notifications. Where neither the notification nor the fields depend on the device, devices that came
/// in with one notification go out with one.
final class NotificationLayer: Sendable {
    private let overlay: NotificationOverlay
    let outputsAreShared: Bool
    /// What came out for each notification that came in, which is kept alive with it as its identity is the key.
    private let results = Mutex<[ObjectIdentifier: (input: PushNotification, output: PushNotification)]>([:])

    init(_ overlay: NotificationOverlay, inputsAreShared: Bool) {
        self.overlay = overlay
        outputsAreShared = inputsAreShared && !overlay.dependsOnDevice
    }

    func lay(over notification: PushNotification, for registration: Registration) throws(Diagnostic) -> PushNotification
    {
        if outputsAreShared, let known = results.withLock({ $0[notification.identity]?.output }) { return known }
        var fields = notification.fields
        try overlay.lay(over: &fields, for: registration)
        let output = PushNotification(fields)
        guard outputsAreShared else { return output }
        // Another device may have been first; all must get the same one.
        return results.withLock { results in
            if let known = results[notification.identity] { return known.output }
            results[notification.identity] = (notification, output)
            return output
        }
    }
}
