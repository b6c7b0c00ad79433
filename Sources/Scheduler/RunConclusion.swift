package import Push
package import Storage

/// What a run that came to its end, or to a stop, is called.
package enum RunConclusion: Sendable, Hashable {
    case finished(RunState, reason: String?)
    /// It goes on later, after its last recorded page.
    case interrupted(reason: PushStopReason)

    /// - Parameters:
    ///   - counts: of the whole run, as recorded.
    ///   - failures: what failed since the run was begun or resumed.
    package init(_ end: BatchEnd, counts: PushCounts, failures: FailureSummary) {
        switch end.stoppedBecause {
        case .stopped, .cancelled, .repositoryFailed:
            self = .interrupted(reason: end.stoppedBecause ?? .stopped)
        case .configurationError, .implausibleInvalidTokens:
            self = .finished(.failed, reason: end.stoppedBecause?.description)
        case nil:
            self = .finished(Self.state(counts), reason: end.problem?.description ?? Self.reason(counts, failures))
        }
    }

    private static func state(_ counts: PushCounts) -> RunState {
        if counts.total == 0 { return .skipped }
        let wrong = counts.failed + counts.uncertain
        if wrong == 0 { return .succeeded }
        return wrong == counts.total ? .failed : .partial
    }

    private static func reason(_ counts: PushCounts, _ failures: FailureSummary) -> String? {
        counts.total == 0 ? "no device matches the filter" : failures.description
    }
}

/// What failed in a run, by kind, each with the first reason that was given.
package struct FailureSummary: Sendable, Hashable {
    private var kinds: [PushDeliveryStatus: Kind] = [:]

    private struct Kind: Sendable, Hashable {
        var count = 0
        var reason: String?
    }

    package init() {}

    package mutating func add(_ results: [PushDeliveryResult]) {
        for result in results where result.status != .success && result.status != .skipped {
            kinds[result.status, default: Kind()].count += 1
            if kinds[result.status]?.reason == nil { kinds[result.status]?.reason = result.reason }
        }
    }

    /// `12 token_expired (Unregistered), 1 error (…)`, the most frequent first; nil when nothing failed.
    package var description: String? {
        guard !kinds.isEmpty else { return nil }
        return kinds.sorted { ($1.value.count, $0.key.rawValue) < ($0.value.count, $1.key.rawValue) }
            .map { "\($0.value.count) \($0.key.rawValue)" + ($0.value.reason.map { " (\($0))" } ?? "") }
            .joined(separator: ", ")
    }
}
