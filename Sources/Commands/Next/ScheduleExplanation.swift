import Campaigns
import JSON
import Schedules

/// A campaign's schedule in words, with what the clocks have to do with its next occurrences and with the days on which
/// it stays silent.
struct ScheduleExplanation {
    var campaign: String
    var sentences: [String]
    var clockChanges: [String]
    var occurrences: [(occurrence: Occurrence, remark: String?)]
    /// Dates on which a rule names a time and nothing fires, and why.
    var skipped: [(date: CivilDate, reason: String)]

    /// How many days are looked through for silence.
    private static let mostDays: Int64 = 400

    init(_ campaign: Campaign, occurrences: [Occurrence], after now: Instant) {
        let schedule = campaign.schedule
        self.campaign = campaign.id
        sentences = schedule.parts.map(\.sentence)
        var told: [String] = []
        for part in schedule.parts {
            if let sentence = part.clockChangeSentence, !told.contains(sentence) { told.append(sentence) }
        }
        clockChanges = told
        self.occurrences = occurrences.map { occurrence in
            let part = schedule.parts.first { $0.fires(at: occurrence.instant) }
            return (occurrence, part?.remark(at: occurrence.instant).map { "\($0)" })
        }
        skipped = schedule.parts.flatMap { Self.silence(of: $0, after: now, through: occurrences.last?.instant) }
            .sorted { $0.date < $1.date }
    }

    private static func silence(
        of schedule: Schedule, after now: Instant, through last: Instant?
    ) -> [(date: CivilDate, reason: String)] {
        let today = schedule.zone.local(now).date
        let end = last.map { schedule.zone.local($0).date } ?? today.advanced(byDays: mostDays)
        var found: [(date: CivilDate, reason: String)] = []
        var date = today
        while date <= end, date.daysSinceEpoch - today.daysSinceEpoch < mostDays {
            let explanation = schedule.explain(date, limit: 1)
            if explanation.occurrences.isEmpty, let reason = explanation.reasons.last, reason.isSilence {
                found.append((date, reason.words(in: schedule.zone)))
            }
            date = date.advanced(byDays: 1)
        }
        return found
    }

    var json: JSONObject {
        [
            "campaign": .string(campaign), "schedule": .array(sentences.map { .string($0) }),
            "clock_changes": .array(clockChanges.map { .string($0) }),
            "occurrences": .array(
                occurrences.map { next in
                    var object: JSONObject = ["occurrence": .string("\(next.occurrence)")]
                    if let remark = next.remark { object["remark"] = .string(remark) }
                    return .object(object)
                }),
            "skipped": .array(
                skipped.map { ["date": .string("\($0.date)"), "reason": .string($0.reason)] }),
        ]
    }

    var lines: [String] {
        var lines = ["\(campaign):"] + (sentences + clockChanges).map { "  " + $0 }
        for (occurrence, remark) in occurrences {
            lines.append("  fires   \(LocalTimeText.text(occurrence))" + (remark.map { ": \($0)" } ?? ""))
        }
        lines += skipped.map { "  silent  \($0.date): \($0.reason)" }
        return lines
    }
}

extension DayExplanation.Reason {
    /// Whether it says why a time that a rule names does not come.
    fileprivate var isSilence: Bool {
        switch self {
        case .excepted, .outsideOnly, .skippedInGap, .dateWasSkipped, .limitReached: true
        case .noRuleNamesIt, .notStarted, .ended, .clocksWentForward, .clocksWentBack: false
        }
    }
}
