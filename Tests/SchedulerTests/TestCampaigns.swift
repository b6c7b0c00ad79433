import Campaigns
import FoundationEssentials
import Push
import PushTestSupport
import Scheduler
import Schedules
import Storage
import Synchronization
import Testing

/// Reads a campaign with this schedule; `more` is further lines of its file.
func campaign(_ id: String, schedule: String, filter: String = "everyone", more: String = "") throws -> Campaign {
    let text = """
        campaign: \(id)
        schedule: \(schedule)
        filter: \(filter)
        notification: {title: Hello}
        \(more)
        """
    let file = CampaignFile(path: "campaigns/\(id).yaml", bytes: Array(text.utf8), root: "campaigns")
    return try #require(file.campaign, "\(file.diagnostics)")
}

func instant(_ text: String) throws -> Instant {
    try Instant(rfc3339: text)
}

extension SQLiteStore {
    /// A new store in memory with devices `t1`, `t2`, ….
    static func withDevices(_ count: Int) async throws -> SQLiteStore {
        let store = try await inMemory()
        if count > 0 { try await store.save((1...count).map { .test("t\($0)") }) }
        return store
    }
}

/// Gives every device one notification with the campaign's id as title.
struct PlainNotifications: NotificationSource {
    var interceptors: [any PushInterceptor] = []
    var condition: @Sendable (Campaign, Occurrence) throws -> String? = { _, _ in nil }

    func content(of campaign: Campaign, at occurrence: Occurrence) async throws -> RunContent {
        if let reason = try condition(campaign, occurrence) { return .nothing(reason: reason) }
        let notification = PushNotification(title: campaign.id)
        return .notifications(make: { _ in notification }, interceptors: interceptors)
    }
}

/// A clock in which sleeping takes no time: it is moved on by as much, once nothing runs any more.
final class SimulatedClock: Sendable {
    private struct State {
        var now: Date
        /// Steps that somebody else makes, each once, when its time has come.
        var steps: [(at: Instant, by: Int64)] = []
        var quiet: (@Sendable () async -> Void)?
    }

    private let state: Mutex<State>

    init(_ start: Instant) {
        state = Mutex(State(now: Date(timeIntervalSince1970: Double(start.secondsSinceEpoch))))
    }

    var now: Instant { Instant(secondsSinceEpoch: Int64(state.withLock { $0.now.timeIntervalSince1970 })) }

    /// Sets the clock by so many seconds when it reaches an instant.
    func step(at instant: Instant, by seconds: Int64) { state.withLock { $0.steps.append((instant, seconds)) } }

    /// What a sleep waits for before time goes on.
    func whenSleeping(_ quiet: @escaping @Sendable () async -> Void) { state.withLock { $0.quiet = quiet } }

    func set(_ instant: Instant) {
        state.withLock { $0.now = Date(timeIntervalSince1970: Double(instant.secondsSinceEpoch)) }
    }

    var clock: SchedulerClock {
        SchedulerClock(wall: WallClock { self.state.withLock { $0.now } }) { seconds in await self.sleep(seconds) }
    }

    private func sleep(_ seconds: Double) async {
        await state.withLock { $0.quiet }?()
        guard !Task.isCancelled else { return }
        state.withLock { state in
            state.now = state.now.addingTimeInterval(seconds)
            let now = Int64(state.now.timeIntervalSince1970)
            guard let due = state.steps.firstIndex(where: { $0.at.secondsSinceEpoch <= now }) else { return }
            state.now = state.now.addingTimeInterval(Double(state.steps.remove(at: due).by))
        }
    }
}

/// Keeps what the scheduler tells.
final class EventRecorder: Sendable {
    private let kept = Mutex<[SchedulerEvent]>([])
    private let react: @Sendable (SchedulerEvent) -> Void

    init(_ react: @escaping @Sendable (SchedulerEvent) -> Void = { _ in }) { self.react = react }

    var events: [SchedulerEvent] { kept.withLock { $0 } }

    func take(_ event: SchedulerEvent) {
        kept.withLock { $0.append(event) }
        react(event)
    }

    var finished: [Run] {
        events.compactMap { if case .runFinished(let run) = $0 { run } else { nil } }
    }
}

/// Something that is set later than the closures are made that use it.
final class Later<Value: Sendable>: Sendable {
    private let kept = Mutex<Value?>(nil)

    var value: Value? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}
