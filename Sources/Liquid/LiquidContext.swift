/// What a template is rendered with.
package struct LiquidContext: Sendable {
    /// The variables.
    package var variables: any LiquidObject
    /// Looked at before `variables`: what differs from one render to the next.
    package var overlay: (any LiquidObject)?
    /// What `now` and `today` mean. It stands still while a template is rendered.
    package var now: LiquidInstant
    /// The zone in which `date` shows instants and reads times without a zone.
    package var zone: LiquidTimeZone

    package init(
        variables: any LiquidObject, overlay: (any LiquidObject)? = nil, now: LiquidInstant, zone: LiquidTimeZone = .utc
    ) {
        self.variables = variables
        self.overlay = overlay
        self.now = now
        self.zone = zone
    }
}

/// A point in time.
package struct LiquidInstant: Sendable, Hashable {
    /// Since 1970-01-01T00:00:00Z, leap seconds not counted.
    package var seconds: Int64
    /// From 0 to 999,999,999.
    package var nanoseconds: Int32

    package init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}

/// The rules of a time zone, as far as a template needs them.
package struct LiquidTimeZone: Sendable {
    package struct Offset: Sendable, Hashable {
        /// Seconds east of UTC.
        package var seconds: Int
        /// What `%Z` prints, such as `CET`.
        package var abbreviation: String

        package init(seconds: Int, abbreviation: String) {
            self.seconds = seconds
            self.abbreviation = abbreviation
        }
    }

    /// The offset in force at an instant, given in seconds since 1970.
    package let offset: @Sendable (Int64) -> Offset

    package init(offset: @escaping @Sendable (Int64) -> Offset) { self.offset = offset }

    package static let utc = LiquidTimeZone { _ in Offset(seconds: 0, abbreviation: "UTC") }
}
