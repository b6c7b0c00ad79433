internal import Push

/// Where a push goes: the part of a registration that chooses its provider, and the scope of its identity.
struct Route: Hashable {
    var appID: String
    var platform: Platform
    var tokenKind: TokenKind

    init(appID: String?, platform: Platform, tokenKind: TokenKind) {
        self.appID = appID ?? ""
        self.platform = platform
        self.tokenKind = tokenKind
    }

    init(of registration: Registration) {
        self.init(
            appID: registration.appID, platform: registration.platform, tokenKind: registration.tokenKind)
    }

    static func == (left: Route, right: Route) -> Bool {
        left.platform == right.platform && left.tokenKind == right.tokenKind
            && ExactText(left.appID) == ExactText(right.appID)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(platform)
        hasher.combine(tokenKind)
        hasher.combine(ExactText(appID))
    }
}

/// The routes of a store and their numbers. Routes are only ever added, so what was read stays true.
final class RouteTable {
    private let connection: Connection
    private var numbers: [Route: Int64] = [:]
    private var routes: [Int64: Route] = [:]
    private var newest: Int64 = 0
    private var differences: [Int64: Int64] = [:]

    init(on connection: Connection) { self.connection = connection }

    /// Forgets what an undone transaction may have made up.
    func forget() {
        numbers.removeAll()
        routes.removeAll()
        differences.removeAll()
        newest = 0
    }

    /// Reads the routes that were added since the last time, by this process or another.
    func refresh() throws(StorageError) {
        let statement = try connection.prepare(
            "SELECT id, app_id, platform, token_kind FROM routes WHERE id > ? ORDER BY id")
        try statement.bind(1, newest)
        while try statement.step() {
            newest = statement.int(0)
            guard let platform = Platform(rawValue: statement.text(2)),
                let tokenKind = TokenKind(rawValue: statement.text(3))
            else {
                let name = "\(statement.text(2))/\(statement.text(3))"
                statement.reset()
                throw StorageError(
                    .corrupt, action: "read the routes", location: connection.path, detail: "unknown route \(name)")
            }
            let route = Route(appID: statement.text(1), platform: platform, tokenKind: tokenKind)
            numbers[route] = newest
            routes[newest] = route
        }
    }

    var count: Int { routes.count }

    func all(where isWanted: (Route) -> Bool) -> [Int64] {
        routes.filter { isWanted($0.value) }.map(\.key).sorted()
    }

    /// The number of a route, which is made when it is new.
    func number(of route: Route) throws(StorageError) -> Int64 {
        if let number = try find(route) { return number }
        let statement = try connection.prepare("INSERT INTO routes (app_id, platform, token_kind) VALUES (?, ?, ?)")
        try statement.bind(1, route.appID)
        try statement.bind(2, route.platform.rawValue)
        try statement.bind(3, route.tokenKind.rawValue)
        try statement.run()
        let number = connection.lastInsertedID
        numbers[route] = number
        routes[number] = route
        newest = max(newest, number)
        return number
    }

    func find(_ route: Route) throws(StorageError) -> Int64? {
        if let number = numbers[route] { return number }
        try refresh()
        return numbers[route]
    }

    func route(_ number: Int64) throws(StorageError) -> Route {
        if let route = routes[number] { return route }
        try refresh()
        guard let route = routes[number] else {
            throw StorageError(
                .corrupt, action: "read a registration", location: connection.path, detail: "no route \(number)")
        }
        return route
    }

    /// Registrations that go by any of these routes.
    func registrations(by numbers: [Int64]) throws(StorageError) -> Int64 {
        let list = numbers.map(String.init).joined(separator: ",")
        return try connection.firstInt("SELECT coalesce(sum(registrations), 0) FROM routes WHERE id IN (\(list))") ?? 0
    }

    /// All registrations of the store.
    func registrations() throws(StorageError) -> Int64 {
        try connection.firstInt("SELECT coalesce(sum(registrations), 0) FROM routes") ?? 0
    }

    /// Notes that a route gained (or lost) a registration.
    func add(_ difference: Int64, to number: Int64) {
        differences[number, default: 0] += difference
    }

    func flush() throws(StorageError) {
        let statement = try connection.prepare("UPDATE routes SET registrations = registrations + ? WHERE id = ?")
        for (number, difference) in differences where difference != 0 {
            try statement.bind(1, difference)
            try statement.bind(2, number)
            try statement.run()
        }
        differences.removeAll(keepingCapacity: true)
    }
}
