import Push

/// The names of providers in metrics, spans and history.
enum ProviderIdentifier {
    /// `apns` for the default app, `apns:consumer` for the app `consumer`.
    static func make(_ transport: String, app: String?) -> String {
        app.map { "\(transport):\($0)" } ?? transport
    }
}

/// Reports what a person has to mend.
enum ProviderRefusals {
    /// Logs each configuration error of a page once, with what to do about it.
    static func log(_ outcomes: [PushOutcome], of provider: String, to logger: Logger) {
        var counts: [String: Int] = [:]
        for outcome in outcomes where outcome.status == .configurationError {
            counts[outcome.reason ?? "no reason given", default: 0] += 1
        }
        for (reason, count) in counts.sorted(by: { $0.key < $1.key }) {
            logger.error(
                "A provider refuses an app's messages because of its configuration",
                [
                    "provider": provider, "reason": reason, "messages": String(count),
                    "advice": ProviderReason.advice(for: reason, from: provider) ?? "See docs/providers.md.",
                ])
        }
    }
}
