import Push
import PushTestSupport
import Synchronization
import Testing

@testable import Storage

extension Store {
    /// Imports registrations in batches of a size.
    func importAll(_ registrations: [Registration], batch: Int) async throws -> SaveCounts {
        let left = Mutex(registrations[...])
        return try await importRegistrations {
            left.withLock { left in
                guard !left.isEmpty else { return nil }
                defer { left = left.dropFirst(batch) }
                return Array(left.prefix(batch))
            }
        }
    }
}

extension StoreCase {
    /// Twelve devices, of which some come again: with the same token, with a new one, or with another's.
    private static let repeating: [Registration] = [
        .test("a", device: "1", tags: ["x"], topics: ["news"]), .test("b", device: "2"), .test("c", user: "ann"),
        .test("d", app: "driver", device: "1"), .test("a", device: "1", tags: ["y"]), .test("e", device: "2"),
        .test("b", device: "3", topics: ["sports"]), .test("c", device: "4", user: "bob"),
        .test("f", tags: ["x", "x"]),
        .test("f"), .test("e", device: "5"), .test("g", kind: .liveActivityStart, device: "1"),
    ]

    static let imports: [StoreCase] = [
        StoreCase("an import into an empty store ends as saving one after another does") { store in
            let saved = try await SQLiteStore.inMemory()
            for registration in repeating { try await saved.save([registration]) }
            let counts = try await store.importAll(repeating, batch: 5)
            let expected = try await saved.registrations(after: .unsaved, limit: 100)
            let imported = try await store.registrations(after: .unsaved, limit: 100)
            func contents(_ registrations: [Registration]) -> Set<Registration> {
                Set(
                    registrations.map { registration in
                        var registration = registration
                        registration.id = .unsaved
                        registration.topics.sort()
                        return registration
                    })
            }
            #expect(contents(imported) == contents(expected))
            #expect(counts == SaveCounts(new: expected.count, renewed: repeating.count - expected.count))
            for tag in ["x", "y"] {
                let filter = PushFilter(tags: [tag])
                let expected = try await saved.count(of: filter)
                #expect(try await store.count(of: filter) == expected, "tag \(tag)")
            }
            #expect(try await store.count(of: .everyone) == expected.count { $0.tokenKind == .device })
        },
        StoreCase("an import into a store with registrations renews them") { store in
            try await store.save(repeating)
            let before = try await store.registrations(after: .unsaved, limit: 100)
            let counts = try await store.importAll(before + [.test("new")], batch: 2)
            #expect(counts == SaveCounts(new: 1, renewed: before.count))
            let after = try await store.registrations(after: .unsaved, limit: 100)
            #expect(after.map(\.id) == before.map(\.id) + [after.last?.id].compactMap { $0 })
        },
        StoreCase("an import of nothing changes nothing") { store in
            let counts = try await store.importAll([], batch: 1)
            #expect(counts == SaveCounts())
        },
        StoreCase("an import whose source fails leaves an empty store empty and usable") { store in
            let left = Mutex(2)
            await #expect(throws: BrokenRule.self) {
                _ = try await store.importRegistrations {
                    try left.withLock { left in
                        guard left > 0 else { throw BrokenRule(description: "line 3 is not JSON") }
                        left -= 1
                        return [.test("t\(left)", tags: ["x"])]
                    }
                }
            }
            #expect(try await store.registrations(after: .unsaved, limit: 5) == [])
            try await store.save([.test("t1", tags: ["x"]), .test("t1")])
            #expect(try await store.count(of: .everyone) == 1)
            #expect(try await store.count(of: PushFilter(tags: ["x"])) == 0)
        },
        StoreCase("others save while an import goes on, and both are kept") { store in
            try await store.save([.test("first")])
            try await withThrowingTaskGroup { group in
                group.addTask {
                    _ = try await store.importAll((0..<200).map { .test("import \($0)", tags: ["x"]) }, batch: 7)
                }
                for number in 0..<20 {
                    group.addTask { try await store.save([.test("other \(number)", tags: ["y"])]) }
                }
                try await group.waitForAll()
            }
            #expect(try await store.count(of: .everyone) == 221)
            #expect(try await store.count(of: PushFilter(tags: ["x"])) == 200)
            #expect(try await store.count(of: PushFilter(tags: ["y"])) == 20)
        },
    ]
}
