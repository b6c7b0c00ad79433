package import Push

extension SQLiteStore {
    package func save(_ registrations: [Registration]) async throws {
        guard !registrations.isEmpty else { return }
        _ = try await writer.write("save registrations") { session throws(StorageError) in
            try session.save(registrations)
        }
    }

    package func remove(token: String, platform: Platform, appID: String?) async throws -> Bool {
        try await writer.write("remove a registration") { session throws(StorageError) in
            try session.registrations.remove(token: token, platform: platform, appID: appID)
        }
    }

    package func remove(_ filter: PushFilter) async throws -> Int {
        // In pages, so that other writers get their turn and the log stays short.
        var removed = 0
        var last = RegistrationID.unsaved
        while true {
            let page = try await page(of: filter, after: last, limit: 10_000)
            let ids = page.map(\.id)
            guard let end = ids.last else { return removed }
            last = end
            removed += try await writer.write("remove registrations") { session throws(StorageError) in
                try session.registrations.remove(ids)
            }
        }
    }

    package func subscribe(
        token: String, platform: Platform, appID: String?, to topic: String
    ) async throws -> Bool {
        try await writer.write("subscribe to a topic") { session throws(StorageError) in
            try session.registrations.setTopic(
                topic, isSubscribed: true, token: token, platform: platform, appID: appID)
        }
    }

    package func unsubscribe(
        token: String, platform: Platform, appID: String?, from topic: String
    ) async throws -> Bool {
        try await writer.write("unsubscribe from a topic") { session throws(StorageError) in
            try session.registrations.setTopic(
                topic, isSubscribed: false, token: token, platform: platform, appID: appID)
        }
    }

    package func page(of filter: PushFilter, after: RegistrationID, limit: Int) async throws -> [Registration] {
        let listed = listedAudiences
        return try await read("read an audience") { session throws(StorageError) in
            try session.audiences(listed).page(of: filter, after: after, limit: limit)
        }
    }

    package func count(of filter: PushFilter) async throws -> Int {
        let listed = listedAudiences
        return try await read("count an audience") { session throws(StorageError) in
            try session.audiences(listed).count(of: filter)
        }
    }

    package func registrations(after: RegistrationID, limit: Int) async throws -> [Registration] {
        try await read("read registrations") { session throws(StorageError) in
            try session.allRegistrations(after: after, limit: limit)
        }
    }

    package func apply(_ changes: [TokenChange]) async throws -> [Bool] {
        guard !changes.isEmpty else { return [] }
        return try await writer.write("remove and replace tokens") { session throws(StorageError) in
            try session.apply(changes)
        }
    }
}

extension SQLiteSession {
    func save(_ batch: [Registration]) throws(StorageError) -> SaveCounts {
        var counts = SaveCounts()
        for registration in batch {
            if try registrations.save(registration) { counts.new += 1 } else { counts.renewed += 1 }
        }
        return counts
    }

    func apply(_ changes: [TokenChange]) throws(StorageError) -> [Bool] {
        var made: [Bool] = []
        for change in changes { made.append(try registrations.apply(change)) }
        return made
    }

    func allRegistrations(after: RegistrationID, limit: Int) throws(StorageError) -> [Registration] {
        let statement = try connection.prepare(
            "SELECT \(RegistrationRow.columns) FROM registrations AS r WHERE r.id > ? ORDER BY r.id LIMIT ?")
        try statement.bind(1, after.rawValue)
        try statement.bind(2, Int64(max(0, limit)))
        defer { statement.reset() }
        var page: [Registration] = []
        while try statement.step() { page.append(try RegistrationRow.read(statement, routes)) }
        return page
    }
}
