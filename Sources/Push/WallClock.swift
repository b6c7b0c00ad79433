public import FoundationEssentials

/// Where the time of day comes from. Everything that needs it is given one, so that any behaviour can be replayed.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Date

    public init(_ read: @escaping @Sendable () -> Date) { self.read = read }

    public var now: Date { read() }

    /// The machine's clock.
    public static let system = WallClock { Date() }

    /// A clock that stands still.
    public static func fixed(_ date: Date) -> WallClock { WallClock { date } }
}
