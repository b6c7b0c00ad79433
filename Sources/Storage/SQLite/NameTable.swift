/// The numbers that stand for tag or topic names, and the rows that say who has them.
final class NameTable {
    /// Which of the two name tables.
    enum Kind: Sendable, Hashable {
        case tags
        case topics

        var namesTable: String { self == .tags ? "tags" : "topics" }
        var membersTable: String { self == .tags ? "registration_tags" : "registration_topics" }
        /// The column of `membersTable` that holds the number of the name.
        var column: String { self == .tags ? "tag" : "topic" }
    }

    /// A change of one membership, to be written later with others.
    struct MembershipChange {
        var name: Int64
        var registration: Int64
        var route: Int64
        var isMember: Bool
    }

    let kind: Kind
    private let connection: Connection
    private var numbers: [ExactText: Int64] = [:]
    private var pending: [MembershipChange] = []

    /// Names seen by this connection are remembered, up to this many.
    private static let rememberedLimit = 100_000

    init(_ kind: Kind, on connection: Connection) {
        self.kind = kind
        self.connection = connection
    }

    /// Forgets what an undone transaction may have made up.
    func forget() {
        numbers.removeAll()
        pending.removeAll()
    }

    /// The number of a name and about how many registrations have it; `nil` when nobody ever had it.
    func find(_ name: String) throws(StorageError) -> (number: Int64, registrations: Int64)? {
        let statement = try connection.prepare("SELECT id, registrations FROM \(kind.namesTable) WHERE name = ?")
        try statement.bind(1, name)
        guard try statement.step() else { return nil }
        let found = (number: statement.int(0), registrations: statement.int(1))
        statement.reset()
        return found
    }

    /// The number of a name, which is made when it is new.
    func number(of name: String) throws(StorageError) -> Int64 {
        let key = ExactText(name)
        if let number = numbers[key] { return number }
        let number = if let known = try find(name) { known.number } else { try insert(name) }
        if numbers.count >= Self.rememberedLimit { numbers.removeAll(keepingCapacity: true) }
        numbers[key] = number
        return number
    }

    private func insert(_ name: String) throws(StorageError) -> Int64 {
        let statement = try connection.prepare("INSERT INTO \(kind.namesTable) (name) VALUES (?)")
        try statement.bind(1, name)
        try statement.run()
        return connection.lastInsertedID
    }

    /// Notes that a registration's names went from `old` to `new`, each without duplicates.
    func change(
        of registration: Int64, route: Int64, from old: [String], to new: [String]
    ) throws(StorageError) {
        if old.isEmpty {
            for name in new { try note(name, registration, route, isMember: true) }
            return
        }
        let before = Set(old.map(ExactText.init))
        let after = Set(new.map(ExactText.init))
        for name in old where !after.contains(ExactText(name)) {
            try note(name, registration, route, isMember: false)
        }
        for name in new where !before.contains(ExactText(name)) {
            try note(name, registration, route, isMember: true)
        }
    }

    private func note(_ name: String, _ registration: Int64, _ route: Int64, isMember: Bool) throws(StorageError) {
        let number = try number(of: name)
        pending.append(
            MembershipChange(name: number, registration: registration, route: route, isMember: isMember))
    }

    /// Writes the noted changes in the order of the table, which is what makes many of them cheap.
    func flush() throws(StorageError) {
        guard !pending.isEmpty else { return }
        // The last of several changes of one membership decides, so equal keys keep their order.
        let ordered = pending.enumerated().sorted { left, right in
            (left.element.name, left.element.registration, left.offset)
                < (right.element.name, right.element.registration, right.offset)
        }
        pending.removeAll(keepingCapacity: true)
        let insert = try connection.prepare("INSERT OR REPLACE INTO \(kind.membersTable) VALUES (?, ?, ?)")
        let delete = try connection.prepare(
            "DELETE FROM \(kind.membersTable) WHERE \(kind.column) = ? AND registration = ?")
        var name: Int64?
        var difference: Int64 = 0
        for (_, change) in ordered {
            if change.name != name {
                if let name { try add(difference, to: name) }
                name = change.name
                difference = 0
            }
            difference += change.isMember ? 1 : -1
            let statement = change.isMember ? insert : delete
            try statement.bind(1, change.name)
            try statement.bind(2, change.registration)
            if change.isMember { try statement.bind(3, change.route) }
            try statement.run()
        }
        if let name { try add(difference, to: name) }
    }

    private func add(_ difference: Int64, to name: Int64) throws(StorageError) {
        guard difference != 0 else { return }
        let statement = try connection.prepare(
            "UPDATE \(kind.namesTable) SET registrations = registrations + ? WHERE id = ?")
        try statement.bind(1, difference)
        try statement.bind(2, name)
        try statement.run()
    }
}
