internal import Push

/// Makes a campaign's interceptors for one run.
struct InterceptorFactory {
    private let campaign: Campaign
    private let variables: RunVariables

    init(_ campaign: Campaign, _ variables: RunVariables) {
        self.campaign = campaign
        self.variables = variables
    }

    /// The chain in the order of the file; a condition that depends on the device comes first.
    ///
    /// `notificationsAreShared` says whether devices come in with few different notifications, so that what an
    /// interceptor makes of one can be kept for the next device.
    func chain(notificationsAreShared: Bool) throws(Diagnostic) -> [any PushInterceptor] {
        var chain: [any PushInterceptor] = []
        var areShared = notificationsAreShared
        if let condition = campaign.condition, condition.dependsOnDevice {
            chain.append(ConditionInterceptor(condition, variables))
        }
        for declaration in campaign.interceptors {
            switch declaration.kind {
            case .skipTagged(let tags): chain.append(SkipTaggedInterceptor(tags: tags))
            case .set(let fields):
                let layer = NotificationLayer(try NotificationOverlay(fields, variables), inputsAreShared: areShared)
                areShared = layer.outputsAreShared
                chain.append(SetInterceptor(layer))
            case .localize:
                let interceptor = try LocalizeInterceptor(
                    Languages(campaign.notification.locales), variables, inputsAreShared: areShared)
                areShared = interceptor.outputsAreShared
                chain.append(interceptor)
            }
        }
        return chain
    }
}
