/// Bounds how many messages are with providers and not yet answered, over all sends that share it.
///
/// Whoever asks first is served first, so that a large request is never overtaken for ever by small ones.
actor MessagesInFlight {
    /// The most messages at a time; also the most that one request may ask for.
    nonisolated let limit: Int
    private var used = 0
    private var waiting: [(count: Int, resume: CheckedContinuation<Void, Never>)] = []

    init(limit: Int) { self.limit = limit }

    /// Waits until `count` more messages may be sent. Each call is followed by one of `finish` with the same count.
    func begin(_ count: Int) async {
        if waiting.isEmpty, used + count <= limit {
            used += count
            return
        }
        await withCheckedContinuation { waiting.append((count, $0)) }
    }

    func finish(_ count: Int) {
        used -= count
        while let first = waiting.first, used + first.count <= limit {
            used += first.count
            waiting.removeFirst()
            first.resume.resume()
        }
    }
}
