import Campaigns
import CommandLineKit
import FoundationEssentials
import JSON

enum ValidateVerb: Verb {
    private static let paths = Argument(
        .file("PATH"), .repeated,
        "Campaign files or folders; the whole folder of campaigns and the configuration if none is given.")
    private static let strict = Flag("strict", "Exit with 1 when there are warnings.")

    static let command = Command(
        "validate", abstract: "Check campaign files and the configuration; every problem in one pass.",
        discussion: """
            Problems go to the standard error, each with its file, line and column. The exit code is 2 when there are \
            errors. With --format json they go to the standard output as one object.
            """,
        arguments: [paths], options: [strict],
        examples: [
            .init("carillon validate", "Check everything."),
            .init("carillon validate campaigns/weekly-digest.yaml", "Check one file."),
        ])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let configuration = invocation.configurationFile()
        let settings = configuration?.configuration?.campaignSettings ?? CampaignSettings()
        var report = Report()
        if let configuration, invocation.command[paths].isEmpty || configuration.configuration == nil {
            report.add(configuration)
        }
        for path in invocation.command[paths] { try report.add(path, settings, invocation) }
        if invocation.command[paths].isEmpty { try report.addDirectory(invocation.campaignsPath, settings) }
        try report.show(invocation)
        if report.errors > 0 { return .usage }
        return report.warnings > 0 && invocation.command[strict] ? .findings : .success
    }
}

/// What was checked and what was found.
private struct Report {
    private(set) var diagnostics: [Diagnostic] = []
    private var files = 0
    private var campaigns = 0

    var errors: Int { diagnostics.count { $0.severity == .error } }
    var warnings: Int { diagnostics.count - errors }

    mutating func add(_ configuration: ConfigurationFile) {
        files += 1
        diagnostics += configuration.diagnostics
    }

    mutating func add(_ path: String, _ settings: CampaignSettings, _ invocation: Invocation) throws {
        let openable = invocation.environment.openablePath(path)
        var isFolder = false
        guard FileManager.default.fileExists(atPath: openable, isDirectory: &isFolder) else {
            throw CommandFailure(.usage, "There is no \(path).")
        }
        if isFolder { return try addDirectory(openable, settings) }
        // Data files are looked for in the folder of the campaigns, which a file that lies elsewhere is not in.
        let folder = String(openable[..<(openable.lastIndex(of: "/") ?? openable.startIndex)])
        let isCampaign = openable.hasPrefix(invocation.campaignsPath + "/")
        let root = isCampaign ? invocation.campaignsPath : folder.isEmpty ? "." : folder
        let file = CampaignFile(path: openable, bytes: try invocation.readAll(path), root: root, settings: settings)
        files += 1
        campaigns += file.campaign == nil ? 0 : 1
        diagnostics += file.diagnostics
    }

    mutating func addDirectory(_ path: String, _ settings: CampaignSettings) throws {
        let directory = try CampaignDirectory.load(path, settings: settings)
        files += directory.files.count
        campaigns += directory.campaigns.count
        diagnostics += directory.diagnostics
    }

    func show(_ invocation: Invocation) throws {
        switch invocation.options.format {
        case .json:
            try invocation.print([
                "files": .int(Int64(files)), "campaigns": .int(Int64(campaigns)), "errors": .int(Int64(errors)),
                "warnings": .int(Int64(warnings)), "diagnostics": .array(diagnostics.map(\.json)),
            ])
        case .text:
            try invocation.show(diagnostics)
            let problems = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }
            let found = problems.isEmpty ? "no problems" : problems.map { counted($0.0, $0.1) }.joined(separator: ", ")
            try invocation.print("\(counted(files, "file")), \(counted(campaigns, "campaign")): \(found)")
        }
    }
}
