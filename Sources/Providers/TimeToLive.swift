import Push

extension PushNotification.Fields {
    /// The time to live in whole seconds, rounded up so that only zero means "now or never".
    func timeToLiveSeconds() throws(NotificationRejection) -> Int64? {
        guard let timeToLive else { return nil }
        guard timeToLive >= .zero else {
            throw NotificationRejection("time_to_live", "is negative; give zero for “now or never”")
        }
        let (seconds, attoseconds) = timeToLive.components
        return attoseconds > 0 && seconds < .max ? seconds + 1 : seconds
    }
}

extension Optional<String> {
    /// The text, or `nil` when there is none or it is empty: a template that renders to nothing sets no field.
    var nonEmpty: String? {
        if let self, !self.isEmpty { self } else { nil }
    }
}
