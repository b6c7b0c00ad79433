/// Where a rule looks for its next instant.
struct RuleSearch {
    var zone: TimeZoneRules
    var excepted: ExceptedDates
    var only: OpenWindows?
    var policy: ClockChangePolicy
    /// Nothing is found at or after this instant, so that every search ends.
    var end: Instant

    /// Jumps from window to window where the schedule has any.
    func next(_ rule: ScheduleRule, after instant: Instant) -> Instant? {
        var earliest = instant
        while let found = nextAtAnyHour(rule, after: earliest) {
            guard let only else { return found }
            let local = zone.local(found)
            if only.contains(local) { return found }
            let opening = LocalDateTime(secondsSinceEpoch: only.nextOpen(from: local.secondsSinceEpoch))
            earliest = max(found, zone.firstInstant(of: opening).advanced(bySeconds: -1))
        }
        return nil
    }

    private func nextAtAnyHour(_ rule: ScheduleRule, after instant: Instant) -> Instant? {
        guard instant < end else { return nil }
        let found: Instant? =
            switch rule {
            case .every(let every): next(every, after: instant)
            case .at(let at): next(at, after: instant)
            case .cron(let cron): next(cron, from: instant.advanced(bySeconds: 1), before: end)
            case .calendar(let calendar): next(calendar, from: instant.advanced(bySeconds: 1), before: end)
            case .recurrence(let rule):
                next(rule, from: instant.advanced(bySeconds: 1), before: min(end, rule.endsBefore ?? end))
            }
        return found.flatMap { $0 < end ? $0 : nil }
    }

    /// Goes from one period of constant offset to the next; within a period, local time is as good as real time.
    private func next(_ rule: some LocalTimeRule, from first: Instant, before end: Instant) -> Instant? {
        guard first < end else { return nil }
        let policy = rule.followsTheHour ? .realTime : self.policy
        var period = zone.period(containing: first)
        while true {
            if let start = period.start, start >= first, let change = momentAfterGap(rule, period, policy) {
                return change
            }
            let range = period.localRange(from: first, to: end, overlap: policy.overlap)
            if let local = rule.nextLocal(
                from: range.lowerBound, before: range.upperBound, isExcluded: excepted.contains)
            {
                return Instant(secondsSinceEpoch: local - Int64(period.offset))
            }
            guard let next = period.end, next < end else { return nil }
            period = zone.period(containing: next)
        }
    }

    /// The start of a period, if the clocks jumped over a match there.
    private func momentAfterGap(
        _ rule: some LocalTimeRule, _ period: OffsetPeriod, _ policy: ClockChangePolicy
    ) -> Instant? {
        guard policy.gap == .next, let start = period.start, let missing = period.missingLocalRange,
            !excepted.contains(start.local(offset: period.offset).date),
            rule.nextLocal(from: missing.lowerBound, before: missing.upperBound, isExcluded: excepted.contains) != nil
        else { return nil }
        return start
    }

    private func next(_ every: EveryRule, after instant: Instant) -> Instant? {
        var earliest = instant.advanced(bySeconds: 1)
        while earliest < end {
            guard let beat = every.beat(notBefore: earliest), beat < end else { return nil }
            guard let range = excepted.range(containing: zone.local(beat).date) else { return beat }
            // Where clocks are set back over midnight, an excepted date may come back after its successor.
            let nextDay = zone.startOfDay(range.upperBound.advanced(byDays: 1))
            earliest = max(nextDay, beat.advanced(bySeconds: 1))
        }
        return nil
    }

    private func next(_ at: AtRule, after instant: Instant) -> Instant? {
        var best: Instant?
        for time in at.times {
            let candidates: [Instant]
            switch time {
            case .instant(let instant): candidates = [instant]
            case .local(let local):
                guard !excepted.contains(local.date) else { continue }
                candidates = policy.instants(of: local, in: zone)
            }
            for candidate in candidates where candidate > instant && best.map({ candidate < $0 }) ?? true {
                if !excepted.contains(zone.local(candidate).date) { best = candidate }
            }
        }
        return best
    }
}

extension EveryRule {
    fileprivate func beat(notBefore instant: Instant) -> Instant? {
        let (distance, tooFar) = instant.secondsSinceEpoch.subtractingReportingOverflow(anchor.secondsSinceEpoch)
        guard !tooFar else { return nil }
        let remainder = distance % interval.seconds
        let wait = remainder == 0 ? 0 : remainder > 0 ? interval.seconds - remainder : -remainder
        return instant.advanced(bySeconds: wait)
    }
}

extension OffsetPeriod {
    /// The local times that the clocks jump over at `start`.
    var missingLocalRange: Range<Int64>? {
        guard let start, offset > offsetBefore else { return nil }
        return start.secondsSinceEpoch + Int64(offsetBefore)..<start.secondsSinceEpoch + Int64(offset)
    }

    /// The local times that this period shows between two instants, without those that another pass counts for.
    func localRange(from first: Instant, to limit: Instant, overlap: OverlapPolicy) -> Range<Int64> {
        var low = max(first, start ?? first).secondsSinceEpoch + Int64(offset)
        var high = min(limit, end ?? limit).secondsSinceEpoch + Int64(offset)
        if overlap == .first, let start, offset < offsetBefore {
            low = max(low, start.secondsSinceEpoch + Int64(offsetBefore))
        }
        if overlap == .last, let end, offsetAfter < offset {
            high = min(high, end.secondsSinceEpoch + Int64(offsetAfter))
        }
        return low..<max(low, high)
    }
}
