internal import Push
internal import Synchronization

/// The registrations that lists of tokens or users name.
struct ListedAudience: Sendable {
    private let tokens: [String]?
    private let users: [String]?
    private let wantedTokens: Set<ExactText>?
    private let wantedUsers: Set<ExactText>?
    /// In order. Two texts may share a hash, so `contains` decides when a row is read.
    private(set) var ids: [Int64] = []
    private var isNarrowed = false

    init(tokens: [String]?, users: [String]?) {
        self.tokens = tokens
        self.users = users
        wantedTokens = tokens.map { Set($0.lazy.map(ExactText.init)) }
        wantedUsers = users.map { Set($0.lazy.map(ExactText.init)) }
    }

    /// Keeps the ids that were found for every list.
    mutating func narrow(to found: [Int64]) {
        let distinct = Set(found)
        ids = (isNarrowed ? ids.filter(distinct.contains) : Array(distinct)).sorted()
        isNarrowed = true
    }

    func ids(after: RegistrationID) -> ArraySlice<Int64> {
        var low = 0
        var high = ids.count
        while low < high {
            let middle = low + (high - low) / 2
            if ids[middle] <= after.rawValue { low = middle + 1 } else { high = middle }
        }
        return ids[low...]
    }

    /// Whether the lists name the registration of this row.
    func contains(_ row: Statement) -> Bool {
        if let wantedTokens, !wantedTokens.contains(ExactText(RegistrationRow.token(of: row))) { return false }
        guard let wantedUsers else { return true }
        return RegistrationRow.user(of: row).map { wantedUsers.contains(ExactText($0)) } ?? false
    }

    func isOf(_ filter: PushFilter) -> Bool {
        Self.isSame(tokens, filter.tokens) && Self.isSame(users, filter.users)
    }

    private static func isSame(_ left: [String]?, _ right: [String]?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.count == right.count && zip(left, right).allSatisfy { ExactText($0) == ExactText($1) }
    }
}

/// Listed audiences, kept from one page to the next.
///
/// A list is looked up once for a pass over its audience and not once for each page. An entry serves only the page
/// that goes on where the last one ended, so each pass begins with the store as it is.
final class ListedAudiences: Sendable {
    private struct Entry {
        var audience: ListedAudience
        var after: RegistrationID
    }

    private let entries = Mutex<[Entry]>([])

    /// Passes that stopped half-way leave an entry; the oldest go.
    private static let limit = 4

    /// The audience of a pass that has come to this registration.
    func take(_ filter: PushFilter, _ after: RegistrationID) -> ListedAudience? {
        entries.withLock { entries in
            let index = entries.firstIndex { $0.after == after && $0.audience.isOf(filter) }
            return index.map { entries.remove(at: $0).audience }
        }
    }

    func keep(_ audience: ListedAudience, after: RegistrationID) {
        entries.withLock { entries in
            if entries.count == Self.limit { entries.removeFirst() }
            entries.append(Entry(audience: audience, after: after))
        }
    }
}
