package import Schedules
internal import YAML

/// What holds for every campaign of a directory, and comes from the configuration.
package struct CampaignSettings: Sendable {
    /// The zone of schedules that name none.
    package var defaultTimezone: String
    package var timeZones: TimeZoneDatabase

    package init(defaultTimezone: String = "UTC", timeZones: TimeZoneDatabase = .system) {
        self.defaultTimezone = defaultTimezone
        self.timeZones = timeZones
    }
}

/// Turns the nodes of one file into a campaign, with every problem of the file in one pass.
struct CampaignDecoder {
    static let keys = KeyTable(
        "a campaign",
        [
            "campaign", "description", "owner", "enabled", "schedule", "filter", "data", "when", "notification",
            "interceptors",
        ],
        later: ["delivery", "experiment", "on_uncertain", "quiet_hours", "frequency_cap"],
        elsewhere: KeyTable.keys([
            (fieldKeys + ["locales"], "notification"), (scheduleKeys.keys, "schedule"), (filterKeys.keys, "filter"),
            (interceptorNames, "interceptors"),
        ]), allowsExtensions: true)

    var reader: NodeReader
    let settings: CampaignSettings
    let dataFiles: DataFiles
    /// The names that templates may use: the fixed ones and the campaign's data sources.
    var variables: Set<String> = ["device", "campaign", "occurrence"]
    /// Set as soon as it is read, since the schedule's jitter and `H` are hashed from it.
    private(set) var id: String?
    private(set) var idRange: SourceRange

    init(_ source: SourceText, settings: CampaignSettings, dataFiles: DataFiles) {
        reader = NodeReader(source)
        self.settings = settings
        self.dataFiles = dataFiles
        idRange = SourceRange(start: source.fullRange.start, end: source.fullRange.start)
    }

    /// The campaign, or nil where an error was reported.
    mutating func campaign(_ root: YAMLNode) -> Campaign? {
        guard let entries = reader.entries(of: root, Self.keys) else { return nil }
        guard !entries.isEmpty else {
            reader.report(
                .missingKey, "the file holds an empty mapping; a campaign needs schedule, filter and notification",
                at: reader.token(root))
            return nil
        }
        let id = campaignID(entries["campaign"])
        self.id = id
        let description = entries["description"].flatMap { reader.scalar($0)?.text }
        let owner = entries["owner"].flatMap { reader.scalar($0)?.text }
        let isEnabled = entries["enabled"].flatMap { reader.bool($0) } ?? true
        let schedule = required("schedule", entries, "say when it fires, as in schedule: {cron: \"0 9 * * *\"}")
            .flatMap { self.schedule($0, campaign: id ?? "") }
        let filter = required("filter", entries, "say who gets it; filter: everyone means every device")
            .flatMap { self.filter($0) }
        let data = entries["data"].map { dataSources($0) } ?? []
        let condition = entries["when"].flatMap { self.condition($0) }
        let notification = required("notification", entries, "say what is sent").flatMap { self.notification($0) }
        let interceptors = entries["interceptors"].map { self.interceptors($0) } ?? []
        guard !reader.hasErrors, let id, let schedule, let filter, let notification else { return nil }
        return Campaign(
            id: id, source: reader.source, description: description, owner: owner, isEnabled: isEnabled,
            schedule: schedule.schedule, catchUp: schedule.catchUp, overlap: schedule.overlap, filter: filter,
            data: data, condition: condition, notification: notification, interceptors: interceptors)
    }

    private mutating func required(_ key: String, _ entries: MappingEntries, _ remedy: String) -> YAMLMapping.Entry? {
        if let entry = entries[key] { return entry }
        reader.report(.missingKey, "the campaign has no \(key): \(remedy)", at: entries.range)
        return nil
    }

    // MARK: The id

    private mutating func campaignID(_ entry: YAMLMapping.Entry?) -> String? {
        if let entry {
            idRange = entry.value.range
            guard let name = reader.name(entry, "a name") else { return nil }
            guard Self.isUsableID(name) else {
                reader.report(
                    .invalidCampaignID,
                    "a campaign's id is made of a-z, 0-9, '.', '_' and '-', begins with a letter or digit, "
                        + "and has at most \(Self.longestID) characters", at: entry.value.range)
                return nil
            }
            return name
        }
        let name = Self.stem(of: reader.source.file)
        guard Self.isUsableID(name) else {
            reader.report(
                .invalidCampaignID,
                "the file's name \"\(name)\" cannot be the campaign's id, which is made of a-z, 0-9, '.', '_' and '-'; "
                    + "rename the file, or write campaign: and an id", at: idRange)
            return nil
        }
        return name
    }

    private static let longestID = 128

    private static func isUsableID(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= longestID else { return false }
        func isLetterOrDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return isLetterOrDigit(first) && name.utf8.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
    }

    private static func stem(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        for ending in [".yaml", ".yml"] where name.hasSuffix(ending) { return String(name.dropLast(ending.count)) }
        return name
    }
}
