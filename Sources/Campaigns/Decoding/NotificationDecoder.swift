internal import Push
internal import Schedules
internal import YAML

extension CampaignDecoder {
    static let fieldKeys = [
        "title", "message", "badge", "sound", "deep_link", "collapse_id", "time_to_live", "priority", "data", "apple",
        "android", "web", "windows",
    ]
    static let notificationKeys = KeyTable(
        "notification", fieldKeys + ["locales"], later: ["live_activity"],
        elsewhere: KeyTable.keys([
            (appleKeys.keys, "apple"), (androidKeys.keys, "android"), (webKeys.keys, "web"),
            (windowsKeys.keys, "windows"),
        ]))

    /// FCM keeps a message for 28 days at most; APNs takes the same.
    static let longestTimeToLive = TimeSpan(seconds: 28 * 86_400)
    /// APNs refuses a longer `apns-collapse-id`.
    static let longestCollapseID = 64

    mutating func notification(_ entry: YAMLMapping.Entry) -> NotificationTemplate? {
        guard !entry.value.isNull else {
            reader.report(
                .wrongType, "notification has no value; write at least title or message under it", at: entry.keyRange)
            return nil
        }
        guard let entries = reader.entries(of: entry.value, Self.notificationKeys) else { return nil }
        let problemsBefore = reader.problemCount
        let fields = self.fields(entries)
        let locales = entries["locales"].map { self.locales($0) } ?? []
        if reader.problemCount == problemsBefore { checkSubstance(of: fields, entries, entry) }
        return NotificationTemplate(fields: fields, locales: locales)
    }

    private mutating func locales(_ entry: YAMLMapping.Entry) -> [NotificationTemplate.LocalizedFields] {
        guard let mapping = entry.value.mapping, !mapping.entries.isEmpty else {
            reader.report(
                .wrongType, "locales takes a mapping of languages, such as de: {title: Hallo}",
                at: entry.value.isNull ? entry.keyRange : reader.token(entry.value))
            return []
        }
        var known = [String: SourceRange]()
        var locales = [NotificationTemplate.LocalizedFields]()
        for locale in mapping.entries {
            checkLocale(locale.key, at: locale.keyRange)
            let plain = locale.key.lowercased().replacing("_", with: "-")
            if let first = known.updateValue(locale.keyRange, forKey: plain) {
                reader.report(
                    .conflictingKeys, "the language \"\(locale.key)\" stands here twice", at: locale.keyRange,
                    note: ("the first one is here", first))
            }
            guard let fields = overlay(locale, "the language \(locale.key)") else { continue }
            locales.append(.init(locale: locale.key, fields: fields))
        }
        return locales
    }

    /// Fields that are laid over others: a mapping with at least one of them.
    mutating func overlay(_ entry: YAMLMapping.Entry, _ owner: String) -> NotificationFields? {
        guard !entry.value.isNull else {
            reader.report(.wrongType, "\(owner) has no fields; write title or message under it", at: entry.keyRange)
            return nil
        }
        guard let entries = reader.entries(of: entry.value, KeyTable(owner, Self.fieldKeys)) else { return nil }
        guard !entries.isEmpty else {
            reader.report(.missingKey, "\(owner) has no fields; write title or message under it", at: entry.value.range)
            return nil
        }
        return fields(entries)
    }

    private mutating func fields(_ entries: MappingEntries) -> NotificationFields {
        var fields = NotificationFields()
        fields.title = template(entries["title"])
        fields.message = template(entries["message"])
        fields.badge = entries["badge"].flatMap { badge($0) }
        fields.sound = template(entries["sound"])
        fields.deepLink = template(entries["deep_link"])
        fields.collapseID = entries["collapse_id"].flatMap { collapseID($0) }
        fields.timeToLive = entries["time_to_live"].flatMap { reader.timeSpan($0, to: Self.longestTimeToLive) }
        fields.priority = entries["priority"].flatMap { reader.word($0, PushPriority.self) }
        fields.data = entries["data"].map { dataFields($0) } ?? []
        fields.apple = entries["apple"].flatMap { apple($0) }
        fields.android = entries["android"].flatMap { android($0) }
        fields.web = entries["web"].flatMap { web($0) }
        fields.windows = entries["windows"].flatMap { windows($0) }
        return fields
    }

    // MARK: Single fields

    private mutating func badge(_ entry: YAMLMapping.Entry) -> NotificationFields.Badge? {
        guard let scalar = reader.scalar(entry, "a whole number or a template") else { return nil }
        if scalar.value != .string {
            return reader.integer(entry, in: 0...Int(Int32.max)).map { .number($0) }
        }
        guard let template = template(entry) else { return nil }
        guard let constant = template.constant else { return .template(template) }
        if let number = reader.wholeNumber(YAMLValue(plain: constant)), (0...Int(Int32.max)).contains(number),
            constant.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        {
            return .number(number)
        }
        reader.report(
            .wrongType, "badge takes a whole number or a template, not \(reader.shown(scalar))", at: entry.value.range)
        return nil
    }

    private mutating func collapseID(_ entry: YAMLMapping.Entry) -> TemplateText? {
        guard let template = template(entry) else { return nil }
        if let constant = template.constant, constant.utf8.count > Self.longestCollapseID {
            reader.report(
                .outOfRange,
                "collapse_id has \(constant.utf8.count) bytes; at most \(Self.longestCollapseID) are allowed",
                at: entry.value.range)
            return nil
        }
        return template
    }

    private mutating func dataFields(_ entry: YAMLMapping.Entry) -> [NotificationFields.DataField] {
        guard let mapping = entry.value.mapping, !mapping.entries.isEmpty else {
            reader.report(
                .wrongType, "data takes a mapping of keys and texts, such as {kind: digest}",
                at: entry.value.isNull ? entry.keyRange : reader.token(entry.value))
            return []
        }
        return mapping.entries.compactMap { field in
            if let reason = ReservedDataKeys.reason(field.key) {
                reader.report(.reservedKey, "the data key \"\(field.key)\" is reserved: \(reason)", at: field.keyRange)
            }
            return template(field).map { .init(key: field.key, value: $0) }
        }
    }

    // MARK: Platforms

    static let appleKeys = KeyTable(
        "apple",
        [
            "subtitle", "thread_id", "category", "target_content_id", "mutable_content", "content_available",
            "interruption_level", "relevance_score", "topic_override", "push_type_override",
        ])
    static let androidKeys = KeyTable("android", ["channel_id", "icon", "color", "image_url", "tag"])
    static let webKeys = KeyTable("web", ["icon", "urgency"])
    static let windowsKeys = KeyTable("windows", ["kind", "payload", "launch"])

    /// The values of the `apns-push-type` header.
    static let pushTypes = [
        "alert", "background", "location", "voip", "complication", "fileprovider", "mdm", "pushtotalk", "controls",
        "widgets",
    ]

    private mutating func options(_ entry: YAMLMapping.Entry, _ table: KeyTable) -> MappingEntries? {
        guard !entry.value.isNull else {
            reader.report(.wrongType, "\(entry.key) has no options; leave the key out", at: entry.keyRange)
            return nil
        }
        guard let entries = reader.entries(of: entry.value, table) else { return nil }
        guard !entries.isEmpty else {
            reader.report(.missingKey, "\(entry.key) has no options; leave the key out", at: entry.value.range)
            return nil
        }
        return entries
    }

    private mutating func apple(_ entry: YAMLMapping.Entry) -> AppleFields? {
        guard let entries = options(entry, Self.appleKeys) else { return nil }
        var fields = AppleFields()
        fields.subtitle = template(entries["subtitle"])
        fields.threadID = template(entries["thread_id"])
        fields.category = template(entries["category"])
        fields.targetContentID = template(entries["target_content_id"])
        fields.mutableContent = entries["mutable_content"].flatMap { reader.bool($0) }
        fields.contentAvailable = entries["content_available"].flatMap { reader.bool($0) }
        fields.interruptionLevel = entries["interruption_level"].flatMap {
            reader.word($0, ApplePushOptions.InterruptionLevel.self)
        }
        fields.relevanceScore = entries["relevance_score"].flatMap { reader.number($0, in: 0...1) }
        fields.topic = entries["topic_override"].flatMap { reader.name($0) }
        fields.pushType = entries["push_type_override"].flatMap { reader.word($0, Self.pushTypes.map { ($0, $0) }) }
        return fields
    }

    private mutating func android(_ entry: YAMLMapping.Entry) -> AndroidFields? {
        guard let entries = options(entry, Self.androidKeys) else { return nil }
        var fields = AndroidFields()
        fields.channelID = template(entries["channel_id"])
        fields.icon = template(entries["icon"])
        fields.color = entries["color"].flatMap { color($0) }
        fields.imageURL = template(entries["image_url"])
        fields.tag = template(entries["tag"])
        return fields
    }

    private mutating func color(_ entry: YAMLMapping.Entry) -> TemplateText? {
        if entry.value.isNull {
            // A plain #rrggbb is a comment to YAML, so nothing is left of it.
            reader.report(
                .wrongType, "color has no value; put #rrggbb in quotes, as # begins a comment", at: entry.keyRange)
            return nil
        }
        guard let template = template(entry) else { return nil }
        guard let constant = template.constant else { return template }
        let digits = constant.utf8.dropFirst()
        guard constant.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else {
            reader.report(.outOfRange, "color must be written like \"#1d3557\"", at: entry.value.range)
            return nil
        }
        return template
    }

    private mutating func web(_ entry: YAMLMapping.Entry) -> WebFields? {
        guard let entries = options(entry, Self.webKeys) else { return nil }
        var fields = WebFields()
        fields.icon = template(entries["icon"])
        fields.urgency = entries["urgency"].flatMap { reader.word($0, WebPushOptions.Urgency.self) }
        return fields
    }

    private mutating func windows(_ entry: YAMLMapping.Entry) -> WindowsFields? {
        guard let entries = options(entry, Self.windowsKeys) else { return nil }
        var fields = WindowsFields()
        fields.kind = entries["kind"].flatMap { reader.word($0, WindowsPushOptions.Kind.self) }
        fields.payload = template(entries["payload"])
        fields.launch = template(entries["launch"])
        return fields
    }

    // MARK: The notification as a whole

    /// There must be something to deliver, and a silent push must stay silent.
    private mutating func checkSubstance(
        of fields: NotificationFields, _ entries: MappingEntries, _ entry: YAMLMapping.Entry
    ) {
        func isText(_ text: TemplateText?) -> Bool { text.map { $0.constant != "" } ?? false }
        let isShown = isText(fields.title) || isText(fields.message)
        let isSilent = fields.apple?.contentAvailable == true
        let hasContent =
            isShown || isSilent || fields.badge != nil || isText(fields.sound) || !fields.data.isEmpty
            || fields.windows?.payload != nil
        guard hasContent else {
            reader.report(
                .emptyNotification,
                "the notification has nothing to deliver: write title or message, or data for a silent push",
                at: entry.keyRange)
            return
        }
        checkNeeds(of: fields, entries)
        guard isSilent, !isShown else { return }
        for visible in entries.present(["badge", "sound"]) {
            reader.report(
                .silentPushMix,
                "\(visible.key) cannot go with apple.content_available unless there is a title or message: "
                    + "a silent push shows nothing", at: visible.keyRange)
        }
        for key in ["subtitle", "interruption_level", "mutable_content"] {
            guard let visible = entries["apple"]?.value.mapping?.entry(key) else { continue }
            reader.report(
                .silentPushMix,
                "\(key) cannot go with content_available unless there is a title or message: a silent push shows nothing",
                at: visible.keyRange)
        }
    }
}

extension CampaignDecoder {
    /// What one option makes necessary of another.
    private mutating func checkNeeds(of fields: NotificationFields, _ entries: MappingEntries) {
        if fields.windows?.kind == .tile, fields.windows?.payload == nil,
            let kind = entries["windows"]?.value.mapping?.entry("kind")
        {
            reader.report(
                .missingKey, "a tile needs payload, since it has no form that title and message could fill",
                at: kind.keyRange)
        }
        if fields.apple?.pushType == "mdm", fields.apple?.topic == nil,
            let type = entries["apple"]?.value.mapping?.entry("push_type_override")
        {
            reader.report(
                .missingKey, "a push of type mdm needs topic_override, since its topic is no bundle id",
                at: type.keyRange)
        }
    }
}

/// Keys that a provider keeps for itself in the data it carries.
enum ReservedDataKeys {
    static let words = ["from", "message_type", "collapse_key"]
    static let prefixes = ["gcm", "google"]

    /// Who keeps the key, or nil where it is free (FCM's page on data messages; Apple's on payload keys).
    static func reason(_ key: String) -> String? {
        if key == "aps" { return "APNs keeps it for the notification itself" }
        if words.contains(key) { return "FCM refuses it" }
        if let prefix = prefixes.first(where: key.hasPrefix) { return "FCM refuses keys that begin with \(prefix)" }
        return nil
    }
}
