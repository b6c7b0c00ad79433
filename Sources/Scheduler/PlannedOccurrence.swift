package import Campaigns
package import Schedules
package import Storage

/// An occurrence that a scheduler would run.
package struct PlannedOccurrence: Sendable {
    package var campaign: Campaign
    package var occurrence: Occurrence

    /// What a scheduler that is started now would run until an instant, in the order of sending: what is due now, and
    /// what becomes due until then.
    ///
    /// - Parameters:
    ///   - progress: what the store knows; occurrences that it says are dealt with are left out.
    ///   - until: nil for what is due now alone.
    ///   - limit: how many occurrences of one campaign are looked at.
    package static func all(
        of campaigns: [Campaign], progress: [CampaignProgress], now: Instant, until: Instant? = nil,
        mode: DueOccurrences.Mode, limit: Int = 10_000
    ) -> [PlannedOccurrence] {
        let progress = Dictionary(progress.map { ($0.campaign, $0) }) { first, _ in first }
        var planned: [PlannedOccurrence] = []
        for campaign in campaigns where campaign.isEnabled {
            let due = DueOccurrences(
                of: CampaignTiming(campaign), progress: progress[campaign.id], now: now, mode: mode)
            planned += due.runs.map { PlannedOccurrence(campaign: campaign, occurrence: $0) }
            guard let until else { continue }
            // Of what passed, only what is still held back by its jitter is ahead.
            planned += campaign.schedule.occurrences(
                after: due.progress.consideredUntil, through: until, limit: limit
            ).filter { $0.firesAt > now && $0.firesAt <= until }
                .map { PlannedOccurrence(campaign: campaign, occurrence: $0) }
        }
        return planned.sorted {
            ($0.occurrence.firesAt, $0.campaign.id, $0.occurrence.instant)
                < ($1.occurrence.firesAt, $1.campaign.id, $1.occurrence.instant)
        }
    }
}
