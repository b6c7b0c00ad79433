/// Why a schedule does or does not fire on a date of its zone.
package struct DayExplanation: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// The clocks never showed this date.
        case dateWasSkipped
        /// The rules name no time on this date.
        case noRuleNamesIt
        /// It would have fired, but for `except`.
        case excepted(ClosedRange<CivilDate>)
        /// It would have fired, but the schedule starts at this instant.
        case notStarted(Instant)
        /// It would have fired, but the schedule ended before this instant.
        case ended(Instant)
        /// The clocks went forward at `instant`, by so many seconds.
        case clocksWentForward(at: Instant, by: Int)
        /// The clocks went back at `instant`, by so many seconds.
        case clocksWentBack(at: Instant, by: Int)
    }

    package var date: CivilDate
    package var occurrences: [Occurrence]
    package var reasons: [Reason]
}

extension Schedule {
    /// `limit` bounds the occurrences that are told.
    package func explain(_ date: CivilDate, limit: Int = 100) -> DayExplanation {
        let start = zone.startOfDay(date)
        let end = zone.startOfDay(date.advanced(byDays: 1))
        let fired = occurrences(
            after: start.advanced(bySeconds: -1), through: end.advanced(bySeconds: -1), limit: limit)
        var reasons = clockChanges(from: start, to: end)
        if zone.isSkipped(date) {
            reasons.append(.dateWasSkipped)
        } else if fired.isEmpty {
            reasons.append(reasonForSilence(on: date, from: start, to: end))
        }
        return DayExplanation(date: date, occurrences: fired, reasons: reasons)
    }

    private func reasonForSilence(on date: CivilDate, from start: Instant, to end: Instant) -> DayExplanation.Reason {
        let unbounded = Schedule(campaign: campaign, zone: zone, rules: rules, policy: policy)
        guard let wouldFire = unbounded.next(after: start.advanced(bySeconds: -1))?.instant, wouldFire < end else {
            return .noRuleNamesIt
        }
        if let range = excepted.range(containing: date) { return .excepted(range) }
        if let starts, wouldFire < starts { return .notStarted(starts) }
        if let endsBefore, endsBefore <= wouldFire { return .ended(endsBefore) }
        return .noRuleNamesIt
    }

    private func clockChanges(from start: Instant, to end: Instant) -> [DayExplanation.Reason] {
        var changes: [DayExplanation.Reason] = []
        var period = zone.period(containing: start)
        while true {
            if let change = period.start, start <= change {
                let forward = period.offset - period.offsetBefore
                if forward > 0 { changes.append(.clocksWentForward(at: change, by: forward)) }
                if forward < 0 { changes.append(.clocksWentBack(at: change, by: -forward)) }
            }
            guard let next = period.end, next < end else { return changes }
            period = zone.period(containing: next)
        }
    }
}
