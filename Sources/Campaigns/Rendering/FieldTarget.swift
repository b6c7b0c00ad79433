internal import Push
internal import Schedules

/// A field of a notification that a text is rendered into.
enum FieldTarget: Sendable {
    case title, message, badge, sound, deepLink, collapseID
    case data(String)
    case appleSubtitle, appleThreadID, appleCategory, appleTargetContentID
    case androidChannelID, androidIcon, androidColor, androidImageURL, androidTag
    case webIcon
    case windowsPayload, windowsLaunch

    /// A text that a field cannot hold.
    struct Problem: Error {
        var message: String
    }

    /// Sets the field. A text that is empty clears it, except in `data`, where it is a value, and in `badge`, which it
    /// leaves alone.
    func set(_ text: String, in fields: inout PushNotification.Fields) throws(Problem) {
        let value = text.isEmpty ? nil : text
        switch self {
        case .title: fields.title = value
        case .message: fields.message = value
        case .badge: if let badge = try Self.badge(text) { fields.badge = badge }
        case .sound: fields.sound = value
        case .deepLink: fields.deepLink = value
        case .collapseID: fields.collapseID = try Self.collapseID(value)
        case .data(let key): fields.data[key] = text
        case .appleSubtitle: fields.appleOptions.subtitle = value
        case .appleThreadID: fields.appleOptions.threadID = value
        case .appleCategory: fields.appleOptions.category = value
        case .appleTargetContentID: fields.appleOptions.targetContentID = value
        case .androidChannelID: fields.androidOptions.channelID = value
        case .androidIcon: fields.androidOptions.icon = value
        case .androidColor: fields.androidOptions.color = try Self.color(value)
        case .androidImageURL: fields.androidOptions.imageURL = value
        case .androidTag: fields.androidOptions.tag = value
        case .webIcon: fields.webOptions.icon = value
        case .windowsPayload: fields.windowsOptions.payload = value
        case .windowsLaunch: fields.windowsOptions.launch = value
        }
    }

    private static func badge(_ text: String) throws(Problem) -> Int? {
        // Blocks of a template leave white space around what they print.
        var digits = text[...]
        while digits.last?.isWhitespace == true { digits.removeLast() }
        while digits.first?.isWhitespace == true { digits.removeFirst() }
        if digits.isEmpty { return nil }
        guard let number = Int32(digits), number >= 0 else {
            throw Problem(message: "badge must render to a whole number from 0, not \"\(text.shortened)\"")
        }
        return Int(number)
    }

    private static func collapseID(_ text: String?) throws(Problem) -> String? {
        if let text, text.utf8.count > CampaignDecoder.longestCollapseID {
            throw Problem(
                message:
                    "collapse_id renders to \(text.utf8.count) bytes; at most \(CampaignDecoder.longestCollapseID) are allowed"
            )
        }
        return text
    }

    private static func color(_ text: String?) throws(Problem) -> String? {
        guard let text else { return nil }
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { throw Problem(message: "color must render to something like #1d3557, not \"\(text.shortened)\"") }
        return text
    }
}

extension String {
    /// The text, or its beginning when it is long.
    fileprivate var shortened: String { count > 40 ? prefix(39) + "…" : self }
}

extension PushNotification.Fields {
    fileprivate var appleOptions: ApplePushOptions {
        get { apple ?? ApplePushOptions() }
        set { apple = newValue }
    }
    fileprivate var androidOptions: AndroidPushOptions {
        get { android ?? AndroidPushOptions() }
        set { android = newValue }
    }
    fileprivate var webOptions: WebPushOptions {
        get { web ?? WebPushOptions() }
        set { web = newValue }
    }
    fileprivate var windowsOptions: WindowsPushOptions {
        get { windows ?? WindowsPushOptions() }
        set { windows = newValue }
    }
}

extension NotificationFields {
    /// The texts, and where each goes.
    var texts: [(target: FieldTarget, text: TemplateText)] {
        var texts: [(FieldTarget, TemplateText?)] = [
            (.title, title), (.message, message), (.sound, sound), (.deepLink, deepLink), (.collapseID, collapseID),
        ]
        if case .template(let text) = badge { texts.append((.badge, text)) }
        texts += data.map { (.data($0.key), $0.value) }
        if let apple {
            texts += [
                (.appleSubtitle, apple.subtitle), (.appleThreadID, apple.threadID), (.appleCategory, apple.category),
                (.appleTargetContentID, apple.targetContentID),
            ]
        }
        if let android {
            texts += [
                (.androidChannelID, android.channelID), (.androidIcon, android.icon), (.androidColor, android.color),
                (.androidImageURL, android.imageURL), (.androidTag, android.tag),
            ]
        }
        if let web { texts.append((.webIcon, web.icon)) }
        if let windows { texts += [(.windowsPayload, windows.payload), (.windowsLaunch, windows.launch)] }
        return texts.compactMap { target, text in text.map { (target, $0) } }
    }

    /// Sets everything that is no text.
    func setOptions(in fields: inout PushNotification.Fields) {
        if case .number(let number) = badge { fields.badge = number }
        if let timeToLive { fields.timeToLive = .seconds(timeToLive.seconds) }
        if let priority { fields.priority = priority }
        if let apple { apple.setOptions(in: &fields.appleOptions) }
        if let web {
            var options = fields.webOptions
            if let urgency = web.urgency { options.urgency = urgency }
            fields.web = options
        }
        if let windows {
            var options = fields.windowsOptions
            if let kind = windows.kind { options.kind = kind }
            fields.windows = options
        }
    }
}

extension AppleFields {
    fileprivate func setOptions(in options: inout ApplePushOptions) {
        if let mutableContent { options.mutableContent = mutableContent }
        if let contentAvailable { options.contentAvailable = contentAvailable }
        if let interruptionLevel { options.interruptionLevel = interruptionLevel }
        if let relevanceScore { options.relevanceScore = relevanceScore }
        if let topic { options.topicOverride = topic }
        if let pushType { options.pushTypeOverride = pushType }
    }
}
