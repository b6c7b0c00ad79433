package import JSON
internal import YAML

/// Everything that is wrong with a schedule that did not come from a file; never empty.
package struct ScheduleJSONError: Error, Sendable, Hashable, CustomStringConvertible {
    package var problems: [String]

    package var description: String { problems.joined(separator: "\n") }
}

extension CampaignSchedule {
    /// Reads what stands under `schedule` in a campaign file, given as JSON: a mapping, or a list of such.
    package init(
        json: JSON, campaign: String = "", settings: CampaignSettings = CampaignSettings()
    ) throws(ScheduleJSONError) {
        let nowhere = SourceRange(start: 0, end: 0)
        var decoder = CampaignDecoder(
            SourceText(file: "schedule", bytes: []), settings: settings, dataFiles: DataFiles(root: ""))
        let entry = YAMLMapping.Entry(key: "schedule", keyRange: nowhere, value: YAMLNode(json, range: nowhere))
        let decoded = decoder.schedule(entry, campaign: campaign)
        let errors = decoder.reader.finished().filter { $0.severity == .error }
        guard let decoded, errors.isEmpty else {
            throw ScheduleJSONError(problems: errors.map(\.fullMessage))
        }
        self = decoded.schedule
    }
}

extension YAMLNode {
    /// The node that a JSON value is in YAML, all of it at one place. JSON values are as deep as their parser lets them be.
    fileprivate init(_ json: JSON, range: SourceRange) {
        func plain(_ text: String) -> Content {
            .scalar(YAMLScalar(text: text, style: .plain, value: YAMLValue(plain: text)))
        }
        let content: Content =
            switch json {
            case .null: plain("null")
            case .bool(let value): plain(value ? "true" : "false")
            case .int(let number): plain(String(number))
            case .double(let number): plain(String(number))
            case .string(let text): .scalar(YAMLScalar(text: text, style: .doubleQuoted, value: .string))
            case .array(let items): .sequence(items.map { YAMLNode($0, range: range) })
            case .object(let object):
                .mapping(
                    YAMLMapping(
                        entries: object.members.map {
                            .init(key: $0.key, keyRange: range, value: YAMLNode($0.value, range: range))
                        }))
            }
        self.init(content, range: range)
    }
}
