import Campaigns
import Scheduler
import Schedules
import Storage
import Testing

struct PlannedOccurrenceTests {
    private func plan(
        _ campaigns: [Campaign], now: String, until: String? = nil, mode: DueOccurrences.Mode = .once,
        considered: String? = nil
    ) throws -> [String] {
        let progress = try campaigns.compactMap { campaign in
            try considered.map {
                CampaignProgress(
                    campaign: campaign.id, scheduleFingerprint: CampaignTiming(campaign).fingerprint,
                    consideredUntil: try instant($0))
            }
        }
        return PlannedOccurrence.all(
            of: campaigns, progress: progress, now: try instant(now), until: try until.map(instant), mode: mode
        ).map { "\($0.campaign.id) \($0.occurrence)" }
    }

    @Test func `what is due now comes first and what follows is in the order of sending`() throws {
        let campaigns = [
            try campaign("b", schedule: "{cron: \"0 9,11 * * *\"}"),
            try campaign("a", schedule: "{cron: \"0 10,11 * * *\"}"),
            try campaign("off", schedule: "{cron: \"* * * * *\"}", more: "enabled: false"),
        ]
        #expect(
            try plan(campaigns, now: "2026-12-01T09:00:10Z", until: "2026-12-01T11:00:00Z") == [
                "b 2026-12-01T09:00:00Z", "a 2026-12-01T10:00:00Z", "a 2026-12-01T11:00:00Z", "b 2026-12-01T11:00:00Z",
            ])
        #expect(try plan(campaigns, now: "2026-12-01T09:00:10Z") == ["b 2026-12-01T09:00:00Z"])
        #expect(
            try plan(campaigns, now: "2026-12-01T09:00:10Z", considered: "2026-12-01T09:00:00Z") == [])
    }

    @Test func `an occurrence that jitter holds back is still ahead`() throws {
        let campaign = try campaign("c", schedule: "{cron: \"0 9 * * *\", jitter: 1h}")
        let occurrence = try #require(campaign.schedule.next(after: try instant("2026-12-01T08:00:00Z")))
        #expect(occurrence.delay.seconds > 60)
        #expect(
            try plan(
                [campaign], now: "2026-12-01T09:00:01Z", until: "2026-12-01T10:00:00Z", mode: .loop,
                considered: "2026-12-01T08:00:00Z") == ["c 2026-12-01T09:00:00Z"])
    }
}
