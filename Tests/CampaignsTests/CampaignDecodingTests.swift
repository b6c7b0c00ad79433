import JSON
import Push
import Schedules
import Testing
import YAML

@testable import Campaigns

/// Reads a campaign from text; `path` lies in the folder of the campaigns.
func read(_ text: String, path: String = "campaigns/digest.yaml", timezone: String = "UTC") -> CampaignFile {
    CampaignFile(
        path: path, bytes: Array(text.utf8), root: "campaigns", settings: CampaignSettings(defaultTimezone: timezone))
}

/// A campaign that is valid, with some of its keys replaced.
func campaign(
    schedule: String = "{cron: \"0 9 * * *\"}", filter: String = "everyone", notification: String = "{title: Hello}",
    rest: String = ""
) throws -> Campaign {
    let file = read("schedule: \(schedule)\nfilter: \(filter)\nnotification: \(notification)\n\(rest)\n")
    return try #require(file.campaign, "\(file.diagnostics)")
}

@Suite struct CampaignDecodingTests {
    @Test func `a campaign's head is read, and its id is the file's name unless it says otherwise`() throws {
        let plain = try campaign()
        #expect(plain.id == "digest")
        #expect(plain.isEnabled)
        #expect(plain.file == "campaigns/digest.yaml")
        #expect(plain.catchUp == CatchUp(runs: .latest, within: TimeSpan(seconds: 3_600)))
        #expect(plain.overlap == .skip)
        let named = try campaign(rest: "campaign: other.2\ndescription: no\nowner: 012\nenabled: false")
        #expect(named.id == "other.2")
        #expect(named.description == "no")
        #expect(named.owner == "012")
        #expect(!named.isEnabled)
    }

    @Test func `every clause of a filter is read`() throws {
        let filter = try campaign(
            filter: """
                {platforms: [iOS, Web, WebBrowser, MacOS], tags: [a, no, 012], tag_match: all, exclude_tags: [b],
                  environment: sandbox, app_id: shop, users: [u], tokens: [t], topic: inbox, locales: [no, de-AT]}
                """
        ).filter
        #expect(
            filter
                == PushFilter(
                    platforms: [.iOS, .web, .macOS], tags: ["a", "no", "012"], tagMatch: .all, excludeTags: ["b"],
                    environment: .sandbox, app: .id("shop"), users: ["u"], tokens: ["t"], topic: "inbox",
                    locales: ["no", "de-AT"]))
        #expect(try campaign(filter: "everyone").filter == .everyone)
        #expect(try campaign(filter: "{app_id: default}").filter.app == .defaultApp)
    }

    @Test func `every field of a notification is read`() throws {
        let template = try campaign(
            notification: """

                  title: no
                  message: "{{ device.user }}"
                  badge: 3
                  sound: chime.caf
                  deep_link: app://x
                  collapse_id: c
                  time_to_live: 1h30m
                  priority: normal
                  data: {kind: digest, count: 007}
                  apple: {subtitle: S, thread_id: T, category: C, target_content_id: I, mutable_content: true,
                    content_available: true, interruption_level: time-sensitive, relevance_score: 1, topic_override: t,
                    push_type_override: alert}
                  android: {channel_id: ch, icon: ic, color: "#A0b1C2", image_url: u, tag: g}
                  web: {icon: w, urgency: very-low}
                  windows: {kind: raw, payload: p, launch: l}
                  locales:
                    no: {title: Hei}
                    de-AT: {badge: "{{ device.data.n }}"}
                """
        ).notification
        let fields = template.fields
        #expect(fields.title?.constant == "no")
        #expect(fields.message?.constant == nil)
        #expect(fields.message?.source == "{{ device.user }}")
        guard case .number(3)? = fields.badge else {
            Issue.record("\(String(describing: fields.badge))")
            return
        }
        #expect(fields.sound?.constant == "chime.caf")
        #expect(fields.deepLink?.constant == "app://x")
        #expect(fields.collapseID?.constant == "c")
        #expect(fields.timeToLive == TimeSpan(seconds: 5_400))
        #expect(fields.priority == .normal)
        #expect(fields.data.map(\.key) == ["kind", "count"])
        #expect(fields.data.map(\.value.constant) == ["digest", "007"])
        let apple = try #require(fields.apple)
        #expect(
            [apple.subtitle, apple.threadID, apple.category, apple.targetContentID].map(\.?.constant)
                == ["S", "T", "C", "I"])
        #expect(apple.mutableContent == true && apple.contentAvailable == true)
        #expect(apple.interruptionLevel == .timeSensitive && apple.relevanceScore == 1)
        #expect(apple.topic == "t" && apple.pushType == "alert")
        let android = try #require(fields.android)
        #expect(
            [android.channelID, android.icon, android.color, android.imageURL, android.tag].map(\.?.constant)
                == ["ch", "ic", "#A0b1C2", "u", "g"])
        #expect(fields.web?.icon?.constant == "w" && fields.web?.urgency == .veryLow)
        #expect(fields.windows?.kind == .raw && fields.windows?.payload?.constant == "p")
        #expect(fields.windows?.launch?.constant == "l")
        #expect(template.locales.map(\.locale) == ["no", "de-AT"])
        guard case .template? = template.locales.last?.fields.badge else {
            Issue.record("the badge of de-AT is no template")
            return
        }
    }

    @Test func `a field that is absent stays absent`() throws {
        let fields = try campaign().notification.fields
        #expect(fields.message == nil && fields.priority == nil && fields.timeToLive == nil && fields.badge == nil)
        #expect(fields.data.isEmpty && fields.apple == nil && fields.android == nil)
    }

    @Test func `interceptors keep their order`() throws {
        let declarations = try campaign(
            rest: """
                interceptors:
                  - localize
                  - skip_tagged: [a, b]
                  - set: {title: T, data: {k: v}}
                  - localize:
                """
        ).interceptors
        #expect(declarations.map(\.kind.name) == ["localize", "skip_tagged", "set", "localize"])
        #expect(declarations.map(\.place.line) == [5, 6, 7, 8])
        guard case .skipTagged(let tags) = declarations[1].kind, case .set(let fields) = declarations[2].kind else {
            Issue.record("\(declarations)")
            return
        }
        #expect(tags == ["a", "b"])
        #expect(fields.title?.constant == "T" && fields.data.first?.key == "k")
    }

    @Test func `a condition is a bare expression`() throws {
        let condition = try #require(try campaign(rest: "when: \"device.tags contains 'a'\"").condition)
        #expect(condition.place.text == "device.tags contains 'a'")
    }

    // MARK: Schedules

    private func occurrences(_ schedule: String, timezone: String = "UTC") throws -> [String] {
        let file = read("schedule: \(schedule)\nfilter: everyone\nnotification: {title: A}\n", timezone: timezone)
        let campaign = try #require(file.campaign, "\(file.diagnostics)")
        let start = try Instant(rfc3339: "2026-12-01T00:00:00Z")
        return campaign.schedule.occurrences(after: start, limit: 3).map(\.description)
    }

    @Test(arguments: [
        (
            "{cron: \"0 9 * * *\"}", "Europe/Berlin",
            ["2026-12-01T09:00:00+01:00", "2026-12-02T09:00:00+01:00", "2026-12-03T09:00:00+01:00"]
        ),
        (
            "{cron: \"0 9 * * *\", timezone: UTC, except: [2026-12-01, {from: 2026-12-03, to: 2026-12-05}]}",
            "Europe/Berlin",
            ["2026-12-02T09:00:00Z", "2026-12-06T09:00:00Z", "2026-12-07T09:00:00Z"]
        ),
        (
            "{at: [2026-12-24 18:00, \"2026-12-02T00:00:00Z\"]}", "UTC",
            ["2026-12-02T00:00:00Z", "2026-12-24T18:00:00Z"]
        ),
        (
            "{every: 12h, anchor: 2026-12-01 06:00}", "UTC",
            ["2026-12-01T06:00:00Z", "2026-12-01T18:00:00Z", "2026-12-02T06:00:00Z"]
        ),
    ])
    func `a schedule fires when it says`(schedule: String, timezone: String, expected: [String]) throws {
        #expect(try occurrences(schedule, timezone: timezone) == expected)
    }

    @Test func `the parts of a list have their own zones and fire once where they meet`() throws {
        let list = "[{cron: \"0 9 * * *\", timezone: Europe/Berlin}, {at: 2026-12-01 08:00}, {at: 2026-12-01 20:00}]"
        #expect(
            try occurrences(list) == ["2026-12-01T09:00:00+01:00", "2026-12-01T20:00:00Z", "2026-12-02T09:00:00+01:00"])
    }

    @Test func `policies of the runs are read, and a list may state them once or alike`() throws {
        let one = try campaign(schedule: "{cron: \"0 9 * * *\", catch_up: {within: 6h}, overlap: queue}")
        #expect(one.catchUp == CatchUp(runs: .latest, within: TimeSpan(seconds: 21_600)) && one.overlap == .queue)
        #expect(try campaign(schedule: "{cron: \"0 9 * * *\", catch_up: all}").catchUp.runs == .all)
        let list = try campaign(
            schedule: "[{every: 5m, overlap: allow}, {every: 7m}, {every: 9m, overlap: allow, catch_up: none}]")
        #expect(list.overlap == .allow && list.catchUp.runs == .none)
    }

    @Test func `a schedule's fingerprint does not change with the order of its parts`() throws {
        let one = try campaign(schedule: "[{every: 5m}, {at: 2026-12-24 09:00}]").schedule.fingerprint
        #expect(try campaign(schedule: "[{at: 2026-12-24 09:00}, {every: 300s}]").schedule.fingerprint == one)
        #expect(try campaign(schedule: "[{at: 2026-12-24 09:01}, {every: 5m}]").schedule.fingerprint != one)
    }

    @Test(arguments: [
        ("0 9 31 * *", DiagnosticCode.skippedMonths, 1), ("0 9 1-7 * WED", .eitherDay, 1), ("0 9 1 * *", .eitherDay, 0),
        ("0 9 */2 * WED", .eitherDay, 1), ("0 9 ? * WED", .eitherDay, 0), ("@weekly", .eitherDay, 0),
        ("0 9 * * MON", .eitherDay, 0),
    ])
    func `a cron expression that is easily misread is warned about`(cron: String, code: DiagnosticCode, count: Int) {
        let file = read("schedule: {cron: \"\(cron)\"}\nfilter: everyone\nnotification: {title: A}\n")
        #expect(file.campaign != nil)
        #expect(file.diagnostics.map(\.code) == Array(repeating: code, count: count))
        #expect(file.diagnostics.allSatisfy { $0.severity == .warning })
    }

    @Test func `all problems of a file come in one pass, in the order of the file`() {
        let file = read(
            """
            campaign: Big
            schedule:
              cron: "61 9 * * *"
              timezone: Europe/Berln
            filter: {tags: [], platforms: [Amiga]}
            notification:
              title: "{{ x | nope }}"
              badge: -1
            interceptors: [nothing]
            """)
        #expect(file.diagnostics.map(\.place.line) == [1, 3, 4, 5, 5, 7, 8, 9])
        #expect(file.campaign == nil)
        #expect(file.id == nil)
    }

    @Test(arguments: ["mutable_content: true", "subtitle: S", "interruption_level: active"])
    func `a silent push shows nothing`(option: String) {
        let file = read(
            "schedule: {every: 5m}\nfilter: everyone\nnotification: {apple: {content_available: true, \(option)}}\n")
        #expect(file.diagnostics.map(\.code) == [.silentPushMix])
    }

    @Test func `variables that a template makes itself are not unknown`() throws {
        let text = "{% assign a = 1 %}{{ a }}{% for i in device.tags %}{{ i }}{{ forloop.index }}{% endfor %}"
        #expect(try campaign(notification: "{title: \"\(text)\"}").notification.fields.title != nil)
    }
}
