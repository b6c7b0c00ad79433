package import Campaigns

/// Where the scheduler gets its campaigns from, now and after every change.
package protocol CampaignSource: Sendable {
    /// The campaigns when they are not those of the last call; nil when nothing changed. The first call returns them.
    func update() async -> CampaignUpdate?

    /// How long to wait, in seconds, before asking again; nil when nothing ever changes.
    func pause() async -> Double?
}

/// The campaigns as they are to be run from now on.
package struct CampaignUpdate: Sendable {
    /// All of them, with the last good version of those whose file is broken.
    package var campaigns: [Campaign]
    /// Problems that were not told before.
    package var diagnostics: [Diagnostic]
    /// A problem with the folder as a whole that was not told before.
    package var treeProblem: String?
    /// Whether there may be campaigns that could not be read and of which there is no good version. A campaign that is
    /// not in the list is then not known to be gone.
    package var isComplete: Bool
    /// Whether local times may mean other instants than before, though no file of a campaign changed.
    package var timeZonesChanged: Bool

    package init(
        campaigns: [Campaign], diagnostics: [Diagnostic] = [], treeProblem: String? = nil, isComplete: Bool = true,
        timeZonesChanged: Bool = false
    ) {
        self.campaigns = campaigns
        self.diagnostics = diagnostics
        self.treeProblem = treeProblem
        self.isComplete = isComplete
        self.timeZonesChanged = timeZonesChanged
    }
}

/// Campaigns that never change.
package struct FixedCampaigns: CampaignSource {
    private let campaigns: [Campaign]

    package init(_ campaigns: [Campaign]) { self.campaigns = campaigns }

    /// Always all of them: the scheduler finds that nothing changed.
    package func update() async -> CampaignUpdate? { CampaignUpdate(campaigns: campaigns) }

    package func pause() async -> Double? { nil }
}
