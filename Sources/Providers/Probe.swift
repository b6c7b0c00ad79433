import HTTPClient
import Push
import Synchronization

/// What became of one request.
struct Reply {
    var outcome: PushOutcome
    /// Whether the provider itself said so, rather than nobody having answered.
    var isFromProvider: Bool

    /// What the provider answered.
    static func answer(_ outcome: PushOutcome) -> Reply { Reply(outcome: outcome, isFromProvider: true) }

    /// What is known without an answer.
    static func noAnswer(_ outcome: PushOutcome) -> Reply { Reply(outcome: outcome, isFromProvider: false) }

    /// Whether the next request would surely end the same way.
    fileprivate var isLasting: Bool {
        outcome.status == .configurationError || (outcome.status == .unavailable && !isFromProvider)
    }
}

/// Keeps a provider from sending a whole page to a server that refuses everything, or to nobody.
///
/// Until a server has accepted the provider's key, topic or project, a page begins with a small slice. Only when that
/// is not refused as a whole the rest follows. Later pages go out at once.
final class Probe: Sendable {
    /// How many requests a server gets before it has accepted one.
    static let size = 10

    private let accepting = Mutex<Set<HTTPOrigin>>([])

    /// Sends the items through `exchange`, which returns one reply for each of those it is given.
    ///
    /// When the first slice shows that nothing can be sent, the other items get that outcome without being sent.
    func send<Item>(
        _ items: [Item], to origin: HTTPOrigin, through exchange: (ArraySlice<Item>) async -> [Reply]
    ) async -> [PushOutcome] {
        guard !items.isEmpty else { return [] }
        let isAccepting = accepting.withLock { $0.contains(origin) }
        let first = isAccepting ? items[...] : items.prefix(Self.size)
        let replies = await exchange(first)
        learn(from: replies, origin)
        var outcomes = replies.map(\.outcome)
        let rest = items[first.endIndex...]
        if rest.isEmpty { return outcomes }
        if var unsent = outcomes.last, replies.allSatisfy(\.isLasting) {
            unsent.providerMessageID = nil
            outcomes.append(contentsOf: repeatElement(unsent, count: rest.count))
        } else {
            outcomes.append(contentsOf: await exchange(rest).map(\.outcome))
        }
        return outcomes
    }

    private func learn(from replies: [Reply], _ origin: HTTPOrigin) {
        let wasAccepted = replies.contains {
            $0.isFromProvider && $0.outcome.status != .configurationError && $0.outcome.status != .unavailable
        }
        accepting.withLock {
            if wasAccepted {
                $0.insert(origin)
            } else if replies.allSatisfy(\.isLasting) {
                $0.remove(origin)
            }
        }
    }
}
