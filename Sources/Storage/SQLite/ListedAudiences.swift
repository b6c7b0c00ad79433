internal import Push
internal import Synchronization

/// The ids of audiences that lists of tokens or users select, kept from one page to the next.
///
/// A list is looked up once for a pass over its audience and not once for each page. An entry serves only the page
/// that goes on where the last one ended, so each pass begins with the store as it is.
final class ListedAudiences: Sendable {
    private struct Entry {
        var tokens: [String]?
        var users: [String]?
        var after: RegistrationID
        var ids: [Int64]
    }

    private let entries = Mutex<[Entry]>([])

    /// Passes that stopped half-way leave an entry; the oldest go.
    private static let limit = 4

    /// The ids of a pass that has come to this registration.
    func take(_ filter: PushFilter, _ after: RegistrationID) -> [Int64]? {
        entries.withLock { entries in
            let index = entries.firstIndex { entry in
                entry.after == after && Self.isSame(entry.tokens, filter.tokens)
                    && Self.isSame(entry.users, filter.users)
            }
            return index.map { entries.remove(at: $0).ids }
        }
    }

    func keep(_ ids: [Int64], _ filter: PushFilter, _ after: RegistrationID) {
        entries.withLock { entries in
            if entries.count == Self.limit { entries.removeFirst() }
            entries.append(Entry(tokens: filter.tokens, users: filter.users, after: after, ids: ids))
        }
    }

    private static func isSame(_ left: [String]?, _ right: [String]?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.count == right.count && zip(left, right).allSatisfy { ExactText($0) == ExactText($1) }
    }
}
