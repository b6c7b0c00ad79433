import Campaigns
import CommandLineKit
import FoundationEssentials
import Spelling

extension Invocation {
    /// The folder of the campaigns as it can be opened.
    var campaignsPath: String { environment.openablePath(options.campaignsPath ?? "campaigns") }

    /// The configuration file, read; `nil` where none was named and there is none at the usual place.
    func configurationFile() -> ConfigurationFile? {
        let path = environment.openablePath(options.configPath ?? "carillon.yaml")
        if options.configPath == nil, !FileManager.default.fileExists(atPath: path) { return nil }
        return ConfigurationFile.read(path)
    }

    /// The configuration, or the embedded defaults where there is no file.
    func configuration() throws -> Configuration {
        guard let file = configurationFile() else { return Configuration(folder: environment.openablePath("")) }
        try show(file.diagnostics)
        guard let configuration = file.configuration else {
            throw FilesAreWrong(errors: file.diagnostics.count { $0.severity == .error }, place: file.path)
        }
        return configuration
    }

    /// The folder of the campaigns, read. Problems of its files are shown; the campaigns are those whose files are right.
    func campaignDirectory(_ settings: CampaignSettings) throws -> CampaignDirectory {
        let directory = try CampaignDirectory.load(campaignsPath, settings: settings)
        try show(directory.diagnostics)
        return directory
    }

    /// The campaign with an id. Of the problems only those of its own file are shown.
    func campaign(_ id: String, _ settings: CampaignSettings) throws -> Campaign {
        let directory = try CampaignDirectory.load(campaignsPath, settings: settings)
        if let file = directory.files.first(where: { $0.id == id || $0.path == environment.openablePath(id) }) {
            try show(file.diagnostics)
            guard let campaign = file.campaign else {
                throw FilesAreWrong(errors: file.diagnostics.count { $0.severity == .error }, place: file.path)
            }
            return campaign
        }
        // A file that is no YAML tells no id: it may be the one that was meant.
        for file in directory.files where file.id == nil { try show(file.diagnostics) }
        let suggestion =
            nearestName(to: id, among: directory.files.compactMap(\.id)).map { "; did you mean '\($0)'?" } ?? "."
        throw CommandFailure(.usage, "There is no campaign '\(id)' in \(campaignsPath)\(suggestion)")
    }
}

extension CommandEnvironment {
    /// A path that the process can open, in the words of the person who typed it where these can be opened too.
    func openablePath(_ path: String) -> String {
        if path.hasPrefix("/") || FileManager.default.currentDirectoryPath == workingDirectory { return path }
        return path.isEmpty ? workingDirectory : workingDirectory + "/" + path
    }
}
