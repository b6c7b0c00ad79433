package import Campaigns
import Schedules

/// The campaigns of a folder, read again when its files change.
///
/// Files are looked at from outside and read only after they stayed the same from one look to the next, so that a tree
/// that is being checked out or copied is not read half way. What is read is taken only if nothing changed meanwhile.
/// The files are also read again when the rules of a time zone in use were replaced.
package actor CampaignDirectorySource: CampaignSource {
    private let path: String
    private let settings: CampaignSettings
    private var kept = KeptCampaigns()
    /// What the tree looked like when it was read.
    private var loaded: TreeSignature?
    /// What it looked like at the last look, where that was not yet read.
    private var pending: TreeSignature?
    private var restlessLooks = 0
    private var toldProblem: String?
    private var lastCost = Duration.zero
    private let timeZonePause: Duration
    private var timeZonesSeen = ContinuousClock.now
    private var timeZonesChanged = false

    /// After so many looks at a tree that never comes to rest it is read as it is.
    private static let patience = 10

    /// - Parameter timeZonePause: How long to wait between two looks at the files of the time zones.
    package init(
        path: String, settings: CampaignSettings = CampaignSettings(), timeZonePause: Duration = .seconds(60)
    ) {
        self.path = path
        self.settings = settings
        self.timeZonePause = timeZonePause
    }

    /// At least a second, and so long that looking costs no more than a hundredth of a core.
    package func pause() -> Double? {
        let cost = Double(lastCost.components.seconds) + Double(lastCost.components.attoseconds) / 1e18
        return max(1, 100 * cost)
    }

    package func update() -> CampaignUpdate? {
        let began = ContinuousClock.now
        lookAtTimeZones(now: began)
        let isFirst = loaded == nil
        let signature: TreeSignature
        do {
            signature = try TreeSignature(of: path)
        } catch {
            return problem(error.description)
        }
        lastCost = .now - began
        guard signature != loaded || timeZonesChanged else {
            pending = nil
            restlessLooks = 0
            return problemIsOver()
        }
        guard isFirst || signature == loaded || signature == pending || restlessLooks >= Self.patience else {
            pending = signature
            restlessLooks += 1
            return nil
        }
        return read(signature)
    }

    private func read(_ signature: TreeSignature) -> CampaignUpdate? {
        let directory: CampaignDirectory
        do {
            directory = try CampaignDirectory.load(path, settings: settings)
        } catch {
            return problem(error.description)
        }
        let after = try? TreeSignature(of: path)
        guard after == signature || loaded == nil || restlessLooks >= Self.patience else {
            pending = after
            restlessLooks += 1
            return nil
        }
        // A tree that changed while it was read is looked at again.
        loaded = after == signature ? signature : nil
        pending = nil
        restlessLooks = 0
        var taken = kept.take(directory)
        taken.timeZonesChanged = timeZonesChanged
        timeZonesChanged = false
        toldProblem = taken.treeProblem == toldProblem ? toldProblem : taken.treeProblem
        return taken
    }

    private func lookAtTimeZones(now: ContinuousClock.Instant) {
        guard now - timeZonesSeen >= timeZonePause else { return }
        timeZonesSeen = now
        if !settings.timeZones.refresh().isEmpty { timeZonesChanged = true }
    }

    /// Everything goes on as it was; the problem is told once.
    private func problem(_ text: String) -> CampaignUpdate? {
        defer { toldProblem = text }
        guard toldProblem != text else { return nil }
        return CampaignUpdate(campaigns: kept.campaigns, treeProblem: text, isComplete: false)
    }

    /// After a problem of the whole folder, what is known is complete again.
    private func problemIsOver() -> CampaignUpdate? {
        guard toldProblem != nil else { return nil }
        toldProblem = nil
        return CampaignUpdate(campaigns: kept.campaigns, isComplete: kept.isComplete)
    }
}
