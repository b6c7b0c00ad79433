import Push
import Testing

@testable import Campaigns

/// What a device gets after the chain, or why it gets nothing.
enum ChainOutcome {
    case sent(PushNotification)
    case skipped(String)

    var notification: PushNotification? { if case .sent(let notification) = self { notification } else { nil } }
    var reason: String? { if case .skipped(let reason) = self { reason } else { nil } }
}

extension RunRenderer {
    func outcome(for registration: Registration) async throws -> ChainOutcome {
        var context = PushSendContext(
            batchID: "b", registration: registration, notification: try notification(for: registration))
        for interceptor in interceptors {
            if case .skip(let reason) = try await interceptor.beforeSend(&context) { return .skipped(reason) }
        }
        return .sent(context.notification)
    }
}

@Suite struct InterceptorTests {
    @Test func `skip_tagged leaves out the tagged and names the tag`() async throws {
        let renderer = try renderer("title: t", rest: "interceptors: [{skip_tagged: [opted-out, muted]}]")
        #expect(try await renderer.outcome(for: device()).notification != nil)
        #expect(try await renderer.outcome(for: device(tags: ["news"])).notification != nil)
        let outcome = try await renderer.outcome(for: device(tags: ["news", "muted"]))
        #expect(outcome.reason == "skip_tagged: the device is tagged \"muted\"")
        #expect(renderer.interceptors.map(\.name) == ["skip_tagged"])
    }

    @Test func `tags are told apart byte by byte as filters do`() async throws {
        let renderer = try renderer("title: t", rest: "interceptors: [{skip_tagged: [Opted]}]")
        #expect(try await renderer.outcome(for: device(tags: ["opted"])).reason == nil)
    }

    @Test func `set replaces some fields and adds others`() async throws {
        let renderer = try renderer(
            "title: t\nmessage: m\ndata: {a: one, b: two}\napple: {subtitle: s, thread_id: th}",
            rest: """
                interceptors:
                  - set: {title: "for {{ device.user }}", data: {b: "2", c: "3"}, apple: {subtitle: ""}, badge: 7, time_to_live: 1h,
                      priority: normal}
                """)
        let notification = try #require(try await renderer.outcome(for: device(user: "ada")).notification)
        #expect(
            notification.fields
                == PushNotification.Fields(
                    title: "for ada", message: "m", badge: 7, timeToLive: .seconds(3600), priority: .normal,
                    data: ["a": "one", "b": "2", "c": "3"], apple: ApplePushOptions(threadID: "th")))
    }

    @Test func `devices still share one notification after set and localize`() async throws {
        let renderer = try renderer(
            "title: t\nlocales: {de: {title: T-de}}",
            rest: "interceptors: [{set: {badge: 1}}, localize, {set: {sound: \"{{ campaign.id }}\"}}]")
        let first = try #require(try await renderer.outcome(for: device("a")).notification)
        let second = try #require(try await renderer.outcome(for: device("b", locale: "fr")).notification)
        let german = try #require(try await renderer.outcome(for: device("c", locale: "de-DE")).notification)
        let other = try #require(try await renderer.outcome(for: device("d", locale: "de")).notification)
        #expect(first.isIdentical(to: second))
        #expect(german.isIdentical(to: other))
        #expect(first.title == "t" && german.title == "T-de")
        #expect(first.badge == 1 && german.badge == 1 && german.sound == "digest")
    }

    @Test func `many devices at once get the very same notification from set`() async throws {
        let renderer = try renderer("title: t", rest: "interceptors: [{set: {badge: 1}}]")
        let identities = try await withThrowingTaskGroup(of: PushNotification.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let outcome = try await renderer.outcome(for: device("d\(number)"))
                    return try #require(outcome.notification)
                }
            }
            var all: [PushNotification] = []
            for try await notification in group { all.append(notification) }
            return all
        }
        #expect(Set(identities.map(\.identity)).count == 1)
    }

    @Test func `a set that depends on the device does not mix devices up`() async throws {
        let renderer = try renderer(
            "title: t", rest: "interceptors: [{set: {message: \"{{ device.user }}\"}}, {set: {badge: 2}}]")
        for user in ["a", "b", "a", "c"] {
            let notification = try #require(try await renderer.outcome(for: device(user: user)).notification)
            #expect(notification.message == user)
            #expect(notification.badge == 2)
        }
    }

    @Test(arguments: [
        ("[localize, {set: {title: set}}]", "set"), ("[{set: {title: set}}, localize]", "T-de"),
        ("[{set: {title: set}}]", "set"), ("[]", "T-de"), ("[{skip_tagged: [x]}]", "T-de"),
    ])
    func `localize acts where it stands, and first when it is not named`(chain: String, title: String) async throws {
        let interceptors = chain == "[]" ? "" : "interceptors: \(chain)"
        let renderer = try renderer("title: t\nlocales: {de: {title: T-de}}", rest: interceptors)
        #expect(try await renderer.outcome(for: device(locale: "de")).notification?.title == title)
    }

    @Test func `localize falls back field by field`() async throws {
        let renderer = try renderer(
            "title: t\nmessage: m\nlocales: {de: {title: T-de, message: M-de}, de-AT: {title: T-at}}",
            rest: "interceptors: [localize]")
        let notification = try #require(try await renderer.outcome(for: device(locale: "de-AT")).notification)
        #expect(notification.title == "T-at")
        #expect(notification.message == "M-de")
    }

    @Test func `an error in a set that every device would meet fails the run at its place`() throws {
        let campaign = try rendered("title: t", rest: "interceptors:\n  - set: {message: \"{{ 1 | modulo: 0 }}\"}")
        let error = #expect(throws: Diagnostic.self) { try RunRenderer.prepare(campaign, at: morning) }
        #expect(error?.description == "campaigns/digest.yaml:6:28: error: divided by 0")
    }

    @Test func `an error in a set that depends on the device fails that device`() async throws {
        let renderer = try renderer(
            "title: t", rest: "interceptors:\n  - set: {message: \"{{ 4 | modulo: device.data.n }}\"}")
        #expect(try await renderer.outcome(for: device(data: ["n": 3])).notification?.message == "1")
        await #expect(throws: Diagnostic.self) { try await renderer.outcome(for: device()) }
    }

    @Test func `a condition on the device leaves out devices`() async throws {
        let renderer = try renderer(
            "title: t", rest: "when: \"device.data.unread > 0\"\ninterceptors: [{skip_tagged: [x]}]")
        #expect(renderer.interceptors.map(\.name) == ["when", "skip_tagged"])
        #expect(try await renderer.outcome(for: device(data: ["unread": 2])).notification != nil)
        #expect(try await renderer.outcome(for: device()).reason == "when does not hold: device.data.unread > 0")
    }
}
