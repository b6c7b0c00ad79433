internal import YAML

/// What is wrong with a schedule that stands alone; never empty.
package struct ScheduleReadingError: Error, Sendable, CustomStringConvertible {
    package var diagnostics: [Diagnostic]

    /// The messages without places, which a schedule that stands in no file does not have.
    package var description: String { diagnostics.map(\.fullMessage).joined(separator: "; ") }
}

extension CampaignSchedule {
    /// Reads a document, YAML or JSON, whose only key is `schedule`, with the value that it has in a campaign file.
    ///
    /// - Parameter campaign: The id that jitter and `H` are hashed from.
    package init(
        reading document: [UInt8], campaign: String, settings: CampaignSettings = CampaignSettings()
    ) throws(ScheduleReadingError) {
        let parsed: YAMLDocument
        do {
            parsed = try YAMLDocument(parsing: document, file: "schedule")
        } catch {
            throw ScheduleReadingError(diagnostics: [Diagnostic(error)])
        }
        var decoder = CampaignDecoder(parsed.source, settings: settings, dataFiles: DataFiles(root: "."))
        let entries = decoder.reader.entries(of: parsed.root, KeyTable("the document", ["schedule"]))
        let decoded = entries?["schedule"].flatMap { decoder.schedule($0, campaign: campaign) }
        let errors = decoder.reader.finished().filter { $0.severity == .error }
        guard let decoded, errors.isEmpty else { throw ScheduleReadingError(diagnostics: errors) }
        self = decoded.schedule
    }
}
