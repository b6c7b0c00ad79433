import FoundationEssentials

/// Follows a batch page by page and draws the conclusions: which tokens to change, which providers to give up on.
///
/// Pages are added in order, one at a time; what a page may change is known when it is added.
public struct BatchReview: Sendable {
    private let hygiene: TokenHygiene
    private var tallies: [Int: TokenTally] = [:]
    /// Providers that nothing more is sent through, by their position in the pipeline, and why.
    public private(set) var broken: [Int: PushStopReason] = [:]

    public init(hygiene: TokenHygiene) { self.hygiene = hygiene }

    /// Counts a page and decides what it changes.
    public mutating func add(_ page: DeliveredPage) -> ReviewedPage {
        let distrusted = findBrokenProviders(page)
        var reviewed = ReviewedPage(page: page)
        for (index, result) in page.results.enumerated() {
            reviewed.counts.add(result.status)
            guard let provider = page.providerIndexes[index] else { continue }
            if let change = change(for: result, sentAt: page.sentAt, trust: distrusted[provider] ?? .full) {
                reviewed.tokenChanges.append(change)
                reviewed.changedResults.append(index)
            }
        }
        return reviewed
    }

    /// How far a provider's word on tokens is taken in one page.
    private enum Trust {
        case full
        case onlyExpired
        case none
    }

    private mutating func findBrokenProviders(_ page: DeliveredPage) -> [Int: Trust] {
        var pageTallies: [Int: TokenTally] = [:]
        var trust: [Int: Trust] = [:]
        for (index, result) in page.results.enumerated() {
            guard let provider = page.providerIndexes[index] else { continue }
            if result.status == .configurationError {
                trust[provider] = Trust.none
                if broken[provider] == nil {
                    broken[provider] = .configurationError(
                        provider: result.provider ?? "", reason: result.reason ?? "no reason was given")
                }
            }
            pageTallies[provider, default: TokenTally()].add(result.status)
            tallies[provider, default: TokenTally()].add(result.status)
        }
        guard let implausible = hygiene.implausible else { return trust }
        for (provider, pageTally) in pageTallies where trust[provider] == nil && pageTally.invalid > 0 {
            let suspect = [pageTally, tallies[provider] ?? pageTally].first { implausible.isExceeded(by: $0) }
            guard let suspect else { continue }
            trust[provider] = .onlyExpired
            guard broken[provider] == nil else { continue }
            let name = zip(page.results, page.providerIndexes).first { $1 == provider }?.0.provider
            broken[provider] = .implausibleInvalidTokens(
                provider: name ?? "", invalid: suspect.invalid, judged: suspect.judged)
        }
        return trust
    }

    private func change(for result: PushDeliveryResult, sentAt: Date, trust: Trust) -> TokenChange? {
        guard result.registrationID != .unsaved, trust != .none else { return nil }
        switch result.status {
        case .tokenExpired, .invalidToken:
            guard hygiene.autoPruneDeadTokens, trust == .full || result.status == .tokenExpired else { return nil }
            return .remove(
                result.registrationID, token: result.token,
                ifNotRenewedSince: result.outcome.tokenInvalidSince ?? sentAt)
        default:
            guard hygiene.applyUpdatedTokens, let token = result.outcome.updatedToken, !token.isEmpty,
                token != result.token
            else { return nil }
            return .rotate(result.registrationID, from: result.token, to: token)
        }
    }
}

/// A delivered page with what it changes.
public struct ReviewedPage: Sendable {
    public internal(set) var page: DeliveredPage
    /// In page order. Whoever commits the page applies them.
    public internal(set) var tokenChanges: [TokenChange] = []
    /// The result that each token change comes from, as a position in the page.
    var changedResults: [Int] = []
    /// What happened in this page. `tokensRemoved` is zero until `noteApplied` is told.
    public internal(set) var counts = PushCounts()

    init(page: DeliveredPage) { self.page = page }

    public var results: [PushDeliveryResult] { page.results }

    /// Takes down which of the token changes the repository made.
    public mutating func noteApplied(_ made: [Bool]) {
        for (position, (change, made)) in zip(tokenChanges, made).enumerated() where made {
            guard case .remove = change else { continue }
            counts.tokensRemoved += 1
            page.results[changedResults[position]].tokenRemoved = true
        }
    }
}
