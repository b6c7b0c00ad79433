import Foundation
import Push
import Schedules
import Storage
import Synchronization

/// How fast the store imports, reads audiences and records deliveries, with the targets beside the figures.
///
/// `swift run -c release StorageBenchmark [REGISTRATIONS] [FOLDER]`
@main
struct StorageBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let count = arguments.count > 1 ? Int(arguments[1]) ?? 1_000_000 : 1_000_000
        let parent = arguments.count > 2 ? arguments[2] : FileManager.default.temporaryDirectory.path
        let folder = parent + "/carillon-storage-benchmark"
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let benchmark = StorageBenchmark(path: folder + "/carillon.sqlite", count: count)
        try await benchmark.imports()
        try await benchmark.audiences()
        try await benchmark.deliveries()
    }

    let path: String
    let count: Int

    // MARK: - Import

    private func imports() async throws {
        print("Import, batches of 10,000 registrations with three tags, a user and a device id each")
        _ = peakMegabytes()
        let store = try await SQLiteStore.open(at: path)
        let empty = try await measure { try await load(count, seed: 1, into: store) }
        report("into an empty store", empty, target: 100_000)
        compare(empty, withPeer: try CommandLinePeer(database: path).secondsToCopyRegistrations())
        report(
            "new ones into the full store",
            try await measure { try await load(200_000, seed: 2, into: store) }, target: 40_000)
        report(
            "the same ones again (renewed)",
            try await measure { try await load(200_000, seed: 2, into: store) }, target: 40_000)
        await store.close()
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        print("file \(size >> 20) MB, peak memory \(peakMegabytes()) MB\n")
    }

    private func load(_ count: Int, seed: UInt64, into store: SQLiteStore) async throws -> Int {
        let generator = Mutex((devices: DeviceGenerator(seed: seed), left: count))
        let counts = try await store.importRegistrations {
            generator.withLock { state in
                guard state.left > 0 else { return nil }
                let size = min(10_000, state.left)
                state.left -= size
                return state.devices.batch(size)
            }
        }
        return counts.new + counts.renewed
    }

    // MARK: - Audiences

    private func audiences() async throws {
        print("Audiences in pages of 1,000")
        let phones: [Platform] = [.iOS, .android]
        let filters: [(String, PushFilter, Double?)] = [
            ("everyone", .everyone, 500_000),
            (
                "platforms + 2 frequent tags, all + app",
                PushFilter(platforms: phones, tags: ["marketing", "digest"], tagMatch: .all, app: .id("consumer")),
                500_000
            ),
            (
                "platforms + 2 rare tags, all + app",
                PushFilter(
                    platforms: phones, tags: ["interest-1", "interest-2"], tagMatch: .all, app: .id("consumer")),
                nil
            ),
            ("1 rare tag", PushFilter(tags: ["interest-3"]), nil),
            ("3 rare tags, any", PushFilter(tags: ["interest-3", "interest-4", "interest-5"]), nil),
            ("2 frequent tags, any", PushFilter(tags: ["marketing", "digest"]), nil),
            ("app", PushFilter(app: .id("driver")), nil),
            ("platform web + app", PushFilter(platforms: [.web], app: .id("driver")), nil),
            ("sandbox", PushFilter(environment: .sandbox), nil),
            ("topic", PushFilter(topic: "news"), nil),
            ("locale", PushFilter(locales: ["de"]), nil),
            ("100,000 users", PushFilter(users: (0..<100_000).map { "user-\($0)" }), nil),
        ]
        let store = try await SQLiteStore.open(at: path)
        _ = peakMegabytes()
        for (name, filter, target) in filters {
            let first = try await measure {
                try await store.page(of: filter, after: .unsaved, limit: 1_000).count
            }
            let all = try await measure { try await read(filter, from: store) }
            report("\(name) (first page \((first.seconds * 1_000).formatted(1)) ms)", all, target: target)
            if target != nil, let tags = filter.tags {
                compare(all, withPeer: try CommandLinePeer(database: path).secondsToSelect(tags))
            }
            let counted = try await measure { try await store.count(of: filter) }
            if counted.count != all.count { print("  count says \(counted.count)") }
        }
        print("peak memory \(peakMegabytes()) MB\n")
        await store.close()
    }

    private func read(_ filter: PushFilter, from store: SQLiteStore) async throws -> Int {
        var count = 0
        var last = RegistrationID.unsaved
        while true {
            let page = try await store.page(of: filter, after: last, limit: 1_000)
            count += page.count
            guard page.count == 1_000, let end = page.last else { return count }
            last = end.id
        }
    }

    // MARK: - Deliveries

    private func deliveries() async throws {
        print("Delivery rows, pages of 1,000, each a transaction that is on the disk when it returns")
        let store = try await SQLiteStore.open(at: path)
        _ = peakMegabytes()
        let claim = try await store.claimRun(
            campaign: "benchmark", occurrence: Instant(secondsSinceEpoch: 0), batchID: "b", now: .now)
        guard case .opened(let run) = claim else { return }
        let measurement = try await measure {
            var counts = PushCounts()
            counts.sent = 1_000
            for page in 0..<(count / 1_000) {
                let deliveries = (1...1_000).map { index in
                    Delivery(
                        registrationID: RegistrationID(rawValue: Int64(page * 1_000 + index)), status: .success,
                        provider: "apns:consumer", providerMessageID: "6f1c2f5e-8a38-4c0e-9d1d-0a1b2c3d4e5f")
                }
                let cursor = RegistrationID(rawValue: Int64((page + 1) * 1_000))
                _ = try await store.record(
                    PageRecord(deliveries: deliveries, tokenChanges: [], counts: counts, cursor: cursor), of: run.id)
            }
            return count / 1_000 * 1_000
        }
        report("deliveries", measurement, target: 200_000)
        compare(measurement, withPeer: try CommandLinePeer(database: path).secondsToCopyDeliveries())
        print("peak memory \(peakMegabytes()) MB")
        await store.close()
    }
}
