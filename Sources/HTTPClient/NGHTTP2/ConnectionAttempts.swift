/// When to connect again, after connections that stood and ended.
///
/// A server that takes connections and does nothing on them is left alone for longer each time, and given up in the end:
/// many connections in a short time look like an attack to a push service.
struct ConnectionAttempts: Sendable, Equatable {
    /// So many connections in a row that brought nothing are enough.
    static let limit = 6

    private(set) var fruitless = 0
    /// No connection before this time.
    private(set) var notBefore = MonotonicTime(nanoseconds: 0)

    var isExhausted: Bool { fruitless >= Self.limit }

    /// A request was answered.
    mutating func succeed() { fruitless = 0 }

    /// A connection ended.
    ///
    /// - Parameter hasProcessed: whether the server did anything with a request on it.
    mutating func end(hasProcessed: Bool, at now: MonotonicTime) {
        guard !hasProcessed else {
            fruitless = 0
            return
        }
        fruitless += 1
        // The first one may have been replaced just as it was opened.
        if fruitless > 1 { notBefore = now + .milliseconds(25 << min(fruitless, 6)) }
    }

    mutating func reset() { self = ConnectionAttempts() }
}
