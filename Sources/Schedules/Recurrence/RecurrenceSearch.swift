extension RecurrenceRule {
    // MARK: Periods of a day and longer

    /// Goes from period to period, beginning with the one that holds `low`.
    func nextByDays(from low: Int64, before high: Int64, isExcluded: (CivilDate) -> Bool) -> Int64? {
        let firstDate = LocalDateTime(secondsSinceEpoch: low).date
        var index = parts.periodIndex(of: firstDate, from: start.date)
        while let period = parts.period(index, from: start.date), period.firstDay * 86_400 < high {
            if let found = first(in: period, from: low, isExcluded: isExcluded) { return found < high ? found : nil }
            index += 1
        }
        return nil
    }

    private func first(in period: RecurrencePeriod, from low: Int64, isExcluded: (CivilDate) -> Bool) -> Int64? {
        guard parts.positions.isEmpty else {
            return parts.chosen(of: period.days.count * timesOfDay.count)
                .lazy.map { period.days[$0 / timesOfDay.count] * 86_400 + Int64(timesOfDay[$0 % timesOfDay.count]) }
                .first { $0 >= low && !isExcluded(LocalDateTime(secondsSinceEpoch: $0).date) }
        }
        for day in period.days where day * 86_400 > low - 86_400 {
            guard !isExcluded(CivilDate(daysSinceEpoch: day)) else { continue }
            let earliest = low - day * 86_400
            if let time = timesOfDay.first(where: { Int64($0) >= earliest }) { return day * 86_400 + Int64(time) }
        }
        return nil
    }

    // MARK: Periods within a day

    /// Goes from period to period, and jumps over the days, hours and minutes that the rule does not name.
    func nextWithinDays(
        _ length: Int64, from low: Int64, before high: Int64, isExcluded: (CivilDate) -> Bool
    ) -> Int64? {
        let base = start.secondsSinceEpoch - start.secondsSinceEpoch.remainder(by: length)
        let (step, overflow) = length.multipliedReportingOverflow(by: parts.interval)
        guard !overflow else { return base >= low && base < high ? base : nil }
        var begin = Self.beat(base, step, notBefore: low - low.remainder(by: length))
        while begin < high {
            let second = Int(begin.remainder(by: 86_400))
            let day = begin - Int64(second)
            let date = CivilDate(daysSinceEpoch: day / 86_400)
            let jump: Int64
            if !parts.matches(date) || isExcluded(date) {
                jump = day + 86_400
            } else if parts.hours != 0, !parts.hours.hasBit(second / 3_600) {
                jump = day + Int64(second - second % 3_600 + 3_600)
            } else if length <= 60, parts.minutes != 0, !parts.minutes.hasBit(second / 60 % 60) {
                jump = day + Int64(second - second % 60 + 60)
            } else if length == 1, parts.seconds != 0, !parts.seconds.hasBit(second % 60) {
                let next = parts.seconds.firstBit(from: second % 60 + 1) ?? 60
                jump = day + Int64(second - second % 60 + next)
            } else if let found = first(inPeriodFrom: begin, length, notBefore: low) {
                return found < high ? found : nil
            } else {
                jump = begin + 1
            }
            begin = Self.beat(base, step, notBefore: jump)
        }
        return nil
    }

    private func first(inPeriodFrom begin: Int64, _ length: Int64, notBefore low: Int64) -> Int64? {
        let seconds = length > 1 ? parts.seconds.bits : [0]
        let minutes = length > 60 ? parts.minutes.bits : [0]
        let times = minutes.flatMap { minute in seconds.map { begin + Int64(minute * 60 + $0) } }
        guard !parts.positions.isEmpty else { return times.first { $0 >= low } }
        return parts.chosen(of: times.count).map { times[$0] }.first { $0 >= low }
    }

    /// The first of `base`, `base + step`, … that is not before a time.
    private static func beat(_ base: Int64, _ step: Int64, notBefore time: Int64) -> Int64 {
        guard time > base else { return base }
        let (count, rest) = (time - base).quotientAndRemainder(dividingBy: step)
        let (distance, overflow) = (rest == 0 ? count : count + 1).multipliedReportingOverflow(by: step)
        return overflow ? .max : base + distance
    }

    /// Whether a rule of hours, minutes or seconds ever meets a time of day that it names, and BYSETPOS a time of a
    /// period; what else may keep it from firing leaves a search of few steps a day.
    ///
    /// Its beats fall on all times of day that are equal to the start's modulo the greatest common divisor of the
    /// interval and a day, and on no others.
    var meetsItsTimesOfDay: Bool {
        guard let length = parts.frequency.secondsWithinDay else { return true }
        let timesInPeriod =
            (length > 60 ? parts.minutes.nonzeroBitCount : 1) * (length > 1 ? parts.seconds.nonzeroBitCount : 1)
        guard parts.positions.isEmpty || !parts.chosen(of: timesInPeriod).isEmpty else { return false }
        let (step, overflow) = length.multipliedReportingOverflow(by: parts.interval)
        guard !overflow else { return true }
        var (divisor, rest) = (Int64(86_400), step)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        let first = start.secondsSinceEpoch.remainder(by: divisor)
        return stride(from: first - first.remainder(by: length), to: 86_400, by: Int(divisor)).contains { second in
            let (hour, minute) = (Int(second) / 3_600, Int(second) / 60 % 60)
            return (parts.hours == 0 || parts.hours.hasBit(hour))
                && (length > 60 || parts.minutes == 0 || parts.minutes.hasBit(minute))
                && (length > 1 || parts.seconds == 0 || parts.seconds.hasBit(Int(second) % 60))
        }
    }
}

extension RecurrenceParts {
    /// The indices that BYSETPOS chooses out of a set of so many, in order.
    func chosen(of count: Int) -> [Int] {
        Set(positions.map { $0 > 0 ? $0 - 1 : count + $0 }).filter { (0..<count).contains($0) }.sorted()
    }
}

extension Int64 {
    /// Never negative.
    fileprivate func remainder(by divisor: Int64) -> Int64 {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
