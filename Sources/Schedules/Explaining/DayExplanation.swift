/// Why a schedule does or does not fire on a date of its zone.
package struct DayExplanation: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// The clocks never showed this date.
        case dateWasSkipped
        /// The rules name no time on this date.
        case noRuleNamesIt
        /// It would have fired, but for `except`.
        case excepted(ClosedRange<CivilDate>, calendar: String?)
        /// It would have fired, but at this local time, which lies in no window of `only`.
        case outsideOnly(LocalDateTime)
        /// A rule names this local time, which the clocks jumped over; `gap: skip` leaves it out.
        case skippedInGap(LocalDateTime)
        /// It would have fired, but `limit` was reached before.
        case limitReached(Int)
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
        let unbounded = bounded(starts: nil, endsBefore: nil, excepted: ExceptedDates(), only: nil)
        guard let wouldFire = unbounded.next(after: start.advanced(bySeconds: -1))?.instant, wouldFire < end else {
            return timeInGap(on: date).map { .skippedInGap($0) } ?? .noRuleNamesIt
        }
        if let range = excepted.range(containing: date) {
            return .excepted(range, calendar: exceptedBy.first { $0.dates.contains(date) }?.name)
        }
        if let starts, wouldFire < starts { return .notStarted(starts) }
        if let endsBefore, endsBefore <= wouldFire { return limit.map { .limitReached($0) } ?? .ended(endsBefore) }
        if only != nil { return .outsideOnly(zone.local(wouldFire)) }
        return .noRuleNamesIt
    }

    /// The first fixed time that the rules name on a date and that the clocks jump over.
    private func timeInGap(on date: CivilDate) -> LocalDateTime? {
        let midnight = date.daysSinceEpoch * 86_400
        for rule in rules {
            guard let local = rule.localTimeRule, !local.followsTheHour,
                let time = local.nextLocal(from: midnight, before: midnight + 86_400, isExcluded: { _ in false }),
                case .gap = zone.resolve(LocalDateTime(secondsSinceEpoch: time))
            else { continue }
            return LocalDateTime(secondsSinceEpoch: time)
        }
        return nil
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

extension DayExplanation.Reason {
    /// The reason in words and without a capital, with times by the clocks of the zone.
    package func words(in zone: TimeZoneRules) -> String {
        switch self {
        case .dateWasSkipped: "the clocks never showed this date"
        case .noRuleNamesIt: "no rule names a time on this date"
        case .excepted(let range, let calendar):
            if let calendar {
                "except: the calendar \(calendar) has this date"
            } else if range.lowerBound == range.upperBound {
                "except: \(range.lowerBound)"
            } else {
                "except: \(range.lowerBound) to \(range.upperBound)"
            }
        case .notStarted(let instant): "starts: it fires from \(zone.local(instant).inWords) on"
        case .ended(let instant): "ends: it ended with \(zone.local(instant.advanced(bySeconds: -1)).inWords)"
        case .limitReached(let limit): "limit: all \(limit) occurrences lie before"
        case .outsideOnly(let local): "only: \(local.inWords) lies in no window of only"
        case .skippedInGap(let local): "gap: skip: the clocks never showed \(local.inWords)"
        case .clocksWentForward(let instant, let seconds):
            "the clocks went forward by \(TimeSpan(seconds: Int64(seconds))) to \(zone.local(instant).inWords)"
        case .clocksWentBack(let instant, let seconds):
            "the clocks went back by \(TimeSpan(seconds: Int64(seconds))) to \(zone.local(instant).inWords)"
        }
    }
}
