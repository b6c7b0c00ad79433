import FoundationEssentials
import Testing

@testable import Providers

@Suite struct APNsTokenPolicyTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func time(_ minutes: Double) -> Date { start.addingTimeInterval(minutes * 60) }

    @Test(
        arguments: [
            (0, .current), (19, .current), (49.9, .current), (50, .newToken), (600, .newToken),
            // A clock set back.
            (-1, .current), (-49, .current), (-50, .newToken), (-60 * 24, .newToken),
        ] as [(Double, APNsTokenPolicy.Need)])
    func `a token is used for 50 minutes`(_ minutes: Double, _ need: APNsTokenPolicy.Need) {
        var policy = APNsTokenPolicy()
        #expect(policy.need(now: start) == .newToken)
        policy.minted(now: start)
        #expect(policy.need(now: time(minutes)) == need)
    }

    @Test func `age counts from the making of the token, not from the start of the process`() {
        var policy = APNsTokenPolicy()
        policy.minted(now: start)
        policy.minted(now: time(50))
        #expect(policy.need(now: time(99)) == .current)
        #expect(policy.need(now: time(100)) == .newToken)
    }

    @Test func `an expired token is replaced once, and late answers about it use the new one`() {
        var policy = APNsTokenPolicy()
        policy.minted(now: start)
        #expect(policy.expired(generation: 1, now: time(30)) == .retryWithNewToken)
        policy.minted(now: time(30))
        for _ in 0..<1_000 { #expect(policy.expired(generation: 1, now: time(30.5)) == .retryWithCurrent) }
        #expect(policy.generation == 2)
    }

    @Test func `a new token that is called expired too is not replaced for 20 minutes`() {
        var policy = APNsTokenPolicy()
        policy.minted(now: start)
        #expect(policy.expired(generation: 1, now: time(1)) == .retryWithNewToken)
        policy.minted(now: time(1))
        for minutes in [1, 5, 20.9] { #expect(policy.expired(generation: 2, now: time(minutes)) == .giveUp) }
        #expect(policy.expired(generation: 2, now: time(21)) == .retryWithNewToken)
    }
}
