import FoundationEssentials
import Push

extension RegistrationRepositoryCase {
    static let topics: [RegistrationRepositoryCase] = [
        RegistrationRepositoryCase("subscribing twice leaves one subscription") { repository in
            try await repository.save([.test("t")])
            for _ in 1...2 {
                let known = try await repository.subscribe(token: "t", platform: .iOS, appID: nil, to: "news")
                try expect(known, equals: true, "the registration is known")
            }
            try expect(try await repository.all().first?.topics, equals: ["news"], "topics")
        },
        RegistrationRepositoryCase("an unsubscribed device is not in the topic") { repository in
            try await repository.save([.test("t", topics: ["news", "sports"])])
            let known = try await repository.unsubscribe(token: "t", platform: .iOS, appID: nil, from: "news")
            try expect(known, equals: true, "the registration is known")
            try expect(try await repository.count(of: PushFilter(topic: "news")), equals: 0, "subscribers")
            try expect(try await repository.count(of: PushFilter(topic: "sports")), equals: 1, "other subscribers")
        },
        RegistrationRepositoryCase("subscribing an unknown device says so") { repository in
            try await repository.save([.test("t", app: "driver")])
            let subscribed = try await repository.subscribe(token: "t", platform: .iOS, appID: nil, to: "news")
            try expect(subscribed, equals: false, "subscribed")
            let unsubscribed = try await repository.unsubscribe(token: "x", platform: .iOS, appID: nil, from: "news")
            try expect(unsubscribed, equals: false, "unsubscribed")
            try expect(try await repository.all().first?.topics, equals: [], "topics of the other app's device")
        },
        RegistrationRepositoryCase("registering again keeps subscriptions and adds new ones") { repository in
            try await repository.save([.test("t", topics: ["news"])])
            try await repository.save([.test("t")])
            try await repository.save([.test("t", topics: ["sports"])])
            let topics = Set(try await repository.all().first?.topics ?? [])
            try expect(topics, equals: ["news", "sports"], "topics")
        },
    ]

    static let tokenChanges: [RegistrationRepositoryCase] = [
        RegistrationRepositoryCase("a dead token is removed") { repository in
            try await repository.save([.test("t"), .test("u")])
            let id = try await repository.all()[0].id
            let made = try await repository.apply([.remove(id, token: "t", ifNotRenewedSince: .test(1))])
            try expect(made, equals: [true], "made")
            try expect(try await repository.all().map(\.token), equals: ["u"], "tokens")
        },
        RegistrationRepositoryCase("a registration renewed after the proof is kept") { repository in
            try await repository.save([.test("t")])
            let id = try await repository.all()[0].id
            try await repository.save([.test("t", registeredAt: .test(10))])
            let made = try await repository.apply([
                .remove(id, token: "t", ifNotRenewedSince: .test(9)),
                .remove(id, token: "t", ifNotRenewedSince: .test(10)),
                .remove(id, token: "t", ifNotRenewedSince: .test(11)),
            ])
            try expect(made, equals: [false, true, false], "made")
        },
        RegistrationRepositoryCase("a registration with another token by now is kept") { repository in
            try await repository.save([.test("old", device: "d")])
            let id = try await repository.all()[0].id
            try await repository.save([.test("new", device: "d")])
            let made = try await repository.apply([
                .remove(id, token: "old", ifNotRenewedSince: .test(99)), .rotate(id, from: "old", to: "newer"),
            ])
            try expect(made, equals: [false, false], "made")
            try expect(try await repository.all().map(\.token), equals: ["new"], "tokens")
        },
        RegistrationRepositoryCase("a rotated token keeps everything else") { repository in
            try await repository.save([.test("old", user: "u", tags: ["x"], topics: ["news"])])
            let before = try await repository.all()[0]
            let made = try await repository.apply([.rotate(before.id, from: "old", to: "new")])
            try expect(made, equals: [true], "made")
            var expected = before
            expected.token = "new"
            try expect(try await repository.all(), equals: [expected], "registrations")
            try await repository.save([.test("new", user: "v")])
            try expect(try await repository.count(of: .everyone), equals: 1, "registrations after a renewal")
        },
        RegistrationRepositoryCase("a token rotated to one that is registered leaves the fresher row") { repository in
            try await repository.save([
                .test("old", user: "u", topics: ["one"]), .test("new", user: "v", topics: ["two"]),
            ])
            let id = try await repository.all()[0].id
            try expect(try await repository.apply([.rotate(id, from: "old", to: "new")]), equals: [true], "made")
            let rows = try await repository.all()
            try expect(rows.map(\.userID), equals: ["v"], "users")
            try expect(Set(rows.first?.topics ?? []), equals: ["one", "two"], "topics")
        },
        RegistrationRepositoryCase("a change to an unknown registration is not made") { repository in
            let unknown = RegistrationID(rawValue: 4_711)
            let made = try await repository.apply([
                .remove(unknown, token: "t", ifNotRenewedSince: .test(1)), .rotate(unknown, from: "t", to: "u"),
            ])
            try expect(made, equals: [false, false], "made")
        },
    ]
}
