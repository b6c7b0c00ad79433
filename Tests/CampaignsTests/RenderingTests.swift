import FoundationEssentials
import Push
import Schedules
import TestSupport
import Testing

@testable import Campaigns

/// An occurrence at 2026-12-01T09:00:00+01:00.
let morning = Occurrence(instant: Instant(secondsSinceEpoch: 1_796_112_000), offset: 3600)

func device(
    _ token: String = "t", platform: Platform = .iOS, user: String? = nil, tags: [String] = [], locale: String? = nil,
    data: [String: PushValue] = [:]
) -> Registration {
    Registration(
        token: token, platform: platform, userID: user, tags: tags, locale: locale, data: data,
        registeredAt: Date(timeIntervalSince1970: 0))
}

/// A campaign of which the notification, and what else the test names, is replaced.
func renderer(_ notification: String, rest: String = "", folder: TemporaryFolder? = nil) throws -> RunRenderer {
    switch try RunRenderer.prepare(try rendered(notification, rest: rest, folder: folder), at: morning) {
    case .ready(let renderer): return renderer
    case .nothing(let reason):
        Issue.record("nothing to send: \(reason)")
        throw Diagnostic(.error, .rendering, reason, at: .init(file: ""))
    }
}

func rendered(_ notification: String, rest: String = "", folder: TemporaryFolder? = nil) throws -> Campaign {
    let root = folder?.path ?? "campaigns"
    let text = """
        schedule: {cron: "0 9 * * *", timezone: Europe/Berlin}
        filter: everyone
        notification:
        \(notification.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
        \(rest)
        """
    let file = CampaignFile(path: "\(root)/digest.yaml", bytes: Array(text.utf8), root: root)
    return try #require(file.campaign, "\(file.diagnostics)")
}

@Suite struct RenderingTests {
    @Test func `every field reaches the notification`() throws {
        let renderer = try renderer(
            """
            title: "T {{ device.user }}"
            message: M
            badge: "{{ device.data.unread }}"
            sound: chime
            deep_link: "app://{{ device.data.unread }}"
            collapse_id: digest
            time_to_live: 12h
            priority: normal
            data: {kind: digest, user: "{{ device.user }}"}
            apple: {subtitle: "{{ device.platform }}", thread_id: th, category: C, target_content_id: tc,
              mutable_content: true, interruption_level: time-sensitive, relevance_score: 0.5,
              topic_override: x.y, push_type_override: alert}
            android: {channel_id: ch, icon: ic, color: "#1d3557", image_url: "https://x/{{ device.user }}.png", tag: tg}
            web: {icon: wi, urgency: low}
            windows: {kind: toast, launch: "l={{ device.user }}"}
            """)
        let notification = try renderer.notification(for: device(user: "ada", data: ["unread": 3]))
        #expect(
            notification.fields
                == PushNotification.Fields(
                    title: "T ada", message: "M", badge: 3, sound: "chime", deepLink: "app://3", collapseID: "digest",
                    timeToLive: .seconds(43_200), priority: .normal, data: ["kind": "digest", "user": "ada"],
                    apple: ApplePushOptions(
                        subtitle: "iOS", threadID: "th", category: "C", mutableContent: true,
                        interruptionLevel: .timeSensitive, relevanceScore: 0.5, targetContentID: "tc",
                        topicOverride: "x.y", pushTypeOverride: "alert"),
                    android: AndroidPushOptions(
                        channelID: "ch", icon: "ic", color: "#1d3557", imageURL: "https://x/ada.png", tag: "tg"),
                    web: WebPushOptions(icon: "wi", urgency: .low),
                    windows: WindowsPushOptions(kind: .toast, launch: "l=ada")))
    }

    @Test(arguments: [
        (
            "{{ device.platform }} {{ device.environment }} {{ device.user }} {{ device.device_id }}",
            "WebBrowser production ada "
        ),
        ("{{ device.tags | join: '+' }} {{ device.topics.size }} {{ device.locale }}", "a+b 0 de-AT"),
        ("{{ device.app_id }}{{ device.timezone }}{{ device.app_version }}", ""),
        ("{{ device.data.list[1].k }} {{ device.data.n | plus: 1 }} {{ device.data.missing }}", "v 2.5 "),
        ("{% for pair in device.data.map %}{{ pair[0] }}{{ pair[1] }}{% endfor %}", "a1b2"),
        (
            "{{ campaign.id }} {{ campaign.owner }}{{ campaign.description }} {{ occurrence }}",
            "digest  2026-12-01T09:00:00+01:00"
        ),
        (
            "{{ 'now' | date: '%A %H:%M %Z' }} {{ occurrence | date: '%d.%m.' }} {{ 0 | date: '%H' }}",
            "Tuesday 09:00 CET 01.12. 01"
        ),
    ])
    func `templates see the device, the campaign, the occurrence and its zone`(
        template: String, expected: String
    ) throws {
        let renderer = try renderer("title: \"\(template)\"\nmessage: m")
        let registration = device(
            platform: .web, user: "ada", tags: ["a", "b"], locale: "de-AT",
            data: ["list": ["x", ["k": "v"]], "n": 1.5, "map": ["b": 2, "a": 1]])
        #expect(try renderer.notification(for: registration).title ?? "" == expected)
    }

    @Test func `data files are variables of their names`() throws {
        let folder = try TemporaryFolder()
        try folder.write("_data/stories.json", #"[{"title": "One {{ 1 }}"}, {"title": "Two"}]"#)
        try folder.write("_data/prices.yaml", "gold: 1.50\nname: no\n")
        let renderer = try renderer(
            "title: \"{{ stories.size }} {{ stories[0].title }} {{ prices.gold }} {{ prices.name }}\"",
            rest: "data: {stories: {file: _data/stories.json}, prices: {file: _data/prices.yaml}}", folder: folder)
        #expect(try renderer.notification(for: device()).title == "2 One {{ 1 }} 1.5 no")
    }

    @Test func `a data file may be a link, but not one that leads out of the campaigns`() throws {
        let outside = try TemporaryFolder()
        try outside.write("secret.json", #"{"key": "s3cret"}"#)
        try outside.write("team/c.yaml", "")
        try outside.write("team/d.json", "[1]")
        let folder = try TemporaryFolder()
        try folder.write("real.json", "[1, 2]")
        try folder.link("alias.json", to: "real.json")
        try folder.link("leak.json", to: outside.path + "/secret.json")
        try folder.link("leaks", to: outside.path)
        try folder.link("team", to: outside.path + "/team")
        func problem(_ path: String, from file: String = "digest.yaml") -> String? {
            let files = DataFiles(root: folder.path)
            guard case .failure(.path(let reason)) = files.read(path, from: "\(folder.path)/\(file)") else {
                return nil
            }
            return reason
        }
        let refused = "a data file lies within the folder of the campaigns, and this link leads out of it"
        #expect(problem("alias.json") == nil)
        #expect(problem("leak.json") == refused)
        #expect(problem("leaks/secret.json") == refused)
        #expect(problem("team/d.json") == refused)
        #expect(problem("d.json", from: "team/c.yaml") == nil)
        #expect(problem("../digest/../../secret.json")?.hasPrefix("a data file lies within") == true)
    }

    @Test func `the sample campaigns render for devices of every platform and language`() throws {
        let directory = try CampaignDirectory.load(Repository.path("campaigns"))
        #expect(directory.campaigns.count >= 6)
        for campaign in directory.campaigns {
            guard case .ready(let renderer) = try RunRenderer.prepare(campaign, at: morning) else {
                Issue.record("\(campaign.id) has nothing to send")
                continue
            }
            for platform in Platform.allCases {
                for locale in [nil, "en-US", "de-AT"] {
                    let registration = device(platform: platform, user: "ada", locale: locale, data: ["name": "Ada"])
                    let notification = try renderer.notification(for: registration)
                    let texts = [notification.title, notification.message].compactMap { $0 }
                    #expect(texts.allSatisfy { !$0.contains("{{") && !$0.contains("{%") })
                }
            }
        }
    }

    // MARK: Sharing

    @Test func `devices share one notification where nothing depends on them`() throws {
        let renderer = try renderer("title: \"{{ campaign.id }}\"\nmessage: \"{{ 'now' | date: '%s' }}\"")
        let first = try renderer.notification(for: device("a", user: "ada"))
        let second = try renderer.notification(for: device("b", user: "bob", locale: "de"))
        #expect(first.isIdentical(to: second))
    }

    @Test func `a notification of its own is made only for devices on which it depends`() throws {
        let renderer = try renderer(
            """
            title: Hello
            message: m
            locales:
              de: {title: "Hallo {{ device.user }}"}
              fr: {title: Bonjour}
            """)
        func notification(_ user: String, _ locale: String?) throws -> PushNotification {
            try renderer.notification(for: device(user: user, locale: locale))
        }
        #expect(try notification("a", nil).isIdentical(to: notification("b", "it")))
        #expect(try notification("a", "fr").isIdentical(to: notification("b", "fr-CA")))
        #expect(try !notification("a", "fr").isIdentical(to: notification("b", nil)))
        #expect(try notification("a", "de").title == "Hallo a")
        #expect(try notification("b", "de").title == "Hallo b")
    }

    @Test(arguments: [
        (nil, "Hello", "m", "s"), ("it", "Hello", "m", "s"), ("de", "Hallo", "m-de", "s"),
        ("de-DE", "Hallo", "m-de", "s"),
        ("de-AT", "Servus", "m-de", "s-at"), ("de_at", "Servus", "m-de", "s-at"), ("DE-Latn-AT", "Hallo", "m-de", "s"),
        ("de-AT-x-vienna", "Servus", "m-de", "s-at"), ("d", "Hello", "m", "s"), ("", "Hello", "m", "s"),
        ("-", "Hello", "m", "s"), ("zh-Hant-TW", "Hello", "m", "s"),
    ])
    func `a language falls back field by field`(
        locale: String?, title: String, message: String, subtitle: String
    ) throws {
        let renderer = try renderer(
            """
            title: Hello
            message: m
            apple: {subtitle: s, thread_id: th}
            locales:
              de-AT: {title: Servus, apple: {subtitle: s-at}}
              de: {title: Hallo, message: m-de}
            """)
        let notification = try renderer.notification(for: device(locale: locale))
        #expect(notification.title == title)
        #expect(notification.message == message)
        #expect(notification.apple?.subtitle == subtitle)
        #expect(notification.apple?.threadID == "th")
    }

    // MARK: Errors

    @Test func `an error that every device would meet fails the run at its place`() throws {
        let campaign = try rendered("title: ok\nmessage: \"ab {{ 1 | divided_by: 0 }}\"")
        let error = #expect(throws: Diagnostic.self) { try RunRenderer.prepare(campaign, at: morning) }
        #expect(error?.description == "campaigns/digest.yaml:5:23: error: divided by 0")
    }

    @Test func `an error that depends on the device fails that device alone`() throws {
        let renderer = try renderer("title: \"{{ 10 | divided_by: device.data.n }}\"")
        #expect(try renderer.notification(for: device(data: ["n": 5])).title == "2")
        let error = #expect(throws: Diagnostic.self) { try renderer.notification(for: device(data: ["n": 0])) }
        #expect(error?.description == "campaigns/digest.yaml:4:19: error: divided by 0")
        #expect(try renderer.notification(for: device(data: ["n": 2])).title == "5")
    }

    @Test func `a template that costs too much fails the device by name of the limit`() throws {
        let renderer = try renderer("title: \"{% for i in (1..device.data.n) %}x{% endfor %}\"")
        #expect(try renderer.notification(for: device(data: ["n": 9])).title == "xxxxxxxxx")
        let error = #expect(throws: Diagnostic.self) {
            try renderer.notification(for: device(data: ["n": 9_000_000_000]))
        }
        #expect(error?.message == "the template loops more than 1000 times")
    }

    @Test(arguments: [
        ("badge: \"{{ device.data.x }}\"", "abc", "badge must render to a whole number from 0, not \"abc\""),
        ("badge: \"{{ device.data.x }}\"", "-1", "badge must render to a whole number from 0, not \"-1\""),
        (
            "badge: \"{{ device.data.x }}\"", "99999999999",
            "badge must render to a whole number from 0, not \"99999999999\""
        ),
        (
            "collapse_id: \"{{ device.data.x }}\"", String(repeating: "c", count: 65),
            "collapse_id renders to 65 bytes; at most 64 are allowed"
        ),
        (
            "android: {color: \"{{ device.data.x }}\"}", "red",
            "color must render to something like #1d3557, not \"red\""
        ),
    ])
    func `a text that a field cannot hold is an error`(field: String, value: String, message: String) throws {
        let renderer = try renderer("title: t\n\(field)")
        let error = #expect(throws: Diagnostic.self) {
            try renderer.notification(for: device(data: ["x": .string(value)]))
        }
        #expect(error?.message == message)
        #expect(error?.place.line == 5)
    }

    @Test func `what renders to nothing is left out`() throws {
        let renderer = try renderer(
            "title: \"{{ device.user }}\"\nmessage: m\nbadge: \" {{ device.data.n }} \"\ndata: {u: \"{{ device.user }}\"}"
        )
        let empty = try renderer.notification(for: device())
        #expect(empty.title == nil)
        #expect(empty.badge == nil)
        #expect(empty.data == ["u": ""])
        #expect(try renderer.notification(for: device(data: ["n": 0])).badge == 0)
    }

    @Test func `a notification that renders to nothing fails the device`() throws {
        let renderer = try renderer("title: \"{{ device.user }}\"")
        #expect(try renderer.notification(for: device(user: "ada")).title == "ada")
        let error = #expect(throws: Diagnostic.self) { try renderer.notification(for: device()) }
        #expect(error?.message == "the notification renders to nothing")
    }

    // MARK: When

    @Test(arguments: [
        ("stories.size > 1", true), ("stories.size > 2", false), ("campaign.id == 'digest'", true),
        ("stories.first.missing", false),
    ])
    func `a condition that does not hold leaves nothing to send`(condition: String, holds: Bool) throws {
        let folder = try TemporaryFolder()
        try folder.write("s.json", "[{}, {}]")
        let campaign = try rendered(
            "title: t", rest: "data: {stories: {file: s.json}}\nwhen: \"\(condition)\"", folder: folder)
        switch try RunRenderer.prepare(campaign, at: morning) {
        case .ready: #expect(holds)
        case .nothing(let reason):
            #expect(!holds)
            #expect(reason == "when does not hold: \(condition)")
        }
    }

    @Test func `a condition that cannot be decided fails the run at its place`() throws {
        let campaign = try rendered("title: t", rest: "when: \"campaign.id > 1\"")
        let error = #expect(throws: Diagnostic.self) { try RunRenderer.prepare(campaign, at: morning) }
        #expect(error?.description == "campaigns/digest.yaml:5:8: error: a string has no order against a number")
    }

    // MARK: Data is never template

    static let hostile = [
        "{{ 'x' | upcase }}", "{% if true %}x{% endif %}", "{{", "}}", "{%", "%}", "{% raw %}",
        "\"quotes\" 'single' \\ back",
        "line\nbreak\r\n\ttab", "nul\u{0}byte", "\u{1F468}\u{200D}\u{1F469}", "e\u{301}", "\u{202E}rtl", "\u{FEFF}bom",
        "</script>", "${x} %s %d $(x)",
    ]

    @Test(arguments: hostile)
    func `whatever a device's data holds is text and never template`(text: String) throws {
        let renderer = try renderer(
            """
            title: "[{{ device.data.x }}]"
            message: "{% assign y = device.data.x %}{% capture z %}{{ y | append: '!' }}{% endcapture %}{{ z }}"
            data: {copy: "{{ device.user }}{% for t in device.tags %}{{ t }}{% endfor %}"}
            """)
        let notification = try renderer.notification(for: device(user: text, tags: [text], data: ["x": .string(text)]))
        #expect(notification.title.map { Array($0.utf8) } == Array("[\(text)]".utf8))
        #expect(notification.message.map { Array($0.utf8) } == Array("\(text)!".utf8))
        #expect(notification.data["copy"].map { Array($0.utf8) } == Array("\(text)\(text)".utf8))
    }
}
