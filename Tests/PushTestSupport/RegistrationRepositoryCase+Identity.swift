import FoundationEssentials
import Push

extension RegistrationRepositoryCase {
    static let identity: [RegistrationRepositoryCase] = [
        RegistrationRepositoryCase("a registration keeps every field") { repository in
            var saved = Registration(
                token: "t", platform: .android, tokenKind: .device, appID: "consumer", environment: .sandbox,
                deviceID: "d", userID: "u", tags: ["b", "a"], topics: ["news"], locale: "de-AT",
                timeZone: "Europe/Vienna", appVersion: "1.2", data: ["k": ["x", 1, true, 2.5, .null, ["n": "ü"]]],
                registeredAt: .test(0.25))
            try await repository.save([saved])
            guard var read = try await repository.all().first else {
                throw ConformanceViolation(description: "the registration is missing")
            }
            guard read.id > .unsaved else { throw ConformanceViolation(description: "it has no id") }
            saved.id = read.id
            try expect(Set(read.tags), equals: Set(saved.tags), "tags")
            read.tags = saved.tags
            try expect(read, equals: saved, "the registration")
        },
        RegistrationRepositoryCase("an empty app id is the default app") { repository in
            try await repository.save([.test("t", app: "")])
            try expect(try await repository.all().map(\.appID), equals: [nil], "app ids")
            try expect(try await repository.remove(token: "t", platform: .iOS, appID: ""), equals: true, "removed")
        },
        RegistrationRepositoryCase("the same token again renews the registration and keeps its id") { repository in
            try await repository.save([.test("t", user: "old", tags: ["x"])])
            let id = try await repository.all().first?.id
            try await repository.save([.test("t", user: "new", tags: ["y"], registeredAt: .test(5))])
            let rows = try await repository.all()
            try expect(rows.map(\.id), equals: [id].compactMap { $0 }, "ids")
            try expect(rows.first?.userID, equals: "new", "user")
            try expect(rows.first?.tags, equals: ["y"], "tags")
            try expect(rows.first?.registeredAt, equals: .test(5), "time of registration")
            try expect(try await repository.count(of: PushFilter(tags: ["x"])), equals: 0, "holders of the old tag")
        },
        RegistrationRepositoryCase("renewing clears what the client no longer sends") { repository in
            try await repository.save([.test("t", user: "u", tags: ["x"], locale: "de")])
            try await repository.save([.test("t")])
            let row = try await repository.all().first
            try expect(row?.userID, equals: nil, "user")
            try expect(row?.tags, equals: [], "tags")
            try expect(row?.locale, equals: nil, "locale")
        },
        RegistrationRepositoryCase("a new token for a known device id replaces the old token") { repository in
            try await repository.save([.test("old", device: "d")])
            let id = try await repository.all().first?.id
            try await repository.save([.test("new", device: "d")])
            let rows = try await repository.all()
            try expect(rows.map(\.token), equals: ["new"], "tokens")
            try expect(rows.first?.id, equals: id, "id")
        },
        RegistrationRepositoryCase("a device that first had no device id keeps one registration") { repository in
            try await repository.save([.test("t", topics: ["news"])])
            let id = try await repository.all().first?.id
            try await repository.save([.test("t", device: "d")])
            let rows = try await repository.all()
            try expect(rows.map(\.deviceID), equals: ["d"], "device ids")
            try expect(rows.first?.id, equals: id, "id")
            try expect(rows.first?.topics, equals: ["news"], "topics")
        },
        RegistrationRepositoryCase("a renewal without device id keeps the known one") { repository in
            try await repository.save([.test("t", device: "d")])
            try await repository.save([.test("t")])
            try await repository.save([.test("u", device: "d")])
            try expect(try await repository.all().map(\.token), equals: ["u"], "tokens")
        },
        RegistrationRepositoryCase("a device that gets a token of another row takes that row over") { repository in
            try await repository.save([.test("a", device: "d", topics: ["one"]), .test("b", topics: ["two"])])
            let id = try await repository.all().first?.id
            try await repository.save([.test("b", device: "d")])
            let rows = try await repository.all()
            try expect(rows.map(\.token), equals: ["b"], "tokens")
            try expect(rows.first?.id, equals: id, "id")
            try expect(Set(rows.first?.topics ?? []), equals: ["one", "two"], "topics")
        },
        RegistrationRepositoryCase("app, platform and token kind are part of the identity") { repository in
            try await repository.save([
                .test("t", device: "d"), .test("t", app: "driver", device: "d"),
                .test("t", platform: .macOS, device: "d"), .test("t", kind: .liveActivityUpdate, device: "d"),
            ])
            try expect(try await repository.count(of: .everyone), equals: 3, "ordinary registrations")
            let activities = PushFilter(tokenKind: .liveActivityUpdate)
            try expect(try await repository.count(of: activities), equals: 1, "activity tokens")
        },
        RegistrationRepositoryCase("removing takes the named registration and no other") { repository in
            try await repository.save([.test("t"), .test("t", app: "driver"), .test("t", platform: .android)])
            try expect(try await repository.remove(token: "t", platform: .iOS, appID: nil), equals: true, "removed")
            try expect(try await repository.remove(token: "t", platform: .iOS, appID: nil), equals: false, "again")
            let left = try await repository.all().map { "\($0.platform.rawValue) \($0.appID ?? "-")" }
            try expect(left, equals: ["iOS driver", "Android -"], "what is left")
        },
        RegistrationRepositoryCase("ids are never given twice") { repository in
            try await repository.save([.test("a"), .test("b")])
            let last = try await repository.all().last?.id
            _ = try await repository.remove(token: "b", platform: .iOS, appID: nil)
            try await repository.save([.test("c")])
            guard let last, let new = try await repository.all().last?.id, new > last else {
                throw ConformanceViolation(description: "the id of a removed registration was given again")
            }
        },
    ]
}
