/// Schedules that fire at a time of day on each device's own clock.
extension Schedule {
    /// When an occurrence of such a schedule reaches the devices of a zone, jitter included; nothing where the zone's
    /// clocks skip that time and the schedule says `gap: skip`. A time that the clocks show twice reaches them once.
    package func instant(of occurrence: Occurrence, in zone: TimeZoneRules) -> Instant? {
        policy.instants(of: occurrence.local, in: zone).first?.advanced(bySeconds: occurrence.delay.seconds)
    }

    /// When the last zone, 12 hours behind UTC, reaches an occurrence: 26 hours after the first.
    package static func lastZone(of occurrence: Occurrence) -> Instant {
        occurrence.firesAt.advanced(bySeconds: 26 * 3_600)
    }
}
