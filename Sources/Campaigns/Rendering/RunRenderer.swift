package import Push
package import Schedules

/// Makes the notifications of one run. What does not depend on the device is rendered once; devices for which nothing
/// depends on them share one notification, in identity as well as in value.
package struct RunRenderer: Sendable {
    /// What there is to send at an occurrence.
    package enum Outcome: Sendable {
        /// The campaign's condition does not hold.
        case nothing(reason: String)
        case ready(RunRenderer)
    }

    private enum Variant: Sendable {
        case shared(PushNotification)
        case perDevice(base: PushNotification.Fields, NotificationOverlay)
    }

    private let languages: Languages
    /// One for the notification itself and one for each language, unless `localize` stands in the chain.
    private let variants: [Variant]
    private let mayStayEmpty: Bool
    /// The place that an empty notification is reported at.
    private let place: Diagnostic.Place
    /// The campaign's chain, made for this run.
    package let interceptors: [any PushInterceptor]

    /// Resolves the condition and renders what is the same for every device.
    /// - Throws: what would go wrong for every device, with its place in the campaign's file.
    package static func prepare(_ campaign: Campaign, at occurrence: Occurrence) throws(Diagnostic) -> Outcome {
        let variables = RunVariables(campaign, at: occurrence)
        if let condition = campaign.condition, !condition.dependsOnDevice,
            try !variables.holds(condition, for: nil)
        {
            return .nothing(reason: ConditionInterceptor.reason(condition))
        }
        return .ready(try RunRenderer(campaign, variables))
    }

    private init(_ campaign: Campaign, _ variables: RunVariables) throws(Diagnostic) {
        let chainLocalizes = campaign.interceptors.contains { $0.kind.isLocalize }
        languages = Languages(chainLocalizes ? [] : campaign.notification.locales)
        mayStayEmpty = campaign.interceptors.contains { $0.kind.changesNotification }
        place = campaign.notification.fields.texts.first?.text.place.place ?? Diagnostic.Place(file: campaign.file)
        var variants: [Variant] = []
        for overlay in languages.overlays {
            let fields = campaign.notification.fields.overlaid(by: overlay)
            let overlay = try NotificationOverlay(fields, variables)
            var base = PushNotification.Fields()
            try overlay.layFixed(over: &base)
            if overlay.dependsOnDevice {
                variants.append(.perDevice(base: base, overlay))
            } else {
                if !mayStayEmpty { try Self.refuseEmpty(base, at: place) }
                variants.append(.shared(PushNotification(base)))
            }
        }
        self.variants = variants
        let areShared = variants.allSatisfy { if case .shared = $0 { true } else { false } }
        interceptors = try InterceptorFactory(campaign, variables).chain(notificationsAreShared: areShared)
    }

    /// The notification for a device, before the chain.
    package func notification(for registration: Registration) throws(Diagnostic) -> PushNotification {
        switch variants[languages.place(of: registration.locale)] {
        case .shared(let notification): return notification
        case .perDevice(var fields, let overlay):
            try overlay.layTexts(over: &fields, for: registration)
            if !mayStayEmpty { try Self.refuseEmpty(fields, at: place) }
            return PushNotification(fields)
        }
    }

    /// Providers refuse a message in which there is nothing, or show an empty one.
    private static func refuseEmpty(
        _ fields: PushNotification.Fields, at place: Diagnostic.Place
    ) throws(Diagnostic) {
        let hasContent =
            fields.title != nil || fields.message != nil || fields.badge != nil || fields.sound != nil
            || !fields.data.isEmpty || fields.apple?.contentAvailable == true || fields.windows?.payload != nil
        guard !hasContent else { return }
        throw Diagnostic(.error, .rendering, "the notification renders to nothing", at: place)
    }
}

extension InterceptorDeclaration.Kind {
    fileprivate var isLocalize: Bool { if case .localize = self { true } else { false } }

    /// Whether a notification may be filled in on its way through the chain.
    fileprivate var changesNotification: Bool {
        switch self {
        case .set, .localize: true
        case .skipTagged: false
        }
    }
}
