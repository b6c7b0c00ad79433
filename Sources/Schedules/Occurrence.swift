/// One instant at which a schedule fires.
package struct Occurrence: Sendable, Hashable {
    /// The nominal instant. Together with the campaign it is the occurrence's identity.
    package var instant: Instant
    /// Seconds by which the zone's clocks are then ahead of UTC.
    package var offset: Int
    /// How long after the nominal instant it is sent, by the schedule's jitter.
    package var delay: TimeSpan

    package init(instant: Instant, offset: Int, delay: TimeSpan = TimeSpan(seconds: 0)) {
        self.instant = instant
        self.offset = offset
        self.delay = delay
    }

    /// When it is sent.
    package var firesAt: Instant { instant.advanced(bySeconds: delay.seconds) }

    /// What the zone's clocks show at the nominal instant.
    package var local: LocalDateTime { instant.local(offset: offset) }
}

extension Occurrence: CustomStringConvertible {
    /// The nominal instant as `2026-12-01T09:00:00+01:00`.
    package var description: String { instant.rfc3339(offset: offset) }
}
