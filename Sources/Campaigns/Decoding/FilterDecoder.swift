internal import Push
import Spelling
internal import YAML

extension CampaignDecoder {
    static let filterKeys = KeyTable(
        "filter",
        [
            "platforms", "tags", "tag_match", "exclude_tags", "environment", "app_id", "users", "tokens", "topic",
            "locales",
        ])

    /// The names of platforms in campaign files; the last two are those of registrations.
    static let platforms: [(String, Platform)] = [
        ("iOS", .iOS), ("macOS", .macOS), ("Android", .android), ("Web", .web), ("Windows", .windows),
        ("MacOS", .macOS), ("WebBrowser", .web),
    ]

    /// `app_id: default` selects the registrations without an app id.
    static let defaultAppName = "default"

    mutating func filter(_ entry: YAMLMapping.Entry) -> PushFilter? {
        if let scalar = entry.value.scalar, scalar.value != .null {
            if scalar.text == "everyone" { return .everyone }
            reader.report(
                .unknownValue, "filter takes clauses such as tags, or the word everyone", at: entry.value.range,
                suggestion: nearestName(to: scalar.text, among: ["everyone"]))
            return nil
        }
        guard !entry.value.isNull else {
            reader.report(
                .wrongType, "filter has no value; filter: everyone is the way to mean every device", at: entry.keyRange)
            return nil
        }
        guard let entries = reader.entries(of: entry.value, Self.filterKeys) else { return nil }
        guard !entries.isEmpty else {
            reader.report(
                .missingKey, "filter has no clause; filter: everyone is the way to mean every device",
                at: entry.value.range)
            return nil
        }
        var filter = PushFilter()
        if let platforms = entries["platforms"] { filter.platforms = self.platforms(platforms) }
        filter.tags = names(entries["tags"], of: "tags")
        filter.excludeTags = names(entries["exclude_tags"], of: "tags")
        filter.users = names(entries["users"], of: "user ids")
        filter.tokens = names(entries["tokens"], of: "tokens")
        filter.locales = entries["locales"].flatMap { locales($0) }
        if let match = entries["tag_match"], let value = reader.word(match, TagMatch.self) {
            filter.tagMatch = value
            if entries["tags"] == nil {
                reader.report(
                    .conflictingKeys, "tag_match says how to match tags, which are not set", at: match.keyRange)
            }
        }
        filter.environment = entries["environment"].flatMap { reader.word($0, PushEnvironment.self) }
        filter.topic = entries["topic"].flatMap { reader.name($0) }
        if let app = entries["app_id"].flatMap({ reader.name($0) }) {
            filter.app = app == Self.defaultAppName ? .defaultApp : .id(app)
        }
        return filter
    }

    private mutating func names(_ entry: YAMLMapping.Entry?, of what: String) -> [String]? {
        guard let entry else { return nil }
        return reader.names(entry, of: what, emptyMeans: "which selects nobody; leave the key out to select all")
    }

    private mutating func platforms(_ entry: YAMLMapping.Entry) -> [Platform]? {
        guard
            let items = reader.list(
                entry, of: "platforms", emptyMeans: "which selects nobody; leave the key out to select all")
        else { return nil }
        var platforms = [Platform]()
        for item in items {
            guard let platform = reader.word(item, key: "platforms", keyRange: item.range, Self.platforms) else {
                continue
            }
            if !platforms.contains(platform) { platforms.append(platform) }
        }
        return platforms
    }

    private mutating func locales(_ entry: YAMLMapping.Entry) -> [String]? {
        guard let names = names(entry, of: "language tags") else { return nil }
        for (name, item) in zip(names, entry.value.sequence ?? []) { checkLocale(name, at: item.range) }
        return names
    }

    /// Whether a text has the shape of a language tag (BCP 47): `de`, `de-AT`, `zh_Hant`.
    mutating func checkLocale(_ name: String, at range: SourceRange) {
        let parts = name.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        let isTag =
            parts.first.map { (2...3).contains($0.count) && $0.allSatisfy(isLetter) } ?? false
            && parts.dropFirst().allSatisfy {
                (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) }
            }
        guard !isTag else { return }
        reader.report(.invalidLocale, "\"\(name)\" is not a language tag such as de or de-AT", at: range)
    }
}
