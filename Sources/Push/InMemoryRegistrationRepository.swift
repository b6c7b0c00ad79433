/// Registrations in memory, for tests and for programs that keep them elsewhere.
public actor InMemoryRegistrationRepository: RegistrationRepository {
    private var rows: [RegistrationID: Registration] = [:]
    /// All ids ever given, in order; those of removed rows stay until they are half of them.
    private var ids: [RegistrationID] = []
    private var byToken: [TokenKey: RegistrationID] = [:]
    private var byDevice: [DeviceKey: RegistrationID] = [:]
    private var lastID = RegistrationID.unsaved

    private struct TokenKey: Hashable {
        var token: String
        var platform: Platform
        var tokenKind: TokenKind
        var appID: String?

        init(_ registration: Registration, token: String? = nil) {
            self.token = token ?? registration.token
            platform = registration.platform
            tokenKind = registration.tokenKind
            appID = registration.appID
        }

        init(token: String, platform: Platform, tokenKind: TokenKind, appID: String?) {
            self.token = token
            self.platform = platform
            self.tokenKind = tokenKind
            self.appID = appID == "" ? nil : appID
        }
    }

    private struct DeviceKey: Hashable {
        var deviceID: String
        var platform: Platform
        var tokenKind: TokenKind
        var appID: String?

        init?(_ registration: Registration) {
            guard let deviceID = registration.deviceID, !deviceID.isEmpty else { return nil }
            self.deviceID = deviceID
            platform = registration.platform
            tokenKind = registration.tokenKind
            appID = registration.appID
        }
    }

    public init() {}

    public func save(_ registrations: [Registration]) {
        for registration in registrations { save(registration) }
    }

    private func save(_ new: Registration) {
        var new = new
        let holder = byToken[TokenKey(new)].flatMap { rows[$0] }
        let known = DeviceKey(new).flatMap { byDevice[$0] }.flatMap { rows[$0] }
        if let known, let holder, holder.id != known.id {
            new.topics = merged(new.topics, known.topics + holder.topics)
            delete(holder)
        } else if let existing = known ?? holder {
            new.topics = merged(new.topics, existing.topics)
        }
        if let existing = known ?? holder {
            new.id = existing.id
            if DeviceKey(new) == nil { new.deviceID = existing.deviceID }
            unindex(existing)
        } else {
            lastID = RegistrationID(rawValue: lastID.rawValue + 1)
            new.id = lastID
            ids.append(lastID)
        }
        rows[new.id] = new
        index(new)
    }

    public func remove(token: String, platform: Platform, appID: String?) -> Bool {
        let rows = rows(token: token, platform: platform, appID: appID)
        for row in rows { delete(row) }
        return !rows.isEmpty
    }

    public func subscribe(token: String, platform: Platform, appID: String?, to topic: String) -> Bool {
        let rows = rows(token: token, platform: platform, appID: appID)
        for row in rows { self.rows[row.id]?.topics = merged(row.topics, [topic]) }
        return !rows.isEmpty
    }

    public func unsubscribe(token: String, platform: Platform, appID: String?, from topic: String) -> Bool {
        let rows = rows(token: token, platform: platform, appID: appID)
        for row in rows { self.rows[row.id]?.topics.removeAll { $0 == topic } }
        return !rows.isEmpty
    }

    public func page(of filter: PushFilter, after: RegistrationID, limit: Int) -> [Registration] {
        var page: [Registration] = []
        var position = firstPosition(after: after)
        while position < ids.count, page.count < limit {
            if let row = rows[ids[position]], filter.matches(row) { page.append(row) }
            position += 1
        }
        return page
    }

    public func count(of filter: PushFilter) -> Int {
        rows.values.count { filter.matches($0) }
    }

    public func apply(_ changes: [TokenChange]) -> [Bool] {
        changes.map { change in
            switch change {
            case .remove(let id, let token, let proof):
                guard let row = rows[id], row.token == token, row.registeredAt <= proof else { return false }
                delete(row)
                return true
            case .rotate(let id, let old, let new):
                guard let row = rows[id], row.token == old else { return false }
                rotate(row, to: new)
                return true
            }
        }
    }

    private func rotate(_ row: Registration, to token: String) {
        if let holder = byToken[TokenKey(row, token: token)].flatMap({ rows[$0] }), holder.id != row.id {
            delete(row)
            rows[holder.id]?.topics = merged(holder.topics, row.topics)
            return
        }
        unindex(row)
        var rotated = row
        rotated.token = token
        rows[row.id] = rotated
        index(rotated)
    }

    private func rows(token: String, platform: Platform, appID: String?) -> [Registration] {
        TokenKind.allCases.compactMap { kind in
            byToken[TokenKey(token: token, platform: platform, tokenKind: kind, appID: appID)].flatMap { rows[$0] }
        }
    }

    private func merged(_ topics: [String], _ others: [String]) -> [String] {
        var seen: Set<String> = []
        return (topics + others).filter { seen.insert($0).inserted }
    }

    private func firstPosition(after id: RegistrationID) -> Int {
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] <= id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func index(_ row: Registration) {
        byToken[TokenKey(row)] = row.id
        if let key = DeviceKey(row) { byDevice[key] = row.id }
    }

    private func unindex(_ row: Registration) {
        byToken[TokenKey(row)] = nil
        if let key = DeviceKey(row) { byDevice[key] = nil }
    }

    private func delete(_ row: Registration) {
        unindex(row)
        rows[row.id] = nil
        if ids.count > 2 * rows.count + 16 { ids.removeAll { rows[$0] == nil } }
    }
}
