/// What the clocks have to do with one occurrence.
package enum ClockChangeRemark: Sendable, Hashable {
    /// It stands for local times that the clocks jumped over, of which these are the first and the last second.
    case afterGap(ClosedRange<LocalDateTime>)
    /// The clocks show this time again at `other`.
    case firstPass(other: Instant)
    /// The clocks showed this time before, at `other`.
    case secondPass(other: Instant)
}

extension ClockChangeRemark: CustomStringConvertible {
    package var description: String {
        switch self {
        case .afterGap(let missing):
            "the clocks skipped from \(missing.lowerBound) past \(missing.upperBound), so a time in between fires at the "
                + "first instant after"
        case .firstPass: "the clocks show this time twice; this is the first pass"
        case .secondPass: "the clocks show this time twice; this is the second pass"
        }
    }
}

extension Schedule {
    /// What the clocks have to do with an occurrence of this schedule; nothing on nearly every day.
    package func remark(at instant: Instant) -> ClockChangeRemark? {
        let period = zone.period(containing: instant)
        if period.start == instant, let missing = period.missingLocalRange,
            rules.contains(where: { fires($0, in: missing) })
        {
            return .afterGap(
                LocalDateTime(
                    secondsSinceEpoch: missing.lowerBound)...LocalDateTime(
                        secondsSinceEpoch: missing.upperBound - 1))
        }
        guard case .overlap(let first, let second) = zone.resolve(instant.local(offset: period.offset)) else {
            return nil
        }
        return instant == first ? .firstPass(other: second) : .secondPass(other: first)
    }

    /// Whether a rule with fixed times of day names a local time that does not exist.
    private func fires(_ rule: ScheduleRule, in missing: Range<Int64>) -> Bool {
        guard policy.gap == .next else { return false }
        return switch rule {
        case .at(let at):
            at.times.contains { time in
                if case .local(let local) = time { missing.contains(local.secondsSinceEpoch) } else { false }
            }
        case .every: false
        default:
            if let local = rule.localTimeRule, !local.followsTheHour {
                local.nextLocal(
                    from: missing.lowerBound, before: missing.upperBound, isExcluded: excepted.contains) != nil
            } else {
                false
            }
        }
    }
}
