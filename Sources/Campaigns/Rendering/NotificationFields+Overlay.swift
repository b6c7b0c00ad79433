extension NotificationFields {
    /// These fields with others laid over them: what the others leave out stays.
    func overlaid(by top: NotificationFields) -> NotificationFields {
        var result = self
        result.title = top.title ?? title
        result.message = top.message ?? message
        result.badge = top.badge ?? badge
        result.sound = top.sound ?? sound
        result.deepLink = top.deepLink ?? deepLink
        result.collapseID = top.collapseID ?? collapseID
        result.timeToLive = top.timeToLive ?? timeToLive
        result.priority = top.priority ?? priority
        for field in top.data {
            if let index = result.data.firstIndex(where: { $0.key == field.key }) {
                result.data[index] = field
            } else {
                result.data.append(field)
            }
        }
        result.apple = Self.overlaid(apple, by: top.apple) { $0.overlaid(by: $1) }
        result.android = Self.overlaid(android, by: top.android) { $0.overlaid(by: $1) }
        result.web = Self.overlaid(web, by: top.web) { $0.overlaid(by: $1) }
        result.windows = Self.overlaid(windows, by: top.windows) { $0.overlaid(by: $1) }
        return result
    }

    private static func overlaid<Options>(
        _ bottom: Options?, by top: Options?, _ merge: (Options, Options) -> Options
    ) -> Options? {
        guard let bottom, let top else { return top ?? bottom }
        return merge(bottom, top)
    }
}

extension AppleFields {
    fileprivate func overlaid(by top: AppleFields) -> AppleFields {
        var result = self
        result.subtitle = top.subtitle ?? subtitle
        result.threadID = top.threadID ?? threadID
        result.category = top.category ?? category
        result.targetContentID = top.targetContentID ?? targetContentID
        result.mutableContent = top.mutableContent ?? mutableContent
        result.contentAvailable = top.contentAvailable ?? contentAvailable
        result.interruptionLevel = top.interruptionLevel ?? interruptionLevel
        result.relevanceScore = top.relevanceScore ?? relevanceScore
        result.topic = top.topic ?? topic
        result.pushType = top.pushType ?? pushType
        return result
    }
}

extension AndroidFields {
    fileprivate func overlaid(by top: AndroidFields) -> AndroidFields {
        var result = self
        result.channelID = top.channelID ?? channelID
        result.icon = top.icon ?? icon
        result.color = top.color ?? color
        result.imageURL = top.imageURL ?? imageURL
        result.tag = top.tag ?? tag
        return result
    }
}

extension WebFields {
    fileprivate func overlaid(by top: WebFields) -> WebFields {
        var result = self
        result.icon = top.icon ?? icon
        result.urgency = top.urgency ?? urgency
        return result
    }
}

extension WindowsFields {
    fileprivate func overlaid(by top: WindowsFields) -> WindowsFields {
        var result = self
        result.kind = top.kind ?? kind
        result.payload = top.payload ?? payload
        result.launch = top.launch ?? launch
        return result
    }
}
