import HTTPClient
import Push
import Synchronization

/// Keeps a provider from sending a whole page to a server that refuses everything.
///
/// Until a server has accepted the provider's key, topic or project, a page begins with a small slice. Only when that
/// is not refused as a whole the rest follows. Later pages go out at once.
final class Probe: Sendable {
    /// How many requests a server gets before it has accepted one.
    static let size = 10

    private let accepting = Mutex<Set<HTTPOrigin>>([])

    /// Sends the items through `exchange`, which returns one outcome for each of those it is given.
    ///
    /// When the first slice shows that nothing can be sent, the other items get that outcome without being sent.
    func send<Item>(
        _ items: [Item], to origin: HTTPOrigin, through exchange: (ArraySlice<Item>) async -> [PushOutcome]
    ) async -> [PushOutcome] {
        if accepting.withLock({ $0.contains(origin) }) {
            let outcomes = await exchange(items[...])
            learn(from: outcomes, origin)
            return outcomes
        }
        var outcomes = await exchange(items.prefix(Self.size))
        learn(from: outcomes, origin)
        let rest = items.dropFirst(Self.size)
        guard !rest.isEmpty else { return outcomes }
        if let last = outcomes.last, Self.isRefusal(outcomes) {
            outcomes.append(contentsOf: repeatElement(last.withoutMessageID, count: rest.count))
        } else {
            outcomes.append(contentsOf: await exchange(rest))
        }
        return outcomes
    }

    private func learn(from outcomes: [PushOutcome], _ origin: HTTPOrigin) {
        let answered = outcomes.contains {
            ![.configurationError, .unavailable, .uncertain].contains($0.status)
        }
        accepting.withLock {
            if answered {
                $0.insert(origin)
            } else if Self.isRefusal(outcomes) {
                $0.remove(origin)
            }
        }
    }

    /// Whether every outcome says that the next request would end the same way.
    private static func isRefusal(_ outcomes: [PushOutcome]) -> Bool {
        outcomes.allSatisfy { $0.status == .configurationError } || outcomes.allSatisfy { $0.status == .unavailable }
    }
}

extension PushOutcome {
    /// The same outcome for a message that was not sent.
    fileprivate var withoutMessageID: PushOutcome {
        var copy = self
        copy.providerMessageID = nil
        return copy
    }
}
