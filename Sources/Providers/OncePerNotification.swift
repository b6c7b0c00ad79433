import Push

/// Builds a value once for each distinct notification of a page, and hands out its position.
///
/// Notifications are told apart by identity, so that devices which share one also share its payload and headers.
struct OncePerNotification<Value> {
    private(set) var values: [Value] = []
    private var positions: [ObjectIdentifier: Int] = [:]
    private var last: (identity: ObjectIdentifier, position: Int)?

    mutating func position(of notification: PushNotification, build: (PushNotification) -> Value) -> Int {
        let identity = notification.identity
        // In most pages everybody gets the same notification.
        if let last, last.identity == identity { return last.position }
        let position: Int
        if let known = positions[identity] {
            position = known
        } else {
            position = values.count
            values.append(build(notification))
            positions[identity] = position
        }
        last = (identity, position)
        return position
    }
}
