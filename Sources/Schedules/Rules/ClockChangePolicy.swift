/// What becomes of a fixed time of day that the clocks jump over in spring.
package enum GapPolicy: String, Sendable, Hashable, CaseIterable {
    /// It fires at the first instant after the gap.
    case next
    /// It does not fire that day.
    case skip
}

/// Which pass counts when the clocks show a fixed time of day twice in autumn.
package enum OverlapPolicy: String, Sendable, Hashable, CaseIterable {
    case first, last, both
}

/// How fixed times of day meet the changes of the clocks.
package struct ClockChangePolicy: Sendable, Hashable {
    package var gap: GapPolicy
    package var overlap: OverlapPolicy

    package init(gap: GapPolicy = .next, overlap: OverlapPolicy = .first) {
        self.gap = gap
        self.overlap = overlap
    }

    /// What a schedule that follows the hour does: it fires whenever the clock shows a matching time.
    static let realTime = ClockChangePolicy(gap: .skip, overlap: .both)

    /// The instants that a local time stands for: none, one or two.
    func instants(of local: LocalDateTime, in zone: TimeZoneRules) -> [Instant] {
        switch zone.resolve(local) {
        case .unique(let instant): [instant]
        case .gap(let transition, _): gap == .next ? [transition] : []
        case .overlap(let first, let second):
            switch overlap {
            case .first: [first]
            case .last: [second]
            case .both: [first, second]
            }
        }
    }
}
