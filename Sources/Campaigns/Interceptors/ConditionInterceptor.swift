internal import Push

/// A `when` that asks about the device: leaves out devices for which it does not hold.
struct ConditionInterceptor: PushInterceptor {
    private let condition: CampaignCondition
    private let variables: RunVariables

    init(_ condition: CampaignCondition, _ variables: RunVariables) {
        self.condition = condition
        self.variables = variables
    }

    var name: String { "when" }

    func beforeSend(_ context: inout PushSendContext) async throws -> InterceptorResult {
        try variables.holds(condition, for: context.registration)
            ? .proceed : .skip(reason: Self.reason(condition))
    }

    static func reason(_ condition: CampaignCondition) -> String { "when does not hold: \(condition.place.text)" }
}
