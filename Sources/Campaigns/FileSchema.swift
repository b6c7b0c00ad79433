/// The JSON Schemas (draft-07) of the files that people write. The files under `schemas/` are built into the program.
package enum FileSchema: String, Sendable, CaseIterable {
    case campaign
    case configuration = "config"

    package var text: String {
        switch self {
        case .campaign: String(decoding: PackageResources.campaign_schema_json, as: UTF8.self)
        case .configuration: String(decoding: PackageResources.config_schema_json, as: UTF8.self)
        }
    }
}
