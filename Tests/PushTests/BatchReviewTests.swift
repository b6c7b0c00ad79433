import Push
import PushTestSupport
import Testing

struct BatchReviewTests {
    /// Sends pages of devices whose tokens say what their outcome is, and returns what each page changes.
    private func review(
        _ pages: [[String]], hygiene: TokenHygiene = TokenHygiene(), providers: [RecordingProvider]? = nil
    ) async throws -> (pages: [ReviewedPage], end: BatchEnd) {
        var number: Int64 = 0
        let registrations = pages.map { page in
            page.map { outcome in
                number += 1
                var registration = Registration.test(
                    "\(outcome)-\(number)", platform: outcome.hasPrefix("android") ? .android : .iOS)
                registration.id = RegistrationID(rawValue: number)
                return registration
            }
        }
        var audience = PagesAudience(pages: registrations[...])
        let pipeline = try PushPipeline(
            providers: providers ?? [Self.provider("apns", [.iOS]), Self.provider("fcm", [.android])],
            hygiene: hygiene)
        var reviewed: [ReviewedPage] = []
        let end = await pipeline.sendBatch(
            batchID: "b", to: &audience, pagesInFlight: 1, notification: { _ in PushNotification() },
            commit: { reviewed.append($0) })
        return (reviewed, end)
    }

    private static func provider(_ name: String, _ platforms: Set<Platform>) -> RecordingProvider {
        RecordingProvider(name, platforms: platforms) { message in
            let word = message.registration.token.split(separator: "-").first { $0 != "android" } ?? ""
            return PushOutcome(PushDeliveryStatus(rawValue: String(word)) ?? .success, reason: "because")
        }
    }

    private func page(_ counts: (String, Int)...) -> [String] {
        counts.flatMap { Array(repeating: $0.0, count: $0.1) }
    }

    @Test func `invalid tokens are removed while most tokens are fine`() async throws {
        let (pages, end) = try await review([page(("success", 60), ("invalid_token", 40))])
        #expect(pages[0].tokenChanges.count == 40)
        #expect(end.problem == nil)
    }

    @Test func `nearly all tokens invalid is a configuration error and removes none`() async throws {
        let (pages, end) = try await review([page(("success", 4), ("invalid_token", 96))])
        #expect(pages[0].tokenChanges.isEmpty)
        #expect(end.problem == .implausibleInvalidTokens(provider: "apns", invalid: 96, judged: 100))
    }

    @Test func `a few devices are not enough to doubt the provider`() async throws {
        let (pages, end) = try await review([page(("invalid_token", 49))])
        #expect(pages[0].tokenChanges.count == 49)
        #expect(end.problem == nil)
    }

    @Test func `the guard adds up small pages, so that fewer than its minimum are lost`() async throws {
        let (pages, end) = try await review((0..<10).map { _ in page(("invalid_token", 20)) })
        #expect(pages.map(\.tokenChanges.count).reduce(0, +) == 40)
        #expect(end.problem == .implausibleInvalidTokens(provider: "apns", invalid: 60, judged: 60))
    }

    @Test func `a page that turns bad after many good ones is doubted on its own`() async throws {
        let good = (0..<20).map { _ in page(("success", 100)) }
        let (pages, end) = try await review(good + [page(("invalid_token", 100)), page(("success", 100))])
        #expect(pages[20].tokenChanges.isEmpty)
        #expect(end.problem == .implausibleInvalidTokens(provider: "apns", invalid: 100, judged: 100))
    }

    @Test func `expired tokens are proof even when nearly all are`() async throws {
        let (pages, end) = try await review([page(("token_expired", 200))])
        #expect(pages[0].tokenChanges.count == 200)
        #expect(end.problem == nil)
    }

    @Test func `the guard can be turned off and set`() async throws {
        let believing = try await review([page(("invalid_token", 100))], hygiene: TokenHygiene(implausible: nil))
        #expect(believing.pages[0].tokenChanges.count == 100)
        let strict = TokenHygiene(implausible: .init(devices: 3, share: 0.5))
        let doubting = try await review([page(("invalid_token", 2), ("success", 1))], hygiene: strict)
        #expect(doubting.pages[0].tokenChanges.isEmpty)
    }

    @Test func `a configuration error keeps every token of its provider, dead ones too`() async throws {
        let (pages, end) = try await review([
            page(("token_expired", 3), ("configuration_error", 1), ("android-token_expired", 2))
        ])
        #expect(pages[0].tokenChanges.count == 2)
        #expect(end.problem == .configurationError(provider: "apns", reason: "because"))
        #expect(end.stoppedBecause == nil)
    }

    @Test func `a broken provider is not asked again and the others go on`() async throws {
        let apple = Self.provider("apns", [.iOS])
        let google = Self.provider("fcm", [.android])
        let (pages, end) = try await review(
            [
                page(("configuration_error", 1), ("android-success", 1)),
                page(("success", 5), ("android-success", 5)), page(("success", 5), ("android-success", 5)),
            ], providers: [apple, google])
        #expect(apple.messages.count == 1)
        #expect(google.messages.count == 11)
        #expect(pages.map(\.counts.sent) == [1, 5, 5])
        #expect(pages.map(\.counts.failed) == [1, 5, 5])
        let refused = pages[1].results[0]
        #expect(refused.status == .configurationError)
        #expect(refused.reason?.hasPrefix("not sent: Configuration error at apns: because.") == true)
        #expect(end.stoppedBecause == nil && end.brokenProviders.count == 1)
    }

    @Test func `removals are counted when they are made`() async throws {
        var reviewed = try await review([page(("success", 3), ("token_expired", 2))]).pages[0]
        #expect(reviewed.counts.tokensRemoved == 0)
        reviewed.noteApplied([false, true])
        #expect(reviewed.counts.tokensRemoved == 1)
        #expect(reviewed.results.map(\.tokenRemoved) == [false, false, false, false, true])
    }
}

private struct PagesAudience: PushAudience {
    var pages: ArraySlice<[Registration]>

    mutating func nextPage() -> [Registration] { pages.popFirst() ?? [] }
}
