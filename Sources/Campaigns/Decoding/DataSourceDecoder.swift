internal import JSON
internal import YAML

extension CampaignDecoder {
    static let dataSourceKeys = KeyTable(
        "a data source", ["file"], later: ["http", "sql", "command", "per", "collect"])
    /// Names that mean something to templates already.
    static let takenNames = [
        "device", "campaign", "occurrence", "forloop", "true", "false", "nil", "null", "empty", "blank", "and", "or",
        "contains",
    ]

    mutating func dataSources(_ entry: YAMLMapping.Entry) -> [DataSource] {
        guard let mapping = entry.value.mapping, !mapping.entries.isEmpty else {
            reader.report(
                .wrongType, "data takes a mapping of names and sources, such as stories: {file: _data/stories.json}",
                at: entry.value.isNull ? entry.keyRange : reader.token(entry.value))
            return []
        }
        return mapping.entries.compactMap { source in
            variables.insert(source.key)
            checkVariableName(source)
            return dataSource(source)
        }
    }

    private mutating func checkVariableName(_ source: YAMLMapping.Entry) {
        if Self.takenNames.contains(source.key) {
            reader.report(
                .invalidDataSource, "\"\(source.key)\" means something else in templates; give the source another name",
                at: source.keyRange)
            return
        }
        let bytes = source.key.utf8
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
        }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard let first = bytes.first, isLetter(first), bytes.allSatisfy({ isLetter($0) || isDigit($0) }) else {
            reader.report(
                .invalidDataSource,
                "\"\(source.key)\" cannot be used in a template; a name is made of letters, digits and _, "
                    + "and begins with no digit", at: source.keyRange)
            return
        }
    }

    private mutating func dataSource(_ source: YAMLMapping.Entry) -> DataSource? {
        if source.value.isNull {
            reader.report(
                .wrongType, "\(source.key) has no source; write {file: PATH} behind it", at: source.keyRange)
            return nil
        }
        guard let entries = reader.entries(of: source.value, Self.dataSourceKeys) else { return nil }
        guard let file = entries["file"] else {
            if !entries.namesLater {
                reader.report(.missingKey, "a data source needs file: and a path", at: entries.range)
            }
            return nil
        }
        guard let path = reader.name(file, "a path") else { return nil }
        switch dataFiles.read(path, from: reader.source.file) {
        case .success(let value):
            return DataSource(name: source.key, kind: .file(path: path), value: value)
        case .failure(.path(let reason)):
            reader.report(.invalidDataSource, reason, at: file.value.range)
        case .failure(.content(let diagnostic)):
            var diagnostic = diagnostic
            diagnostic.note = .init(
                message: "the file is named here", place: .init(file.value.range, in: reader.source))
            reader.add(diagnostic)
        }
        return nil
    }
}
