internal import YAML

/// What reading one campaign file gave: a campaign, or the reasons why there is none.
package struct CampaignFile: Sendable {
    /// The path, as the directory was named.
    package var path: String
    /// Nil when there was an error.
    package var campaign: Campaign?
    /// The id, where it could be read; also that of a campaign which is broken otherwise.
    package var id: String?
    package var diagnostics: [Diagnostic]
    /// Where the id stands in the file.
    var idPlace: Diagnostic.Place

    /// The largest campaign file, in bytes.
    package static let sizeLimit = YAMLLimits.standard.bytes

    /// Checks the bytes of a campaign file. `root` is the folder of the campaigns, which data files may not leave.
    package init(path: String, bytes: [UInt8], root: String, settings: CampaignSettings = CampaignSettings()) {
        self.init(path: path, bytes: bytes, settings: settings, dataFiles: DataFiles(root: root))
    }

    init(path: String, bytes: [UInt8], settings: CampaignSettings, dataFiles: DataFiles) {
        self.path = path
        do {
            let document = try YAMLDocument(parsing: bytes, file: path)
            var decoder = CampaignDecoder(document.source, settings: settings, dataFiles: dataFiles)
            campaign = decoder.campaign(document.root)
            id = decoder.id
            diagnostics = decoder.reader.finished()
            idPlace = Diagnostic.Place(decoder.idRange, in: document.source)
        } catch {
            diagnostics = [Diagnostic(error)]
            idPlace = Diagnostic.Place(file: path)
        }
    }

    init(path: String, unreadable reason: String) {
        self.path = path
        idPlace = Diagnostic.Place(file: path)
        diagnostics = [Diagnostic(.error, .unreadableFile, "the file cannot be read: \(reason)", at: idPlace)]
    }
}
