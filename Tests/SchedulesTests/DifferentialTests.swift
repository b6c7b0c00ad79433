import JSON
import TestSupport
import Testing

@testable import Schedules

/// Other people's answers. The seed is fixed, so that a failure can be looked at twice; CARILLON_TEST_SEED sets another.
@Suite struct DifferentialTests {
    static let seed = environmentVariable("CARILLON_TEST_SEED") ?? "20261130"

    @Test func `croniter agrees on generated expressions, in UTC and in zones away from clock changes`() throws {
        let lines = try python(["croniter", Self.seed, "6000"])
        var compared = 0
        var explained: [CroniterDifference: Int] = [:]
        var wrong: [String] = []
        for line in lines {
            let question = try JSON(parsing: Array(line.utf8))
            let cron = try #require(question["cron"]?.stringValue)
            let expected = question["expected"]?.arrayValue?.compactMap(\.intValue)
            // What is refused here never fires for croniter either.
            let ours = try answer(cron, question, count: expected?.count ?? 1)
            compared += expected?.count ?? 0
            guard ours != expected else { continue }
            if let difference = CroniterDifference.allCases.first(where: { $0.concerns(cron) }) {
                explained[difference, default: 0] += 1
            } else {
                wrong.append("\(line) ours: \(ours.map { "\($0)" } ?? "refused")")
            }
        }
        print("croniter: seed \(Self.seed), \(lines.count) expressions, \(compared) instants, \(wrong.count) differ;")
        print("explained by docs/schedules.md: \(explained)")
        #expect(wrong.prefix(20) == [])
        #expect(compared > 20_000)
        #expect(Set(explained.keys) == Set(CroniterDifference.allCases), "a difference that never shows is none")
    }

    private func answer(_ cron: String, _ question: JSON, count: Int) throws -> [Int64]? {
        guard (try? CronExpression(parsing: cron)) != nil else { return nil }
        let schedule = try Schedule(
            ScheduleDeclaration(rules: [.cron(cron)], timezone: question["zone"]?.stringValue), campaign: "test")
        return schedule.occurrences(after: try instant(question["after"]), limit: count)
            .map(\.instant.secondsSinceEpoch)
    }

    @Test func `a brute force over every minute agrees at clock changes in 25 zones`() throws {
        let lines = try python(["edges", Self.seed, "2000"])
        var compared = 0
        var wrong: [String] = []
        for line in lines {
            let question = try JSON(parsing: Array(line.utf8))
            let cron = try #require(question["cron"]?.stringValue)
            // An expression for a day that never comes is refused, and rightly never fires.
            guard (try? CronExpression(parsing: cron)) != nil else {
                if question["expected"]?.arrayValue != [] { wrong.append("\(line) ours: refused") }
                continue
            }
            let schedule = try Schedule(
                ScheduleDeclaration(
                    rules: [.cron(cron)], timezone: question["zone"]?.stringValue, gap: question["gap"]?.stringValue,
                    overlapHour: question["overlap_hour"]?.stringValue),
                campaign: "test")
            let expected = question["expected"]?.arrayValue?.compactMap(\.intValue)
            let ours = schedule.occurrences(
                after: try instant(question["after"]), through: try instant(question["through"]), limit: 100_000
            ).map(\.instant.secondsSinceEpoch)
            compared += ours.count
            if ours != expected {
                let (ours, theirs) = (Set(ours), Set(expected ?? []))
                wrong.append(
                    "\(line.prefix(160)) only ours: \(ours.subtracting(theirs).sorted()), "
                        + "only theirs: \(theirs.subtracting(ours).sorted())")
            }
        }
        print("edges: seed \(Self.seed), \(lines.count) expressions, \(compared) instants, \(wrong.count) differ")
        #expect(wrong.prefix(20) == [])
        #expect(compared > 50_000)
    }

    @Test func `zoneinfo agrees on every zone, from 1900 to 2100 and at every change`() throws {
        let lines = try ChildProcess.python("Tests/SchedulesTests/zone_oracle.py", [Self.seed, "300"]).split(
            separator: "\n")
        var offsets = 0
        var locals = 0
        var wrong: [String] = []
        for line in lines {
            let answers = try JSON(parsing: Array(line.utf8))
            let name = try #require(answers["zone"]?.stringValue)
            let zone = try TimeZoneDatabase.system.rules(named: name)
            for pair in answers["offsets"]?.arrayValue ?? [] {
                let numbers = pair.arrayValue?.compactMap(\.intValue) ?? []
                let ours = zone.offset(at: Instant(secondsSinceEpoch: numbers[0]))
                offsets += 1
                if Int64(ours) != numbers[1] { wrong.append("\(name) at \(numbers[0]): \(ours), not \(numbers[1])") }
            }
            for answer in answers["locals"]?.arrayValue ?? [] {
                let parts = answer.arrayValue ?? []
                let ours = zone.resolve(LocalDateTime(secondsSinceEpoch: try #require(parts[0].intValue)))
                locals += 1
                if !agrees(ours, parts) { wrong.append("\(name): \(parts), not \(ours)") }
            }
        }
        print(
            "zoneinfo: seed \(Self.seed), \(lines.count) zones, \(offsets) offsets, \(locals) locals, \(wrong.count) differ"
        )
        #expect(wrong.prefix(20) == [])
        #expect(lines.count > 500)
        #expect(locals > 50_000)
    }

    private func agrees(_ ours: LocalTimeResolution, _ theirs: [JSON]) -> Bool {
        switch (ours, theirs[1].stringValue) {
        case (.unique(let instant), "unique"): instant.secondsSinceEpoch == theirs[2].intValue
        case (.overlap(let first, let second), "overlap"):
            first.secondsSinceEpoch == theirs[2].intValue && second.secondsSinceEpoch == theirs[3].intValue
        case (.gap(_, let width), "gap"): Int64(width) == theirs[3].intValue
        default: false
        }
    }

    private func python(_ arguments: [String]) throws -> [String] {
        try ChildProcess.python("Tests/SchedulesTests/cron_oracle.py", arguments).split(separator: "\n").map(
            String.init)
    }

    private func instant(_ value: JSON?) throws -> Instant {
        Instant(secondsSinceEpoch: try #require(value?.intValue))
    }
}
