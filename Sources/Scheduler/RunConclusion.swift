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

/// What failed in a run, by status and reason.
package struct FailureSummary: Sendable, Hashable {
    /// How many kinds are told one by one.
    private static let mostTold = 5
    /// How many kinds with a reason are kept. Reasons may name the device; those that come later count without theirs.
    private static let mostKept = 200

    private var counts: [Kind: Int] = [:]

    private struct Kind: Sendable, Hashable {
        var status: PushDeliveryStatus
        var reason: String?

        var description: String { status.rawValue + (reason.map { " (\($0))" } ?? "") }
    }

    package init() {}

    package mutating func add(_ results: [PushDeliveryResult]) {
        for result in results where result.status != .success && result.status != .skipped {
            var kind = Kind(status: result.status, reason: result.reason)
            if counts.count >= Self.mostKept, counts[kind] == nil { kind.reason = nil }
            counts[kind, default: 0] += 1
        }
    }

    /// `12 token_expired (Unregistered), 1 error (…) and 3 more`, the most frequent first; nil when nothing failed.
    package var description: String? {
        guard !counts.isEmpty else { return nil }
        let sorted = counts.map { (count: $0.value, text: $0.key.description) }
            .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
        let told = sorted.prefix(Self.mostTold).map { "\($0.count) \($0.text)" }.joined(separator: ", ")
        let others = sorted.dropFirst(Self.mostTold).reduce(0) { $0 + $1.count }
        return others > 0 ? "\(told) and \(others) more" : told
    }
}
