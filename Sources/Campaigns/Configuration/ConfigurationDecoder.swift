internal import Push
internal import Schedules
internal import YAML

/// Turns the nodes of `carillon.yaml` into a configuration, with every problem in one pass.
struct ConfigurationDecoder {
    static let keys = KeyTable(
        "the configuration", ["store", "apps", "defaults", "engine"], later: ["limits", "server", "metrics"],
        allowsExtensions: true)
    static let defaultsKeys = KeyTable("defaults", ["timezone"])
    static let engineKeys = KeyTable(
        "engine",
        ["page_size", "connections", "streams", "timeout", "auto_prune_dead_tokens", "max_concurrency", "http"])

    var reader: NodeReader

    init(_ source: SourceText) { reader = NodeReader(source) }

    /// The configuration, or nil where an error was reported.
    mutating func configuration(_ root: YAMLNode) -> Configuration? {
        guard let entries = reader.entries(of: root, Self.keys) else { return nil }
        let parts = reader.source.file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let configuration = Configuration(
            folder: parts == [""] ? "/" : parts.joined(separator: "/"), store: store(entries["store"]) ?? .standard,
            apps: entries["apps"].map { apps($0) } ?? [],
            defaultTimezone: entries["defaults"].flatMap { timezone($0) } ?? "UTC",
            engine: entries["engine"].map { engine($0) } ?? EngineSettings())
        return reader.hasErrors ? nil : configuration
    }

    private mutating func store(_ entry: YAMLMapping.Entry?) -> StoreLocation? {
        guard let entry, let text = reader.name(entry, "a store such as sqlite:carillon.sqlite") else { return nil }
        do {
            return try StoreLocation(parsing: text)
        } catch {
            reader.report(error.isNotAvailable ? .notAvailable : .invalidURL, error.reason, at: entry.value.range)
            return nil
        }
    }

    private mutating func timezone(_ entry: YAMLMapping.Entry) -> String? {
        guard let entries = section(entry, Self.defaultsKeys), let zone = entries["timezone"],
            let scalar = reader.scalar(zone, "a time zone such as Europe/Berlin")
        else { return nil }
        do {
            return try TimeZoneDatabase.system.rules(named: scalar.text).name
        } catch {
            reader.report(.unknownTimeZone, "\(error.problem); \(error.remedy)", at: zone.value.range)
            return nil
        }
    }

    private mutating func engine(_ entry: YAMLMapping.Entry) -> EngineSettings {
        var engine = EngineSettings()
        guard let entries = section(entry, Self.engineKeys) else { return engine }
        func set<Value>(_ value: Value?, _ path: WritableKeyPath<EngineSettings, Value>) {
            if let value { engine[keyPath: path] = value }
        }
        set(entries["page_size"].flatMap { reader.integer($0, in: 1...100_000) }, \.pageSize)
        set(entries["connections"].flatMap { reader.integer($0, in: 1...64) }, \.connections)
        set(entries["streams"].flatMap { reader.integer($0, in: 1...1_000) }, \.streams)
        set(entries["timeout"].flatMap { reader.timeSpan($0, from: 1, to: TimeSpan(seconds: 600)) }, \.timeout)
        set(entries["auto_prune_dead_tokens"].flatMap { reader.bool($0) }, \.autoPruneDeadTokens)
        set(entries["max_concurrency"].flatMap { reader.integer($0, in: 1...10_000) }, \.maxConcurrency)
        set(entries["http"].flatMap { reader.word($0, HTTPImplementation.self) }, \.http)
        return engine
    }

    /// The entries of a section that must not be left empty.
    mutating func section(_ entry: YAMLMapping.Entry, _ table: KeyTable) -> MappingEntries? {
        guard !entry.value.isNull else {
            reader.report(.wrongType, "\(table.owner) has no keys; leave it out", at: entry.keyRange)
            return nil
        }
        return reader.entries(of: entry.value, table)
    }
}
