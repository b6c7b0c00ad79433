internal import FoundationEssentials
internal import JSON
internal import Push

/// Saves, renews and removes registrations, with their memberships and counts. Every call is made inside a write
/// transaction, which ends with `flush`.
final class RegistrationWriter {
    private let connection: Connection
    private let routes: RouteTable
    private let tags: NameTable
    private let topics: NameTable
    private let hash: LookupHash
    private var writer = JSONWriter()
    /// The last id that was given in this transaction, `nil` before the first.
    private var lastID: Int64?
    /// The statement of every new registration, at hand without a look into the cache.
    private var insertion: Statement?

    init(
        _ connection: Connection, _ routes: RouteTable, tags: NameTable, topics: NameTable, hash: LookupHash
    ) {
        self.connection = connection
        self.routes = routes
        self.tags = tags
        self.topics = topics
        self.hash = hash
    }

    /// Writes what was noted beside the rows themselves.
    func flush() throws(StorageError) {
        if let lastID {
            try connection.execute("UPDATE registration_sequence SET last = \(lastID)")
            self.lastID = nil
        }
        try tags.flush()
        try topics.flush()
        try routes.flush()
    }

    /// Forgets what an undone transaction may have made up.
    func forget() { lastID = nil }

    // MARK: - Saving

    /// Saves one registration; true when the store did not know it.
    func save(_ registration: Registration) throws(StorageError) -> Bool {
        let registration = Self.normalized(registration)
        let route = try routes.number(of: Route(of: registration))
        let hashes = Hashes(registration, hash)
        let tokenHolder = try known(token: registration.token, hashes.token, route)
        var deviceRow: KnownRow?
        if let deviceID = registration.deviceID, let deviceHash = hashes.device {
            deviceRow = try known(deviceID: deviceID, deviceHash, route)
        }
        if let deviceRow {
            try renew(deviceRow, with: registration, hashes, tokenHolder: tokenHolder)
        } else if let tokenHolder {
            try update(tokenHolder, with: registration, hashes)
        } else {
            try insert(registration, route, hashes)
            return true
        }
        return false
    }

    /// Adds a row without looking whether the registration is known, for an import that does so afterwards.
    func insertUnchecked(_ registration: Registration) throws(StorageError) {
        let registration = Self.normalized(registration)
        let route = try routes.number(of: Route(of: registration))
        try insert(registration, route, Hashes(registration, hash))
    }

    private static func normalized(_ registration: Registration) -> Registration {
        var registration = registration
        if registration.deviceID == "" { registration.deviceID = nil }
        registration.tags = registration.tags.withoutDuplicates()
        registration.topics = registration.topics.withoutDuplicates()
        return registration
    }

    /// The numbers by which a registration is found.
    private struct Hashes {
        var token: Int64
        var device: Int64?
        var user: Int64?

        init(_ registration: Registration, _ hash: LookupHash) {
            token = hash(registration.token)
            device = registration.deviceID.map { hash($0) }
            user = registration.userID.map { hash($0) }
        }
    }

    private func insert(_ registration: Registration, _ route: Int64, _ hashes: Hashes) throws(StorageError) {
        let statement = if let insertion { insertion } else { try connection.prepare(Self.insertSQL) }
        insertion = statement
        let id = try nextID()
        try statement.bind(1, id)
        try statement.bind(2, route)
        try bindIdentity(registration, hashes, to: statement, from: 3)
        try bindProfile(registration, to: statement, from: 10)
        try statement.run()
        try tags.change(of: id, route: route, from: [], to: registration.tags)
        try topics.change(of: id, route: route, from: [], to: registration.topics)
        routes.add(1, to: route)
    }

    private static let insertSQL = """
        INSERT INTO registrations (id, route, sandbox, token_hash, device_hash, user_hash, token, device_id, user_id, \
        locale, locale_key, time_zone, app_version, tags, topics, data, registered_at) \
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    private func nextID() throws(StorageError) -> Int64 {
        let last =
            if let lastID { lastID } else { try connection.firstInt("SELECT last FROM registration_sequence") ?? 0 }
        lastID = last + 1
        return last + 1
    }

    /// The columns from sandbox to user_id, which indexes cover.
    private func bindIdentity(
        _ registration: Registration, _ hashes: Hashes, to statement: Statement, from first: Int32
    ) throws(StorageError) {
        try statement.bind(first, registration.environment == .sandbox ? 1 : 0)
        try statement.bind(first + 1, hashes.token)
        try statement.bind(first + 2, hashes.device)
        try statement.bind(first + 3, hashes.user)
        try statement.bind(first + 4, registration.token)
        try statement.bind(first + 5, registration.deviceID)
        try statement.bind(first + 6, registration.userID)
    }

    /// The columns from locale to registered_at, which no index covers.
    private func bindProfile(
        _ registration: Registration, to statement: Statement, from first: Int32
    ) throws(StorageError) {
        try statement.bind(first, registration.locale)
        try statement.bind(first + 1, registration.locale.map(RegistrationRow.localeKey))
        try statement.bind(first + 2, registration.timeZone)
        try statement.bind(first + 3, registration.appVersion)
        try bind(StoredNames.encode(registration.tags, into: &writer), to: statement, first + 4)
        try bind(StoredNames.encode(registration.topics, into: &writer), to: statement, first + 5)
        try bind(StoredData.encode(registration.data, into: &writer), to: statement, first + 6)
        try statement.bind(first + 7, registration.registeredAt.storedMilliseconds)
    }

    private func bind(_ json: [UInt8]?, to statement: Statement, _ index: Int32) throws(StorageError) {
        if let json { try statement.bind(index, utf8: json) } else { try statement.bindNull(index) }
    }

    // MARK: - Renewing

    /// What of a known row decides how it is renewed or removed.
    private struct KnownRow {
        var id: Int64
        var route: Int64
        var token: String
        var deviceID: String?
        var userID: String?
        var isSandbox: Bool
        var tags: [String]
        var topics: [String]
        var registeredAt: Int64
    }

    private static let knownColumns = "id, route, token, device_id, user_id, sandbox, tags, topics, registered_at"

    /// Renews the row of a device, whose token another row may hold: a token belongs to one row.
    private func renew(
        _ row: KnownRow, with registration: Registration, _ hashes: Hashes, tokenHolder: KnownRow?
    ) throws(StorageError) {
        var registration = registration
        if let tokenHolder, tokenHolder.id != row.id {
            try remove(tokenHolder)
            registration.topics += tokenHolder.topics
        }
        try update(row, with: registration, hashes)
    }

    private func update(
        _ row: KnownRow, with registration: Registration, _ hashes: Hashes
    ) throws(StorageError) {
        var registration = registration
        var hashes = hashes
        if registration.deviceID == nil {
            // A client that does not send its device id is still the device that the token belongs to.
            registration.deviceID = row.deviceID
            hashes.device = row.deviceID.map { hash($0) }
        }
        registration.topics = (row.topics + registration.topics).withoutDuplicates()
        try tags.change(of: row.id, route: row.route, from: row.tags, to: registration.tags)
        try topics.change(of: row.id, route: row.route, from: row.topics, to: registration.topics)
        try updateIdentity(row, with: registration, hashes)
        let statement = try connection.prepare(
            """
            UPDATE registrations SET locale = ?2, locale_key = ?3, time_zone = ?4, app_version = ?5, tags = ?6, \
            topics = ?7, data = ?8, registered_at = ?9 WHERE id = ?1
            """)
        try statement.bind(1, row.id)
        try bindProfile(registration, to: statement, from: 2)
        try statement.run()
    }

    /// The columns that indexes cover are written only when they differ, which spares most renewals the index pages.
    private func updateIdentity(
        _ row: KnownRow, with registration: Registration, _ hashes: Hashes
    ) throws(StorageError) {
        let isSame =
            ExactText(row.token) == ExactText(registration.token)
            && row.deviceID.map(ExactText.init) == registration.deviceID.map(ExactText.init)
            && row.userID.map(ExactText.init) == registration.userID.map(ExactText.init)
            && row.isSandbox == (registration.environment == .sandbox)
        if isSame { return }
        let statement = try connection.prepare(
            """
            UPDATE registrations SET sandbox = ?2, token_hash = ?3, device_hash = ?4, user_hash = ?5, token = ?6, \
            device_id = ?7, user_id = ?8 WHERE id = ?1
            """)
        try statement.bind(1, row.id)
        try bindIdentity(registration, hashes, to: statement, from: 2)
        try statement.run()
    }

    // MARK: - Finding

    private func known(token: String, _ tokenHash: Int64, _ route: Int64) throws(StorageError) -> KnownRow? {
        let statement = try connection.prepare(
            """
            SELECT \(Self.knownColumns) FROM registrations INDEXED BY registrations_by_token \
            WHERE token_hash = ? AND route = ? AND token = ?
            """)
        try statement.bind(1, tokenHash)
        try statement.bind(2, route)
        try statement.bind(3, token)
        return try known(statement)
    }

    private func known(deviceID: String, _ deviceHash: Int64, _ route: Int64) throws(StorageError) -> KnownRow? {
        let statement = try connection.prepare(
            """
            SELECT \(Self.knownColumns) FROM registrations INDEXED BY registrations_by_device \
            WHERE device_hash = ? AND route = ? AND device_id = ?
            """)
        try statement.bind(1, deviceHash)
        try statement.bind(2, route)
        try statement.bind(3, deviceID)
        return try known(statement)
    }

    private func known(id: RegistrationID) throws(StorageError) -> KnownRow? {
        let statement = try connection.prepare("SELECT \(Self.knownColumns) FROM registrations WHERE id = ?")
        try statement.bind(1, id.rawValue)
        return try known(statement)
    }

    private func known(_ statement: Statement) throws(StorageError) -> KnownRow? {
        guard try statement.step() else { return nil }
        let row = KnownRow(
            id: statement.int(0), route: statement.int(1), token: statement.text(2),
            deviceID: statement.optionalText(3), userID: statement.optionalText(4), isSandbox: statement.int(5) != 0,
            tags: statement.withText(6) { StoredNames.decode($0) },
            topics: statement.withText(7) { StoredNames.decode($0) }, registeredAt: statement.int(8))
        statement.reset()
        return row
    }

    /// The rows with this token in the routes of one app and platform, whatever their token kind.
    private func known(token: String, platform: Platform, appID: String?) throws(StorageError) -> [KnownRow] {
        var rows: [KnownRow] = []
        for tokenKind in TokenKind.allCases {
            let route = Route(appID: appID, platform: platform, tokenKind: tokenKind)
            if let number = try routes.find(route), let row = try known(token: token, hash(token), number) {
                rows.append(row)
            }
        }
        return rows
    }

    // MARK: - Removing and changing

    private func remove(_ row: KnownRow) throws(StorageError) {
        let statement = try connection.prepare("DELETE FROM registrations WHERE id = ?")
        try statement.bind(1, row.id)
        try statement.run()
        try tags.change(of: row.id, route: row.route, from: row.tags, to: [])
        try topics.change(of: row.id, route: row.route, from: row.topics, to: [])
        routes.add(-1, to: row.route)
    }

    /// Removes registrations by their ids; those that are gone already do not count.
    func remove(_ ids: [RegistrationID]) throws(StorageError) -> Int {
        var removed = 0
        for id in ids {
            guard let row = try known(id: id) else { continue }
            try remove(row)
            removed += 1
        }
        return removed
    }

    func remove(token: String, platform: Platform, appID: String?) throws(StorageError) -> Bool {
        let rows = try known(token: token, platform: platform, appID: appID)
        for row in rows { try remove(row) }
        return !rows.isEmpty
    }

    /// Adds a topic to a registration, or takes it away; false when there is no such registration.
    func setTopic(
        _ topic: String, isSubscribed: Bool, token: String, platform: Platform, appID: String?
    ) throws(StorageError) -> Bool {
        let rows = try known(token: token, platform: platform, appID: appID)
        for row in rows {
            let others = row.topics.filter { ExactText($0) != ExactText(topic) }
            let changed = isSubscribed ? (row.topics + [topic]).withoutDuplicates() : others
            try set(row, topics: changed)
        }
        return !rows.isEmpty
    }

    private func set(_ row: KnownRow, topics names: [String]) throws(StorageError) {
        guard names.count != row.topics.count else { return }
        try topics.change(of: row.id, route: row.route, from: row.topics, to: names)
        let statement = try connection.prepare("UPDATE registrations SET topics = ?2 WHERE id = ?1")
        try statement.bind(1, row.id)
        try bind(StoredNames.encode(names, into: &writer), to: statement, 2)
        try statement.run()
    }

    /// Makes a change that an outcome asked for, unless the registration has moved on; true when it was made.
    func apply(_ change: TokenChange) throws(StorageError) -> Bool {
        switch change {
        case .remove(let id, let token, let ifNotRenewedSince):
            guard let row = try known(id: id), ExactText(row.token) == ExactText(token),
                row.registeredAt <= ifNotRenewedSince.storedMilliseconds
            else { return false }
            try remove(row)
            return true
        case .rotate(let id, let old, let new):
            guard let row = try known(id: id), ExactText(row.token) == ExactText(old) else { return false }
            return try rotate(row, to: new)
        }
    }

    private func rotate(_ row: KnownRow, to token: String) throws(StorageError) -> Bool {
        if ExactText(row.token) == ExactText(token) { return true }
        if let holder = try known(token: token, hash(token), row.route), holder.id != row.id {
            // The device registered its new token before the provider told us of it: that row is the fresher one.
            try remove(row)
            try set(holder, topics: (holder.topics + row.topics).withoutDuplicates())
            return true
        }
        let statement = try connection.prepare("UPDATE registrations SET token = ?2, token_hash = ?3 WHERE id = ?1")
        try statement.bind(1, row.id)
        try statement.bind(2, token)
        try statement.bind(3, hash(token))
        try statement.run()
        return true
    }
}
