internal import Push
internal import YAML

extension ConfigurationDecoder {
    static let appKeys = KeyTable("an app", ["apns", "fcm", "log"], later: ["web_push", "wns"])
    static let apnsKeys = KeyTable(
        "apns", ["key", "key_id", "team_id", "bundle_id", "environment", "endpoint", "ca_file"])
    static let fcmKeys = KeyTable(
        "fcm", ["service_account", "project_id", "endpoint", "token_endpoint", "ca_file"])
    static let logKeys = KeyTable("log", ["path"])
    static let secretKeys = KeyTable("a secret", ["env", "file"])

    mutating func apps(_ entry: YAMLMapping.Entry) -> [AppConfiguration] {
        guard let mapping = entry.value.mapping, !mapping.entries.isEmpty else {
            reader.report(
                .wrongType, "apps takes a mapping of app ids and their providers, such as default: {log: {path: FILE}}",
                at: entry.value.isNull ? entry.keyRange : reader.token(entry.value))
            return []
        }
        return mapping.entries.compactMap { app($0) }
    }

    private mutating func app(_ entry: YAMLMapping.Entry) -> AppConfiguration? {
        guard let entries = section(entry, Self.appKeys) else { return nil }
        guard !entries.isEmpty else {
            reader.report(
                .missingKey, "the app \"\(entry.key)\" has no provider; give it apns, fcm or log", at: entry.value.range
            )
            return nil
        }
        return AppConfiguration(
            id: entry.key == CampaignDecoder.defaultAppName ? nil : entry.key,
            apns: entries["apns"].flatMap { apns($0) }, fcm: entries["fcm"].flatMap { fcm($0) },
            log: entries["log"].flatMap { log($0) })
    }

    // MARK: Providers

    private mutating func apns(_ entry: YAMLMapping.Entry) -> APNsSettings? {
        guard let entries = section(entry, Self.apnsKeys) else { return nil }
        let key = required("key", entries, entry).flatMap { secret($0) }
        let keyID = required("key_id", entries, entry).flatMap { appleID($0) }
        let teamID = required("team_id", entries, entry).flatMap { appleID($0) }
        let bundleID = required("bundle_id", entries, entry).flatMap { reader.name($0) }
        let environment = entries["environment"].flatMap { reader.word($0, PushEnvironment.self) }
        let endpoint = entries["endpoint"].flatMap { url($0, mayHavePath: false) }
        let caFile = entries["ca_file"].flatMap { reader.name($0, "a path") }
        guard let key, let keyID, let teamID, let bundleID else { return nil }
        return APNsSettings(
            key: key, keyID: keyID, teamID: teamID, bundleID: bundleID, environment: environment, endpoint: endpoint,
            caFile: caFile)
    }

    private mutating func fcm(_ entry: YAMLMapping.Entry) -> FCMSettings? {
        guard let entries = section(entry, Self.fcmKeys) else { return nil }
        let account = required("service_account", entries, entry).flatMap { secret($0) }
        let projectID = entries["project_id"].flatMap { reader.name($0) }
        let endpoint = entries["endpoint"].flatMap { url($0, mayHavePath: false) }
        let tokenEndpoint = entries["token_endpoint"].flatMap { url($0, mayHavePath: true) }
        let caFile = entries["ca_file"].flatMap { reader.name($0, "a path") }
        guard let account else { return nil }
        return FCMSettings(
            serviceAccount: account, projectID: projectID, endpoint: endpoint, tokenEndpoint: tokenEndpoint,
            caFile: caFile)
    }

    private mutating func log(_ entry: YAMLMapping.Entry) -> LogSettings? {
        guard let entries = section(entry, Self.logKeys) else { return nil }
        return required("path", entries, entry).flatMap { reader.name($0, "a path") }.map { LogSettings(path: $0) }
    }

    // MARK: Values

    private mutating func required(
        _ key: String, _ entries: MappingEntries, _ owner: YAMLMapping.Entry
    ) -> YAMLMapping.Entry? {
        if let entry = entries[key] { return entry }
        reader.report(.missingKey, "\(owner.key) needs \(key)", at: owner.keyRange)
        return nil
    }

    /// Apple's key and team ids are ten characters.
    private mutating func appleID(_ entry: YAMLMapping.Entry) -> String? {
        guard let text = reader.name(entry) else { return nil }
        let isID =
            text.utf8.count == 10
            && text.utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
        guard isID else {
            reader.report(.outOfRange, "\(entry.key) has ten characters of A-Z and 0-9", at: entry.value.range)
            return nil
        }
        return text
    }

    /// A secret never stands in the file, and a message about one never repeats what stands there.
    private mutating func secret(_ entry: YAMLMapping.Entry) -> Secret? {
        guard entry.value.mapping != nil else {
            if entry.value.isNull {
                reader.report(
                    .wrongType, "\(entry.key) has no value; write {env: NAME} or {file: PATH}", at: entry.keyRange)
            } else {
                let place = Diagnostic.Place(entry.keyRange, in: reader.source)
                reader.add(
                    Diagnostic(
                        .error, .literalSecret,
                        "\(entry.key) is a secret and does not belong in this file; write {env: NAME} or {file: PATH}",
                        at: place.withoutExcerpt))
            }
            return nil
        }
        guard let entries = reader.entries(of: entry.value, Self.secretKeys) else { return nil }
        switch (entries["env"], entries["file"]) {
        case (let env?, nil): return reader.name(env, "the name of an environment variable").map { .environment($0) }
        case (nil, let file?): return reader.name(file, "a path").map { .file($0) }
        case (.some, let file?):
            reader.report(.conflictingKeys, "a secret takes env or file, not both", at: file.keyRange)
        case (nil, nil):
            reader.report(.missingKey, "\(entry.key) needs {env: NAME} or {file: PATH}", at: entry.keyRange)
        }
        return nil
    }

    /// `https://host:port`; plain HTTP only to this machine, since tokens and keys travel over it.
    private mutating func url(_ entry: YAMLMapping.Entry, mayHavePath: Bool) -> String? {
        guard let text = reader.name(entry, "a URL such as https://127.0.0.1:8443") else { return nil }
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else {
            reader.report(.invalidURL, "\(entry.key) begins with https://", at: entry.value.range)
            return nil
        }
        let parts = text.dropFirst(scheme.count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let authority = parts.first ?? ""
        let path = parts.count > 1 ? parts[1] : ""
        guard Self.isAuthority(authority), mayHavePath || path.isEmpty, !text.contains(where: \.isWhitespace) else {
            let form = mayHavePath ? "https://host:port/path" : "https://host:port"
            reader.report(.invalidURL, "\(entry.key) must be written like \(form)", at: entry.value.range)
            return nil
        }
        if scheme == "http://", !Self.isLoopback(authority) {
            reader.report(
                .invalidURL, "\(entry.key) must begin with https://, since credentials travel over it",
                at: entry.value.range)
            return nil
        }
        return text
    }

    private static func isAuthority(_ text: Substring) -> Bool {
        let (host, port) = hostAndPort(text)
        let isHost = !host.isEmpty && !host.contains { "@?#\\".contains($0) }
        guard let port else { return isHost }
        return isHost && port.allSatisfy(\.isASCII) && (UInt16(port).map { $0 > 0 } ?? false)
    }

    private static func hostAndPort(_ text: Substring) -> (host: Substring, port: Substring?) {
        let start = text.lastIndex(of: "]") ?? text.startIndex
        guard let colon = text[start...].firstIndex(of: ":") else { return (text, nil) }
        return (text[..<colon], text[text.index(after: colon)...])
    }

    private static func isLoopback(_ authority: Substring) -> Bool {
        let host = hostAndPort(authority).host
        return host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
    }
}

extension Diagnostic.Place {
    /// The same place, with nothing of the line shown.
    var withoutExcerpt: Diagnostic.Place {
        var place = self
        place.excerpt = ""
        return place
    }
}
