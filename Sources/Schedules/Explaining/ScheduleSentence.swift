extension Schedule {
    /// What the schedule means, in one sentence: `At 09:00 on Mondays, Europe/Berlin time.`
    package var sentence: String {
        var words = WordLists.joined(rules.map { $0.words(in: zone) }, "and also")
        words += zone.isRecipient ? ", on each device's own clock" : ", \(zone.name) time"
        if let fallbackZone { words += " (\(fallbackZone.name) where a device has no time zone)" }
        if let starts { words += ", from \(zone.local(starts).inWords) on" }
        if let limit { words += ", \(limit) times at most" }
        if let endsBefore, limit == nil { words += ", until \(zone.local(endsBefore.advanced(bySeconds: -1)).inWords)" }
        if let only { words += ", but only " + only.words }
        let exceptions = exceptionWords
        if !exceptions.isEmpty { words += ", except " + exceptions }
        if jitter.seconds > 0 { words += ", each sent up to \(jitter) later" }
        return words.prefix(1).uppercased() + words.dropFirst() + "."
    }

    /// What becomes of the schedule where the clocks change, in one or two sentences; nothing for UTC.
    package var clockChangeSentence: String? {
        guard zone.name != TimeZoneRules.utc.name else { return nil }
        let fixed = rules.contains { $0.hasFixedTimes }
        let following = rules.contains { !$0.hasFixedTimes }
        var sentences: [String] = []
        if fixed {
            let gap =
                policy.gap == .next
                ? "A time that the clocks skip fires at the first instant after the gap"
                : "A time that the clocks skip does not fire that day"
            let overlap =
                switch policy.overlap {
                case .first: "a time that they show twice fires once, in the first pass"
                case .last: "a time that they show twice fires once, in the second pass"
                case .both: "a time that they show twice fires in both passes"
                }
            sentences.append("\(gap); \(overlap).")
        }
        if following {
            sentences.append(
                fixed
                    ? "What follows the hour follows real time." : "It follows real time where the clocks change.")
        }
        return sentences.joined(separator: " ")
    }

    private var exceptionWords: String {
        let own = excepted.ranges.filter { range in !exceptedBy.contains { $0.dates.ranges.contains(range) } }
        let names = exceptedBy.map { "on the dates of \($0.name)" }
        guard own.count <= 6 else { return WordLists.joined(names + ["on \(own.count) dates and ranges"]) }
        let dates = own.map { range in
            range.lowerBound == range.upperBound
                ? "on \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
        }
        return WordLists.joined(names + dates)
    }
}

extension ScheduleRule {
    /// Whether it names times of day, which the policies for the changes of the clocks concern.
    var hasFixedTimes: Bool {
        switch self {
        case .every: false
        case .at: true
        default: localTimeRule.map { !$0.followsTheHour } ?? false
        }
    }
}

extension OpenWindows {
    var words: String {
        WordLists.joined(
            windows.map { window in
                let days = window.weekdays == 0x7F ? "every day" : "on " + WordLists.weekdays(window.weekdays)
                guard (window.from, window.to) != (0, 24 * 60) else { return days }
                return days + " from \(Self.clock(window.from)) to \(Self.clock(window.to))"
            })
    }

    private static func clock(_ minute: Int) -> String { "\(padded(minute / 60, to: 2)):\(padded(minute % 60, to: 2))" }
}
