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
    private var writer = JSONWriter()

    init(_ connection: Connection, _ routes: RouteTable, tags: NameTable, topics: NameTable) {
        self.connection = connection
        self.routes = routes
        self.tags = tags
        self.topics = topics
    }

    /// Writes what was noted beside the rows themselves.
    func flush() throws(StorageError) {
        try tags.flush()
        try topics.flush()
        try routes.flush()
    }

    // MARK: - Saving

    /// Saves one registration; true when the store did not know it.
    func save(_ registration: Registration) throws(StorageError) -> Bool {
        var registration = registration
        if registration.deviceID == "" { registration.deviceID = nil }
        registration.tags = registration.tags.withoutDuplicates()
        registration.topics = registration.topics.withoutDuplicates()
        let route = try routes.number(of: Route(of: registration))
        if try insert(registration, route) { return true }
        try renew(registration, route)
        return false
    }

    /// Tries the new row first, which is one statement for an import of new devices: the unique indexes tell if it is
    /// known.
    private func insert(_ registration: Registration, _ route: Int64) throws(StorageError) -> Bool {
        let statement = try connection.prepare(
            """
            INSERT INTO registrations (route, token, sandbox, device_id, user_id, locale, locale_key, time_zone, \
            app_version, tags, topics, data, registered_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
            ON CONFLICT DO NOTHING
            """)
        try statement.bind(1, route)
        try statement.bind(2, registration.token)
        try statement.bind(3, registration.environment == .sandbox ? 1 : 0)
        try statement.bind(4, registration.deviceID)
        try statement.bind(5, registration.userID)
        try bindProfile(registration, to: statement, from: 6)
        try statement.run()
        guard connection.changes == 1 else { return false }
        let id = connection.lastInsertedID
        try tags.change(of: id, route: route, from: [], to: registration.tags)
        try topics.change(of: id, route: route, from: [], to: registration.topics)
        routes.add(1, to: route)
        return true
    }

    /// The columns from locale to registered_at, which no unique index covers.
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

    private func renew(_ registration: Registration, _ route: Int64) throws(StorageError) {
        var registration = registration
        let tokenHolder = try known(token: registration.token, route)
        var row = tokenHolder
        if let deviceID = registration.deviceID, let deviceRow = try known(deviceID: deviceID, route) {
            // The device has a new token that another row holds: a token belongs to one row.
            if let tokenHolder, tokenHolder.id != deviceRow.id {
                try remove(tokenHolder)
                registration.topics += tokenHolder.topics
            }
            row = deviceRow
        }
        guard let row else {
            throw StorageError(
                .corrupt, action: "save registrations", location: connection.path,
                detail: "an index of the registrations disagrees with their rows")
        }
        try update(row, with: registration)
    }

    private func update(_ row: KnownRow, with registration: Registration) throws(StorageError) {
        var registration = registration
        // A client that does not send its device id is still the device that the token belongs to.
        registration.deviceID = registration.deviceID ?? row.deviceID
        registration.topics = (row.topics + registration.topics).withoutDuplicates()
        try tags.change(of: row.id, route: row.route, from: row.tags, to: registration.tags)
        try topics.change(of: row.id, route: row.route, from: row.topics, to: registration.topics)
        try updateIdentity(row, with: registration)
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
    private func updateIdentity(_ row: KnownRow, with registration: Registration) throws(StorageError) {
        let isSame =
            ExactText(row.token) == ExactText(registration.token)
            && row.deviceID.map(ExactText.init) == registration.deviceID.map(ExactText.init)
            && row.userID.map(ExactText.init) == registration.userID.map(ExactText.init)
            && row.isSandbox == (registration.environment == .sandbox)
        if isSame { return }
        let statement = try connection.prepare(
            "UPDATE registrations SET token = ?2, device_id = ?3, user_id = ?4, sandbox = ?5 WHERE id = ?1")
        try statement.bind(1, row.id)
        try statement.bind(2, registration.token)
        try statement.bind(3, registration.deviceID)
        try statement.bind(4, registration.userID)
        try statement.bind(5, registration.environment == .sandbox ? 1 : 0)
        try statement.run()
    }

    // MARK: - Finding

    private func known(token: String, _ route: Int64) throws(StorageError) -> KnownRow? {
        let statement = try connection.prepare(
            "SELECT \(Self.knownColumns) FROM registrations WHERE token = ? AND route = ?")
        try statement.bind(1, token)
        try statement.bind(2, route)
        return try known(statement)
    }

    private func known(deviceID: String, _ route: Int64) throws(StorageError) -> KnownRow? {
        let statement = try connection.prepare(
            "SELECT \(Self.knownColumns) FROM registrations WHERE device_id = ? AND route = ?")
        try statement.bind(1, deviceID)
        try statement.bind(2, route)
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
            if let number = try routes.find(route), let row = try known(token: token, number) { rows.append(row) }
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
        if let holder = try known(token: token, row.route), holder.id != row.id {
            // The device registered its new token before the provider told us of it: that row is the fresher one.
            try remove(row)
            try set(holder, topics: (holder.topics + row.topics).withoutDuplicates())
            return true
        }
        let statement = try connection.prepare("UPDATE registrations SET token = ?2 WHERE id = ?1")
        try statement.bind(1, row.id)
        try statement.bind(2, token)
        try statement.run()
        return true
    }
}
