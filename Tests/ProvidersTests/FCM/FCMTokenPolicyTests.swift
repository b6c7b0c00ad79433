import FoundationEssentials
import Testing

@testable import Providers

@Suite struct FCMTokenPolicyTests {
    private let start = Date(timeIntervalSince1970: 1_700_000_000)

    private func after(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    @Test(
        arguments: [
            (3600, 0, .current), (3600, 3299, .current), (3600, 3300, .newTokenOrCurrent),
            (3600, 3599, .newTokenOrCurrent),
            (3600, 3600, .newToken),
            // A short life is used by half.
            (60, 29, .current), (60, 30, .newTokenOrCurrent), (60, 60, .newToken), (600, 299, .current),
            (600, 300, .newTokenOrCurrent),
        ] as [(TimeInterval, TimeInterval, FCMTokenPolicy.Need)])
    func `a token is replaced five minutes before its end`(
        _ lifetime: TimeInterval, _ age: TimeInterval, _ need: FCMTokenPolicy.Need
    ) {
        var policy = FCMTokenPolicy()
        #expect(policy.need(now: start) == .newToken)
        policy.fetched(lifetime: lifetime, now: start)
        #expect(policy.need(now: after(age)) == need)
    }

    @Test func `a refused token is replaced once, and late answers about it use the new one`() {
        var policy = FCMTokenPolicy()
        policy.fetched(lifetime: 3600, now: start)
        #expect(policy.refused(generation: 1, now: after(10)) == .retryWithNewToken)
        #expect(policy.need(now: after(10)) == .newToken)
        policy.fetched(lifetime: 3600, now: after(11))
        #expect(policy.refused(generation: 1, now: after(12)) == .retryWithCurrent)
        #expect(policy.refused(generation: 2, now: after(12)) == .giveUp)
        #expect(policy.refused(generation: 2, now: after(310)) == .retryWithNewToken)
    }
}
