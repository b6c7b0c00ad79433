import Campaigns
import Schedules
import Storage

/// The campaigns that the loop runs, how far each was considered, and when to look at each again.
struct LoadedCampaigns: Sendable {
    private struct Entry: Sendable {
        var campaign: Campaign
        var timing: CampaignTiming
    }

    private var entries: [String: Entry] = [:]
    private(set) var progress: [String: CampaignProgress] = [:]
    var agenda = Agenda()
    /// Whether a campaign that is not here is known to be gone.
    private(set) var isComplete = false

    init() {}

    var isEmpty: Bool { entries.isEmpty }

    subscript(id: String) -> Campaign? { entries[id]?.campaign }

    func timing(_ id: String) -> CampaignTiming? { entries[id]?.timing }

    /// Takes what the store knows, once, before anything is due.
    mutating func restore(_ saved: [CampaignProgress]) {
        for progress in saved { self.progress[progress.campaign] = progress }
    }

    mutating func note(_ progress: CampaignProgress) { self.progress[progress.campaign] = progress }

    /// Takes the campaigns of a (re)load. Those that are new, gone, or have another schedule come up at once.
    mutating func take(_ update: CampaignUpdate, now: Instant) -> CampaignChanges {
        isComplete = update.isComplete
        var changes = CampaignChanges(total: update.campaigns.count, added: [], changed: [], removed: [])
        var gone = Set(entries.keys)
        // A campaign whose progress is known but which is not there was removed while nothing was running.
        if update.isComplete { gone.formUnion(progress.keys.filter { progress[$0]?.isRemoved == false }) }
        for campaign in update.campaigns {
            gone.remove(campaign.id)
            let timing = CampaignTiming(campaign)
            let known = entries.updateValue(Entry(campaign: campaign, timing: timing), forKey: campaign.id)
            if known == nil {
                changes.added.append(campaign.id)
            } else if known?.campaign.hasSameText(as: campaign) == false {
                changes.changed.append(campaign.id)
            }
            if known?.timing.fingerprint != timing.fingerprint { agenda.set(campaign.id, at: now) }
        }
        for id in gone where update.isComplete || entries[id] != nil {
            if entries.removeValue(forKey: id) != nil { changes.removed.append(id) }
            agenda.set(id, at: now)
        }
        changes.added.sort()
        changes.changed.sort()
        changes.removed.sort()
        return changes
    }

    /// Has every campaign looked at again, as when the clock was set back or a time zone has other rules.
    mutating func reconsiderAll(at now: Instant) {
        for id in entries.keys { agenda.set(id, at: now) }
    }
}

extension CampaignProgress {
    private static let removed = "removed"

    /// Progress of a campaign that is gone. If it comes back it counts as edited, and fires nothing for the time between.
    static func removed(_ campaign: String, at now: Instant) -> CampaignProgress {
        CampaignProgress(campaign: campaign, scheduleFingerprint: removed, consideredUntil: now)
    }

    var isRemoved: Bool { scheduleFingerprint == Self.removed }
}
