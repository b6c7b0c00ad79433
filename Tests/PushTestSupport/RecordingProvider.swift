package import Push
import Synchronization

/// A provider that keeps what it was given and answers by a rule.
package final class RecordingProvider: PushProvider {
    package let identifier: String
    private let platforms: Set<Platform>
    private let appID: String??
    private let answer: @Sendable (PushMessage) async throws -> PushOutcome
    private let sent = Mutex<[[PushMessage]]>([])

    /// - Parameter appID: the one app it serves; `.some(nil)` is the default app, and nothing stands for every app.
    package init(
        _ identifier: String = "test", platforms: Set<Platform> = Set(Platform.allCases), appID: String?? = .none,
        answer: @escaping @Sendable (PushMessage) async throws -> PushOutcome = { _ in PushOutcome(.success) }
    ) {
        self.identifier = identifier
        self.platforms = platforms
        self.appID = appID
        self.answer = answer
    }

    package func canDeliver(to registration: Registration) -> Bool {
        guard platforms.contains(registration.platform) else { return false }
        return switch appID {
        case .none: true
        case .some(let appID): appID == registration.appID
        }
    }

    package func send(_ messages: [PushMessage]) async throws -> [PushOutcome] {
        sent.withLock { $0.append(messages) }
        var outcomes: [PushOutcome] = []
        for message in messages { outcomes.append(try await answer(message)) }
        return outcomes
    }

    /// What it was given, one list a call.
    package var calls: [[PushMessage]] { sent.withLock { $0 } }
    package var messages: [PushMessage] { calls.flatMap { $0 } }
    package var tokens: [String] { messages.map(\.registration.token) }
}

/// Log events, kept.
package final class LogRecorder: Sendable {
    private let kept = Mutex<[LogEvent]>([])

    package init() {}

    package var logger: Logger { Logger(minimum: .trace) { event in self.kept.withLock { $0.append(event) } } }
    package var events: [LogEvent] { kept.withLock { $0 } }
}
