import Foundation
import Push
import Schedules
import Storage
import TestSupport
import Testing

@testable import Commands

struct HistoryTests {
    private func harness() async throws -> CommandHarness {
        let harness = try CommandHarness()
        let store = try await SQLiteStore.open(at: harness.folder + "/carillon.sqlite")
        let start = Date(timeIntervalSince1970: 1_796_630_400)
        for (number, campaign) in ["weekly-digest", "winter-launch"].enumerated() {
            let occurrence = Instant(secondsSinceEpoch: 1_796_630_400 + Int64(number) * 3_600)
            let claim = try await store.claimRun(
                campaign: campaign, occurrence: occurrence, batchID: "batch-\(number + 1)", now: start)
            guard case .opened(let run) = claim else { continue }
            guard number == 0 else { continue }
            var counts = PushCounts()
            (counts.sent, counts.failed, counts.skipped) = (2, 1, 1)
            let deliveries = [
                Delivery(
                    registrationID: .init(rawValue: 1), status: .success, provider: "apns", providerMessageID: "m1"),
                Delivery(
                    registrationID: .init(rawValue: 2), status: .success, provider: "fcm", providerMessageID: "m2"),
                Delivery(
                    registrationID: .init(rawValue: 3), status: .tokenExpired, provider: "apns", reason: "Unregistered"),
                Delivery(registrationID: .init(rawValue: 4), status: .skipped, reason: "has the tag opted-out"),
            ]
            _ = try await store.record(
                PageRecord(deliveries: deliveries, tokenChanges: [], counts: counts, cursor: .init(rawValue: 4)),
                of: run.id)
            _ = try await store.finish(run.id, state: .partial, reason: nil, now: start.addingTimeInterval(2.34))
        }
        await store.close()
        return harness
    }

    @Test(arguments: [
        (["history"], "history.txt"), (["history", "--format", "json"], "history.json"),
        (["history", "--run", "1"], "history-run.txt"),
        (["history", "--run", "1", "--format", "json"], "history-run.json"),
    ])
    func `history is as reviewed`(_ words: [String], _ name: String) async throws {
        let result = try await harness().run(words)
        #expect(result.exitCode == .success)
        #expect(result.output == (try Snapshot.expected("Commands/\(name)", for: result.output)))
        #expect(result.errors == "")
    }

    @Test func `history is narrowed down by campaign, by number and by status`() async throws {
        let harness = try await harness()
        #expect(await harness.run("history", "weekly-digest").output.split(separator: "\n").count == 2)
        #expect(await harness.run("history", "--limit", "1").output.split(separator: "\n").count == 2)
        let expired = await harness.run("history", "--run", "1", "--status", "token_expired", "--status", "skipped")
        #expect(expired.output.contains("Unregistered") && expired.output.contains("opted-out"))
        #expect(!expired.output.contains("m1"))
        let cut = await harness.run("history", "--run", "1", "--limit", "2")
        #expect(cut.errors == "The first 2 rows; --limit 0 shows all.\n")
    }

    @Test func `a run that does not exist is a usage error`() async throws {
        let result = try await harness().run("history", "--run", "99")
        #expect(result.exitCode == .usage)
        #expect(result.errors == "error: Cannot read a run in FOLDER/carillon.sqlite: there is no run 99.\n")
    }

    @Test(arguments: [
        (["history", "--status", "success"], "--status needs --run"),
        (["history", "x", "--run", "1"], "--run goes without CAMPAIGN"),
    ])
    func `options that need each other say so`(_ words: [String], _ message: String) async throws {
        #expect(try await CommandHarness().run(words).errors.hasPrefix("error: \(message)\n"))
    }

    @Test func `an empty history is an empty list`() async throws {
        let harness = try CommandHarness()
        await (try await SQLiteStore.open(at: harness.folder + "/carillon.sqlite")).close()
        #expect(await harness.run("history", "--format", "json").output == "[]\n")
        #expect(await harness.run("history").errors == "No runs yet.\n")
        #expect(await harness.run("history", "welcome").errors == "No runs of 'welcome' yet.\n")
    }

    @Test(arguments: [
        (["history"], "No runs yet.\n"), (["devices", "list"], "No devices.\n"), (["devices", "count"], ""),
        (["devices", "export"], ""), (["devices", "remove", "x"], ""),
    ])
    func `looking where there is no store says so and makes none`(_ words: [String], _ rest: String) async throws {
        let harness = try CommandHarness()
        #expect(await harness.run(words).errors == "There is no store in FOLDER/carillon.sqlite yet.\n" + rest)
        #expect(!harness.exists("carillon.sqlite"))
    }

    @Test(arguments: [
        (0.0, "0.0s"), (0.94, "0.9s"), (9.99, "9.9s"), (12.3, "12s"), (65, "1m 05s"), (7_805, "2h 10m"), (-1, "-"),
        (.nan, "-"),
    ])
    func `a time that passed is told in two units at the most`(_ seconds: Double, _ text: String) {
        #expect(elapsed(seconds) == text)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-12_345_678, "-12,345,678")])
    func `long numbers are grouped`(_ number: Int, _ text: String) {
        #expect(grouped(number) == text)
    }
}
