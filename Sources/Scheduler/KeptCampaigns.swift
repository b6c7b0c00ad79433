import Campaigns

/// The campaigns of a folder with the last good version of each one that is broken at the moment.
struct KeptCampaigns: Sendable {
    private var byID: [String: Campaign] = [:]
    private var told: Set<Diagnostic> = []
    /// Whether a campaign that is not here is known to be gone.
    private(set) var isComplete = false

    init() {}

    /// In the order of their files.
    var campaigns: [Campaign] { byID.values.sorted { ($0.file, $0.id) < ($1.file, $1.id) } }

    /// Takes what was read of the folder.
    ///
    /// A campaign goes when its file is gone from a folder that still holds campaign files. A broken file, and a folder
    /// that cannot be listed, keep the campaigns they gave before; so does a folder that is suddenly empty.
    mutating func take(_ directory: CampaignDirectory) -> CampaignUpdate {
        var treeProblem: String?
        if directory.files.isEmpty, !byID.isEmpty {
            isComplete = false
            treeProblem =
                "The folder \(directory.path) holds no campaign files any more. Its \(byID.count) campaigns go on as they "
                + "were; disable those that are to end, or restart the scheduler."
        } else {
            merge(directory)
        }
        let diagnostics = directory.diagnostics
        defer { told = Set(diagnostics) }
        return CampaignUpdate(
            campaigns: campaigns, diagnostics: diagnostics.filter { !told.contains($0) }, treeProblem: treeProblem,
            isComplete: isComplete)
    }

    private mutating func merge(_ directory: CampaignDirectory) {
        var new = Dictionary(directory.campaigns.map { ($0.id, $0) }) { first, _ in first }
        let known = Dictionary(byID.values.map { ($0.file, $0) }) { first, _ in first }
        isComplete = directory.folderDiagnostics.isEmpty
        for file in directory.files where file.campaign == nil {
            if let old = file.id.flatMap({ byID[$0] }) ?? known[file.path] {
                if new[old.id] == nil { new[old.id] = old }
            } else {
                isComplete = false
            }
        }
        for folder in directory.folderDiagnostics.map(\.place.file) {
            for old in byID.values where old.file.hasPrefix(folder + "/") && new[old.id] == nil { new[old.id] = old }
        }
        byID = new
    }
}
