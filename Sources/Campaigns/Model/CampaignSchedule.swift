package import Schedules

/// When a campaign fires: one schedule, or the union of several that each have a zone and bounds of their own.
package struct CampaignSchedule: Sendable {
    /// At least one.
    package let parts: [Schedule]

    package init(parts: [Schedule]) { self.parts = parts }

    /// The zone that the first part is written in, which is the one to show times in.
    package var zone: TimeZoneRules { parts.first?.zone ?? .utc }

    /// The first occurrence strictly after an instant. Where several parts fire at once, it is the first part's.
    package func next(after instant: Instant) -> Occurrence? {
        var earliest: Occurrence?
        for part in parts {
            guard let next = part.next(after: instant) else { continue }
            if let best = earliest, best.instant <= next.instant { continue }
            earliest = next
        }
        return earliest
    }

    /// The occurrences after `start` up to and including `end`, in order, at most `limit` of them.
    package func occurrences(after start: Instant, through end: Instant? = nil, limit: Int) -> [Occurrence] {
        var found = [Occurrence]()
        var last = start
        while found.count < limit, let next = next(after: last) {
            if let end, next.instant > end { break }
            found.append(next)
            last = next.instant
        }
        return found
    }

    /// The occurrence at an instant, in the words of the part that fires then, or else of the first part.
    package func occurrence(at instant: Instant) -> Occurrence? {
        (parts.first { $0.fires(at: instant) } ?? parts.first)?.occurrence(at: instant)
    }

    /// Whether it fires at exactly this instant.
    package func fires(at instant: Instant) -> Bool { parts.contains { $0.fires(at: instant) } }

    /// A text that changes when, and only when, the schedule means something else.
    package var fingerprint: String { Set(parts.map(\.fingerprint)).sorted().joined(separator: " | ") }
}
