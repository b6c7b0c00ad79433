package import Push

/// What one device would get, or why it would get nothing.
package struct DevicePreview: Sendable {
    package enum Outcome: Sendable {
        /// The request as it would go on the wire, without secrets; `nil` from a provider that cannot show one.
        case request(ProviderRequest?)
        /// An interceptor left the device out.
        case skipped(reason: String)
        /// It would fail before anything is sent.
        case failed(status: PushDeliveryStatus, reason: String)
    }

    package var registration: Registration
    /// The provider's identifier; `nil` where none serves the device.
    package var provider: String?
    /// After all interceptors; `nil` when none was made.
    package var notification: PushNotification?
    package var outcome: Outcome

    init(_ device: PreparedDevice, providers: [any PushProvider], messageID: String) {
        registration = device.registration
        notification = device.notification
        let provider = device.providerIndex.map { providers[$0] }
        self.provider = provider?.identifier
        if let settled = device.settled {
            let reason = settled.reason ?? settled.status.rawValue
            outcome =
                settled.status == .skipped
                ? .skipped(reason: reason) : .failed(status: settled.status, reason: reason)
        } else if let notification = device.notification, let provider = provider as? any PushRequestPreviewing {
            let message = PushMessage(
                notification: notification, registration: device.registration, messageID: messageID)
            do {
                outcome = .request(try provider.previewRequest(for: message))
            } catch {
                // The provider refuses what it could not send either.
                outcome = .failed(status: .messageRejected, reason: "\(error)")
            }
        } else {
            outcome = .request(nil)
        }
    }
}
