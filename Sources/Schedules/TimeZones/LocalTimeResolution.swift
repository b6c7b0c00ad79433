extension TimeZoneRules {
    /// The instants at which the zone's clocks show a date and time: none, one or two.
    package func resolve(_ local: LocalDateTime) -> LocalTimeResolution {
        let wanted = local.secondsSinceEpoch
        var shown: [Instant] = []
        var gap: LocalTimeResolution?
        for period in periods(around: wanted) {
            let instant = Instant(secondsSinceEpoch: wanted - Int64(period.offset))
            let begun = period.start.map { $0 <= instant } ?? true
            if begun, period.end.map({ instant < $0 }) ?? true { shown.append(instant) }
            if !begun, let start = period.start,
                wanted >= start.secondsSinceEpoch + Int64(period.offsetBefore), gap == nil
            {
                gap = .gap(transition: start, width: period.offset - period.offsetBefore)
            }
        }
        if let first = shown.first, let last = shown.last {
            return first == last ? .unique(first) : .overlap(first: first, second: last)
        }
        // The periods join without holes, so a time that none of them shows was jumped over.
        return gap
            ?? .unique(Instant(secondsSinceEpoch: wanted - Int64(offset(at: Instant(secondsSinceEpoch: wanted)))))
    }

    /// The first instant of a date; of a date that was skipped, the first instant after it.
    package func startOfDay(_ date: CivilDate) -> Instant { firstInstant(of: LocalDateTime(date: date)) }

    /// The first instant at which the clocks show a time, or the first after it if they never do.
    package func firstInstant(of local: LocalDateTime) -> Instant {
        switch resolve(local) {
        case .unique(let instant), .gap(let instant, _), .overlap(let instant, _): instant
        }
    }

    /// Whether the zone's clocks never showed this date, as Apia's never showed 2011-12-30.
    package func isSkipped(_ date: CivilDate) -> Bool {
        local(startOfDay(date)).date != date
    }

    /// All periods that could show a local time: offsets stay within 26 hours of UTC.
    private func periods(around local: Int64) -> [OffsetPeriod] {
        var periods = [period(containing: Instant(secondsSinceEpoch: local - 26 * 3_600))]
        while let end = periods.last?.end, end.secondsSinceEpoch <= local + 26 * 3_600 {
            periods.append(period(containing: end))
        }
        return periods
    }
}
