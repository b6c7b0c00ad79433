package import Push
package import Schedules

/// What a campaign says about a notification. A field that is absent leaves alone what it is laid over.
///
/// `notification`, each of its `locales` and the interceptor `set` all have this shape.
package struct NotificationFields: Sendable {
    package var title: TemplateText?
    package var message: TemplateText?
    package var badge: Badge?
    package var sound: TemplateText?
    package var deepLink: TemplateText?
    package var collapseID: TemplateText?
    /// At most 28 days, the longest that FCM takes.
    package var timeToLive: TimeSpan?
    package var priority: PushPriority?
    /// Custom keys for the app, in the order of the file.
    package var data: [DataField] = []
    package var apple: AppleFields?
    package var android: AndroidFields?
    package var web: WebFields?
    package var windows: WindowsFields?

    package init() {}

    /// The number on an app's icon.
    package enum Badge: Sendable {
        case number(Int)
        /// Must render to a whole number; where it renders to nothing the badge is left alone.
        case template(TemplateText)
    }

    package struct DataField: Sendable {
        package var key: String
        package var value: TemplateText

        package init(key: String, value: TemplateText) {
            self.key = key
            self.value = value
        }
    }
}

package struct AppleFields: Sendable {
    package var subtitle: TemplateText?
    package var threadID: TemplateText?
    package var category: TemplateText?
    package var targetContentID: TemplateText?
    package var mutableContent: Bool?
    package var contentAvailable: Bool?
    package var interruptionLevel: ApplePushOptions.InterruptionLevel?
    package var relevanceScore: Double?
    package var topic: String?
    package var pushType: String?

    package init() {}
}

package struct AndroidFields: Sendable {
    package var channelID: TemplateText?
    package var icon: TemplateText?
    /// `#rrggbb`
    package var color: TemplateText?
    package var imageURL: TemplateText?
    package var tag: TemplateText?

    package init() {}
}

package struct WebFields: Sendable {
    package var icon: TemplateText?
    package var urgency: WebPushOptions.Urgency?

    package init() {}
}

package struct WindowsFields: Sendable {
    package var kind: WindowsPushOptions.Kind?
    package var payload: TemplateText?
    package var launch: TemplateText?

    package init() {}
}

/// A campaign's notification: what every device gets, and what replaces parts of it by language.
package struct NotificationTemplate: Sendable {
    package var fields: NotificationFields
    /// In the order of the file.
    package var locales: [LocalizedFields]

    package init(fields: NotificationFields, locales: [LocalizedFields] = []) {
        self.fields = fields
        self.locales = locales
    }

    package struct LocalizedFields: Sendable {
        /// A BCP 47 language tag as the author wrote it.
        package var locale: String
        package var fields: NotificationFields

        package init(locale: String, fields: NotificationFields) {
            self.locale = locale
            self.fields = fields
        }
    }
}
