import Campaigns
import Push
import PushTestSupport
import Scheduler
import Schedules
import Storage
import Testing

/// From the text of a campaign file to what a provider gets.
struct CampaignFileRunTests {
    private func run(_ text: String, registrations: [Registration]) async throws -> (RecordingProvider, Run) {
        let file = CampaignFile(path: "campaigns/digest.yaml", bytes: Array(text.utf8), root: "campaigns")
        let campaign = try #require(file.campaign, "\(file.diagnostics)")
        let store = try await SQLiteStore.withDevices(0)
        try await store.save(registrations)
        let provider = RecordingProvider()
        let loop = SchedulerLoop(
            store: store, source: FixedCampaigns([campaign]), notifications: CampaignNotifications(),
            pipeline: try PushPipeline(providers: [provider]), settings: SchedulerSettings(pageSize: 2),
            clock: SimulatedClock(try instant("2026-12-01T08:00:00Z")).clock)
        return (provider, try #require(try await loop.runOnce().first))
    }

    private static let text = """
        campaign: digest
        schedule: {cron: "0 9 * * *", timezone: Europe/Berlin}
        filter: {tags: [digest]}
        notification:
          title: "Hello {{ device.user }}"
          message: "It is {{ occurrence }}"
          locales: {de: {title: "Hallo {{ device.user }}"}}
        interceptors:
          - skip_tagged: [opted-out]

        """

    @Test func `templates, languages, the filter and the chain make what is sent`() async throws {
        let (provider, run) = try await run(
            Self.text,
            registrations: [
                .test("a", user: "Ann", tags: ["digest"]), .test("b", user: "Bea", tags: ["digest"], locale: "de-AT"),
                .test("c", user: "Cem", tags: ["digest", "opted-out"]), .test("d", user: "Dag"),
            ])
        #expect(provider.messages.map(\.notification.title) == ["Hello Ann", "Hallo Bea"])
        #expect(Set(provider.messages.map(\.notification.message)) == ["It is 2026-12-01T09:00:00+01:00"])
        #expect(run.state == .succeeded && run.counts.sent == 2 && run.counts.skipped == 1)
    }

    @Test func `devices that get the same thing share one notification`() async throws {
        let text = Self.text.replacing(" {{ device.user }}", with: "")
        let (provider, _) = try await run(
            text, registrations: (0..<6).map { .test("t\($0)", tags: ["digest"], locale: $0 % 2 == 0 ? "de" : "en") })
        #expect(provider.messages.count == 6)
        #expect(Set(provider.messages.map(\.notification.identity)).count == 2)
    }

    @Test func `a condition that does not hold sends nothing and is the reason`() async throws {
        let (provider, run) = try await run(
            Self.text + "when: \"campaign.owner == 'growth'\"\n", registrations: [.test("a", tags: ["digest"])])
        #expect(run.state == .skipped && run.reason?.contains("campaign.owner == 'growth'") == true)
        #expect(provider.calls.isEmpty)
    }
}
