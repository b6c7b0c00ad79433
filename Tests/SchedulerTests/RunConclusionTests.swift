import Push
import Scheduler
import Storage
import Testing

struct RunConclusionTests {
    private func counts(sent: Int = 0, failed: Int = 0, skipped: Int = 0, uncertain: Int = 0) -> PushCounts {
        var counts = PushCounts()
        counts.sent = sent
        counts.failed = failed
        counts.skipped = skipped
        counts.uncertain = uncertain
        return counts
    }

    @Test func `a run is called by what became of its devices`() {
        let cases: [(PushCounts, RunState)] = [
            (counts(), .skipped), (counts(sent: 3), .succeeded), (counts(skipped: 3), .succeeded),
            (counts(sent: 1, skipped: 1), .succeeded), (counts(sent: 2, failed: 1), .partial),
            (counts(failed: 1, skipped: 1), .partial), (counts(failed: 2), .failed),
            (counts(sent: 1, uncertain: 1), .partial), (counts(uncertain: 2), .failed),
        ]
        for (counts, state) in cases {
            let conclusion = RunConclusion(
                BatchEnd(stoppedBecause: nil, brokenProviders: []), counts: counts, failures: FailureSummary())
            guard case .finished(let found, _) = conclusion else {
                Issue.record("\(counts) was not finished")
                continue
            }
            #expect(found == state, "\(counts)")
        }
    }

    @Test func `a configuration error is the reason, whether it stopped the run or not`() {
        let error = PushStopReason.configurationError(provider: "apns", reason: "InvalidProviderToken")
        #expect(
            RunConclusion(
                BatchEnd(stoppedBecause: error, brokenProviders: [error]), counts: counts(sent: 5, failed: 1),
                failures: FailureSummary()) == .finished(.failed, reason: error.description))
        #expect(
            RunConclusion(
                BatchEnd(stoppedBecause: nil, brokenProviders: [error]), counts: counts(sent: 5, failed: 1),
                failures: FailureSummary()) == .finished(.partial, reason: error.description))
    }

    @Test(arguments: [PushStopReason.stopped, .cancelled, .repositoryFailed(reason: "disk full")])
    func `what ends a run from outside leaves it to be gone on with`(_ reason: PushStopReason) {
        #expect(
            RunConclusion(
                BatchEnd(stoppedBecause: reason, brokenProviders: []), counts: counts(sent: 5),
                failures: FailureSummary()) == .interrupted(reason: reason))
    }

    private func result(_ status: PushDeliveryStatus, _ reason: String? = nil) -> PushDeliveryResult {
        PushDeliveryResult(
            registrationID: .unsaved, token: "t", platform: .iOS, provider: "apns",
            outcome: PushOutcome(status, reason: reason))
    }

    @Test func `failures are told by status and reason, the most frequent first`() {
        var failures = FailureSummary()
        #expect(failures.description == nil)
        failures.add([result(.success), result(.skipped, "tagged"), result(.error)])
        failures.add([result(.tokenExpired, "Unregistered"), result(.tokenExpired, "ExpiredToken")])
        failures.add([result(.tokenExpired, "Unregistered")])
        #expect(
            failures.description == "2 token_expired (Unregistered), 1 error, 1 token_expired (ExpiredToken)")
    }

    @Test func `after the five most frequent reasons the others are counted`() {
        var failures = FailureSummary()
        for number in 1...7 { failures.add(Array(repeating: result(.error, "reason \(number)"), count: number)) }
        #expect(
            failures.description == "7 error (reason 7), 6 error (reason 6), 5 error (reason 5), 4 error (reason 4), "
                + "3 error (reason 3) and 3 more")
    }

    @Test func `reasons that are all different do not pile up, and every failure is counted`() {
        var failures = FailureSummary()
        for number in 0..<1_000 { failures.add([result(.error, "device \(number)")]) }
        #expect(failures.description?.hasPrefix("800 error, 1 error (device 0)") == true)
        #expect(failures.description?.hasSuffix(" and 196 more") == true)
    }
}
