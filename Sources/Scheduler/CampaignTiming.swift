package import Campaigns

/// What decides when a campaign fires.
package struct CampaignTiming: Sendable {
    package let campaign: String
    package let isEnabled: Bool
    package let schedule: CampaignSchedule
    package let catchUp: CatchUp
    /// Tells an edited schedule from the one that progress was made on. A campaign that is not enabled has another one,
    /// so that enabling it counts as an edit and fires nothing for the time in between.
    package let fingerprint: String

    /// The fingerprint of a campaign that does not fire, whatever its schedule.
    static let dormant = "dormant"

    package init(
        campaign: String, isEnabled: Bool = true, schedule: CampaignSchedule, catchUp: CatchUp = CatchUp()
    ) {
        self.campaign = campaign
        self.isEnabled = isEnabled
        self.schedule = schedule
        self.catchUp = catchUp
        self.fingerprint = isEnabled ? schedule.fingerprint : Self.dormant
    }

    package init(_ campaign: Campaign) {
        self.init(
            campaign: campaign.id, isEnabled: campaign.isEnabled, schedule: campaign.schedule,
            catchUp: campaign.catchUp)
    }
}
