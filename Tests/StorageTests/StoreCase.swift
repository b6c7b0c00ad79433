import Foundation
import Push
import PushTestSupport
import Schedules
import Testing

@testable import Storage

/// One rule that every `Store` keeps, beside those of `RegistrationRepositoryCase`. Each runs on a new, empty store.
struct StoreCase: Sendable, CustomStringConvertible {
    let description: String
    let check: @Sendable (any Store) async throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (any Store) async throws -> Void) {
        self.description = description
        self.check = check
    }

    static let all: [StoreCase] = runs + pages + lists + imports
}

/// What a check throws when it cannot go on.
struct BrokenRule: Error, CustomStringConvertible {
    var description: String
}

extension Instant {
    /// A fixed instant plus some hours.
    static func test(_ hours: Int64 = 0) -> Instant { Instant(secondsSinceEpoch: 1_800_000_000 + hours * 3_600) }
}

extension Store {
    func claim(_ campaign: String = "digest", _ hours: Int64 = 0, batch: String = "b") async throws -> RunClaim {
        try await claimRun(campaign: campaign, occurrence: .test(hours), batchID: batch, now: .test())
    }

    /// Opens a run, or fails the test.
    func open(_ campaign: String = "digest", _ hours: Int64 = 0) async throws -> Run {
        guard case .opened(let run) = try await claim(campaign, hours) else {
            throw BrokenRule(description: "the occurrence had a run already")
        }
        return run
    }

    /// Everybody in an audience, in pages of three.
    func everybody(_ filter: PushFilter = .everyone) async throws -> [Registration] {
        var all: [Registration] = []
        while true {
            let page = try await page(of: filter, after: all.last?.id ?? .unsaved, limit: 3)
            all += page
            if page.count < 3 { return all }
        }
    }
}

extension StoreCase {
    static let runs: [StoreCase] = [
        StoreCase("an occurrence has one run: opened, resumed until it is finished, then finished") { store in
            let run = try await store.open()
            #expect(run.state == .sending && run.cursor == .unsaved && run.batchID == "b" && run.finishedAt == nil)
            #expect(run.startedAt == .test())
            #expect(try await store.claim(batch: "another") == .resumed(run))
            let finished = try await store.finish(run.id, state: .partial, reason: "2 failed", now: .test(9))
            #expect(finished.state == .partial && finished.reason == "2 failed" && finished.finishedAt == .test(9))
            #expect(try await store.claim() == .alreadyFinished(finished))
        },
        StoreCase("campaigns and occurrences have their own runs") { store in
            let runs = [
                try await store.open("digest", 0), try await store.open("digest", 1), try await store.open("launch", 0),
            ]
            #expect(Set(runs.map(\.id)).count == 3)
        },
        StoreCase("of many who claim an occurrence at once, one opens it") { store in
            let claims = try await withThrowingTaskGroup(of: RunClaim.self) { group in
                for number in 0..<40 { group.addTask { try await store.claim(batch: "batch \(number)") } }
                return try await group.reduce(into: [RunClaim]()) { $0.append($1) }
            }
            let opened = claims.compactMap { if case .opened(let run) = $0 { run } else { nil } }
            #expect(opened.count == 1)
            #expect(try await store.runs(campaign: nil, limit: 10) == opened)
        },
        StoreCase("runs come the newest occurrence first, of one campaign or all") { store in
            for hours: Int64 in [2, 1, 3] { _ = try await store.open("digest", hours) }
            _ = try await store.open("launch", 9)
            let all = try await store.runs(campaign: nil, limit: 3)
            #expect(all.map(\.occurrence) == [.test(9), .test(3), .test(2)])
            let digests = try await store.runs(campaign: "digest", limit: 10)
            #expect(digests.map(\.occurrence) == [.test(3), .test(2), .test(1)])
            #expect(try await store.runs(campaign: "none", limit: 10) == [])
        },
        StoreCase("unfinished runs come the oldest first") { store in
            let late = try await store.open("digest", 5)
            let early = try await store.open("launch", 4)
            let done = try await store.open("digest", 3)
            _ = try await store.finish(done.id, state: .succeeded, reason: nil, now: .test())
            #expect(try await store.unfinishedRuns() == [early, late])
        },
        StoreCase("a run that does not exist is an error that names it") { store in
            let unknown = RunID(rawValue: 77)
            let page = PageRecord(
                deliveries: [Delivery(registrationID: RegistrationID(rawValue: 1), status: .success)], tokenChanges: [],
                counts: PushCounts(), cursor: RegistrationID(rawValue: 1))
            await #expect(throws: StorageError.self) { try await store.record(page, of: unknown) }
            await #expect(throws: StorageError.self) {
                try await store.finish(unknown, state: .failed, reason: nil, now: .test())
            }
            let deliveries = try await store.deliveries(of: unknown, after: .unsaved, limit: 5)
            #expect(deliveries == [])
        },
        StoreCase("progress is kept for each campaign and replaced") { store in
            let digest = CampaignProgress(campaign: "digest", scheduleFingerprint: "a", consideredUntil: .test(1))
            let launch = CampaignProgress(campaign: "launch", scheduleFingerprint: "b", consideredUntil: .test(2))
            try await store.saveProgress([launch, digest])
            #expect(try await store.progress() == [digest, launch])
            var later = digest
            later.consideredUntil = .test(3)
            later.scheduleFingerprint = "c"
            try await store.saveProgress([later])
            #expect(try await store.progress() == [later, launch])
        },
    ]

    static let pages: [StoreCase] = [
        StoreCase("a page's deliveries, counts and cursor are recorded together") { store in
            let run = try await store.open()
            let delivered = Delivery(
                registrationID: RegistrationID(rawValue: 3), status: .success, provider: "apns",
                providerMessageID: "m-1")
            let failed = Delivery(
                registrationID: RegistrationID(rawValue: 8), status: .tokenExpired, provider: "apns",
                reason: "Unregistered")
            var counts = PushCounts()
            counts.sent = 1
            counts.failed = 1
            let first = PageRecord(
                deliveries: [delivered, failed], tokenChanges: [], counts: counts, cursor: RegistrationID(rawValue: 8))
            let recorded = try await store.record(first, of: run.id)
            #expect(recorded.counts == counts && recorded.cursor == RegistrationID(rawValue: 8))

            let skipped = Delivery(registrationID: RegistrationID(rawValue: 9), status: .skipped)
            var more = PushCounts()
            more.skipped = 1
            more.uncertain = 2
            let second = PageRecord(
                deliveries: [skipped], tokenChanges: [], counts: more, cursor: RegistrationID(rawValue: 11))
            let ended = try await store.record(second, of: run.id)
            #expect(ended.counts.total == 5 && ended.counts.sent == 1 && ended.counts.uncertain == 2)

            let read = try await store.deliveries(of: run.id, after: .unsaved, limit: 2)
            #expect(read == [delivered, failed])
            let rest = try await store.deliveries(of: run.id, after: failed.registrationID, limit: 2)
            #expect(rest == [skipped])
        },
        StoreCase("recording a page twice changes nothing") { store in
            let run = try await store.open()
            var counts = PushCounts()
            counts.sent = 1
            let page = PageRecord(
                deliveries: [Delivery(registrationID: RegistrationID(rawValue: 1), status: .success)], tokenChanges: [],
                counts: counts, cursor: RegistrationID(rawValue: 1))
            let once = try await store.record(page, of: run.id)
            #expect(try await store.record(page, of: run.id) == once)
            #expect(try await store.runs(campaign: nil, limit: 1) == [once])
        },
        StoreCase("a page removes and replaces tokens, and counts what was really removed") { store in
            try await store.save([
                .test("dead"), .test("renewed", registeredAt: .test(60)), .test("moved"), .test("old"),
            ])
            let ids = try await store.everybody().map(\.id)
            let run = try await store.open()
            let changes: [TokenChange] = [
                .remove(ids[0], token: "dead", ifNotRenewedSince: .test(30)),
                .remove(ids[1], token: "renewed", ifNotRenewedSince: .test(30)),
                .remove(ids[2], token: "another", ifNotRenewedSince: .test(30)),
                .rotate(ids[3], from: "old", to: "new"),
            ]
            let page = PageRecord(deliveries: [], tokenChanges: changes, counts: PushCounts(), cursor: ids[3])
            #expect(try await store.record(page, of: run.id).counts.tokensRemoved == 1)
            #expect(try await store.everybody().map(\.token) == ["renewed", "moved", "new"])
        },
        StoreCase("a page that fails half-way leaves nothing") { store in
            try await store.save([.test("dead")])
            let id = try await store.everybody()[0].id
            let page = PageRecord(
                deliveries: [Delivery(registrationID: id, status: .tokenExpired)],
                tokenChanges: [.remove(id, token: "dead", ifNotRenewedSince: .test(30))], counts: PushCounts(),
                cursor: id)
            await #expect(throws: StorageError.self) { try await store.record(page, of: RunID(rawValue: 5)) }
            #expect(try await store.count(of: .everyone) == 1)
        },
    ]

    static let lists: [StoreCase] = [
        StoreCase("all registrations are listed, whatever their token kind") { store in
            try await store.save([
                .test("a"), .test("b", kind: .liveActivityStart), .test("c", kind: .liveActivityUpdate),
            ])
            let first = try await store.registrations(after: .unsaved, limit: 2)
            #expect(first.map(\.token) == ["a", "b"])
            let rest = try await store.registrations(after: first[1].id, limit: 2)
            #expect(rest.map(\.token) == ["c"])
        },
        StoreCase("removing by a filter takes its audience and says how many that were") { store in
            try await store.save([.test("a", tags: ["x"]), .test("b"), .test("c", tags: ["x", "y"])])
            #expect(try await store.remove(PushFilter(tags: ["x"])) == 2)
            #expect(try await store.everybody().map(\.token) == ["b"])
            #expect(try await store.remove(PushFilter(tags: [])) == 0)
            #expect(try await store.remove(.everyone) == 1)
        },
        StoreCase("tags that differ only in Unicode form are different tags") { store in
            try await store.save([.test("a", tags: ["caf\u{E9}"]), .test("b", tags: ["cafe\u{301}"])])
            #expect(try await store.everybody(PushFilter(tags: ["caf\u{E9}"])).map(\.token) == ["a"])
            #expect(try await store.everybody(PushFilter(tags: ["cafe\u{301}"])).map(\.token) == ["b"])
        },
        StoreCase("texts of every kind come back as they were") { store in
            let texts = [
                "", "a\"b\\c", "line\nbreak", "nul\u{0}inside", "snow ☃ and 🦦", "[\"x\"]",
                String(repeating: "é", count: 900),
            ]
            var device = Registration.test("t\u{0}oken", user: "u\u{0}ser", tags: texts, topics: texts)
            device.data = [
                "null": .null, "bool": true, "int": .int(.min), "double": 2.5, "text": "☃",
                "list": [1, "two", [3]], "object": ["a": ["b": .null]],
            ]
            try await store.save([device])
            var read = try await store.everybody(PushFilter(users: ["u\u{0}ser"]))
            for index in read.indices { read[index].id = .unsaved }
            #expect(read == [device])
            #expect(try await store.count(of: PushFilter(tokens: ["t\u{0}oken"])) == 1)
            #expect(try await store.count(of: PushFilter(tags: ["nul\u{0}inside", ""], tagMatch: .all)) == 1)
        },
        StoreCase("a list that spans many pages is read once and to its end") { store in
            try await store.save((0..<50).map { .test("t\($0)", user: "u\($0 % 7)") })
            let users = PushFilter(users: (0..<5).map { "u\($0)" })
            let selected = try await store.everybody(users)
            #expect(selected.map(\.token) == (0..<50).filter { $0 % 7 < 5 }.map { "t\($0)" })
            let both = PushFilter(users: ["u1"], tokens: ["t1", "t2", "t8", "t9", "t15"])
            #expect(try await store.everybody(both).map(\.token) == ["t1", "t8", "t15"])
        },
    ]
}
