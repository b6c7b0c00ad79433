import TestSupport
import Testing

@testable import Schedules

@Suite struct ScheduleTests {
    @Test func `bounds given as dates hold from the first day to the end of the last, in the zone`() throws {
        let found = try occurrences(cron: "0 0,23 * * *", in: "Asia/Tokyo", after: "2020-01-01T00:00:00Z", count: 9) {
            $0.starts = "2026-12-01"
            $0.ends = "2026-12-02"
        }
        #expect(
            found == [
                "2026-12-01T00:00:00+09:00", "2026-12-01T23:00:00+09:00", "2026-12-02T00:00:00+09:00",
                "2026-12-02T23:00:00+09:00",
            ])
    }

    @Test func `bounds given as times are included`() throws {
        let found = try occurrences(cron: "0 * * * *", in: "Asia/Tokyo", after: "2020-01-01T00:00:00Z", count: 9) {
            $0.starts = "2026-12-01 09:00"
            $0.ends = "2026-12-01T02:00:00Z"
        }
        #expect(
            found == ["2026-12-01T09:00:00+09:00", "2026-12-01T10:00:00+09:00", "2026-12-01T11:00:00+09:00"])
    }

    @Test func `nothing fires on excepted dates, for every kind of rule`() throws {
        let rules: [ScheduleDeclaration.Rule] = [
            .cron("0 9 * * *"), .every("12h"), .at(["2026-12-25 10:00", "2027-01-03T10:00:00+01:00"]),
        ]
        let found = try occurrences(rules, in: "Europe/Berlin", after: "2026-12-24T12:00:00Z", count: 5) {
            $0.except = [.date("2026-12-25"), .range(from: "2026-12-27", to: "2027-01-02")]
        }
        #expect(
            found == [
                "2026-12-26T01:00:00+01:00", "2026-12-26T09:00:00+01:00", "2026-12-26T13:00:00+01:00",
                "2027-01-03T01:00:00+01:00", "2027-01-03T09:00:00+01:00",
            ])
    }

    @Test func `a time that the clocks carry over midnight is excepted with either date`() throws {
        // 23:30 on Saturday does not exist in Nuuk and would fire at 00:00 on Sunday.
        for date in ["2026-03-28", "2026-03-29"] {
            let found = try occurrences(cron: "30 23 * * SAT", in: "America/Nuuk", after: "2026-03-28T00:00:00Z") {
                $0.except = [.date(date)]
            }
            #expect(found == ["2026-04-04T23:30:00-01:00"])
        }
    }

    @Test func `a rhythm of seconds gets past a century of excepted dates`() throws {
        let found = try occurrences(
            [.every("1s"), .cron("* * * * * *")], in: "Europe/Berlin", after: "2026-12-01T00:00:00Z", count: 1
        ) {
            $0.except = [.range(from: "2026-12-01", to: "2150-12-31")]
        }
        #expect(found == ["2151-01-01T00:00:00+01:00"])
    }

    @Test func `rules unite, and what two of them name is one occurrence`() throws {
        let rules: [ScheduleDeclaration.Rule] = [.cron("0 9 * * *"), .cron("0 */3 * * *"), .at(["2026-12-01 09:00"])]
        #expect(
            try occurrences(rules, in: "UTC", after: "2026-12-01T05:00:00Z", count: 3)
                == ["2026-12-01T06:00:00Z", "2026-12-01T09:00:00Z", "2026-12-01T12:00:00Z"])
    }

    @Test func `at takes local times and instants, in any order, each once`() throws {
        let rules: [ScheduleDeclaration.Rule] = [
            .at([
                "2026-12-03 09:00", "2026-12-01T09:00:00Z", "2026-12-03T08:00:00Z", "2026-03-29 02:30",
                "2026-10-25 02:30",
            ])
        ]
        #expect(
            try occurrences(rules, in: "Europe/Berlin", after: "2026-01-01T00:00:00Z", count: 9)
                == [
                    "2026-03-29T03:00:00+02:00", "2026-10-25T02:30:00+02:00", "2026-12-01T10:00:00+01:00",
                    "2026-12-03T09:00:00+01:00",
                ])
    }

    @Test func `every beats in real time, from the epoch or through its anchor`() throws {
        #expect(
            try occurrences([.every("90m")], in: "Europe/Berlin", after: "2026-03-28T23:10:00Z", count: 3)
                == ["2026-03-29T01:00:00+01:00", "2026-03-29T03:30:00+02:00", "2026-03-29T05:00:00+02:00"])
        #expect(
            try occurrences(
                [.every("1d", anchor: "2026-12-05 09:00")], in: "Europe/Berlin", after: "2026-12-01T00:00:00Z", count: 2
            )
                == ["2026-12-01T09:00:00+01:00", "2026-12-02T09:00:00+01:00"])
        #expect(
            try occurrences(
                [.every("7d", anchor: "1900-01-01T00:00:00Z")], in: "UTC", after: "1969-12-31T00:00:00Z", count: 1)
                == ["1970-01-05T00:00:00Z"])
    }

    @Test func `jitter is the same at every asking, differs between campaigns, and leaves the identity alone`() throws {
        func schedule(_ campaign: String) throws -> Schedule {
            try Schedule(ScheduleDeclaration(rules: [.cron("0 9 * * *")], jitter: "5m"), campaign: campaign)
        }
        let start = try Instant(rfc3339: "2026-12-01T00:00:00Z")
        let first = try schedule("weekly-digest").occurrences(after: start, limit: 1_000)
        #expect(try schedule("weekly-digest").occurrences(after: start, limit: 1_000) == first)
        #expect(first.allSatisfy { $0.local.secondOfDay == 9 * 3_600 && (0..<300).contains($0.delay.seconds) })
        #expect(first.allSatisfy { $0.firesAt == $0.instant.advanced(bySeconds: $0.delay.seconds) })
        #expect(Set(first.map(\.delay)).count > 250)
        let other = try schedule("price-drop").occurrences(after: start, limit: 1_000)
        #expect(zip(first, other).count { $0.delay == $1.delay } < 20)
        // Pinned: a change here would move every campaign.
        #expect(first[0].delay.seconds == 138)
    }

    @Test func `a fingerprint tells meanings apart and not spellings`() throws {
        func fingerprint(
            _ rules: [ScheduleDeclaration.Rule], campaign: String = "a",
            _ adjust: (inout ScheduleDeclaration) -> Void = { _ in }
        ) throws -> String {
            var declaration = ScheduleDeclaration(rules: rules, timezone: "Europe/Berlin")
            adjust(&declaration)
            return try Schedule(declaration, campaign: campaign).fingerprint
        }
        let base = try fingerprint([.cron("0 9 * * MON")])
        #expect(try fingerprint([.cron(" 00 09 ? * 1")], campaign: "b") == base)
        #expect(try fingerprint([.cron("0 9 * * 1"), .cron("0 9 * * mon")]) == base)
        #expect(try fingerprint([.cron("0 9 * * MON")]) { $0.gap = "next" } == base)
        #expect(try fingerprint([.every("60m"), .cron("@daily")]) == fingerprint([.cron("0 0 * * *"), .every("1h")]))
        #expect(try fingerprint([.every("1h", anchor: "2026-12-01T05:00:00Z")]) == fingerprint([.every("1h")]))
        let all = try [
            base, fingerprint([.cron("0 9 * * TUE")]), fingerprint([.cron("0 9 * * MON")]) { $0.gap = "skip" },
            fingerprint([.cron("0 9 * * MON")]) { $0.overlapHour = "last" },
            fingerprint([.cron("0 9 * * MON")]) { $0.timezone = "Europe/Paris" },
            fingerprint([.cron("0 9 * * MON")]) { $0.starts = "2026-12-01" },
            fingerprint([.cron("0 9 * * MON")]) { $0.ends = "2026-12-01" },
            fingerprint([.cron("0 9 * * MON")]) { $0.except = [.date("2026-12-01")] },
            fingerprint([.cron("0 9 * * MON")]) { $0.jitter = "5m" },
            fingerprint([.cron("0 9 1 * MON")]), fingerprint([.cron("0 9 1 * MON")]) { $0.cronDays = "both" },
            fingerprint([.cron("0 9 * * MON#1")]), fingerprint([.cron("0 9 * * MONL")]), fingerprint([.every("1h")]),
            fingerprint([.every("1h", anchor: "2026-12-01T05:30:00Z")]), fingerprint([.at(["2026-12-01 09:00"])]),
            fingerprint([.at(["2026-12-01 09:00Z"])]),
        ]
        #expect(Set(all).count == all.count)
    }

    @Test func `every search ends`() throws {
        let end = "2199-12-31T23:59:59Z"
        #expect(try occurrences(cron: "* * * * * *", after: end, count: 1) == [])
        #expect(try occurrences([.every("1s")], in: "Europe/Berlin", after: end, count: 1) == [])
        #expect(try occurrences(cron: "0 9 29 2 MON", after: end) { $0.cronDays = "both" } == [])
        let rare = try Schedule(
            ScheduleDeclaration(rules: [.cron("0 9 29 2 *")], timezone: "Europe/Berlin", ends: "2027-12-31"),
            campaign: "a")
        #expect(rare.next(after: try Instant(rfc3339: "2026-01-01T00:00:00Z")) == nil)
        let now = Instant(secondsSinceEpoch: .max)
        #expect(rare.next(after: now) == nil)
        #expect(rare.next(after: Instant(secondsSinceEpoch: .min)) != nil)
        let nothing = Schedule(campaign: "a", zone: .utc, rules: [])
        #expect(nothing.next(after: Instant(secondsSinceEpoch: 0)) == nil)
    }

    @Test func `previous, now and next keep their order for generated schedules`() throws {
        var random = SeededGenerator(seed: 11)
        let zones = ["Europe/Berlin", "Australia/Lord_Howe", "America/Havana", "Pacific/Apia", "America/Nuuk", "UTC"]
        let crons = [
            "*/7 * * * *", "30 2 * * *", "15,45 */2 * * *", "0 0 * * *", "0 9 L * *", "0 0 1 1 *", "59 23 * * SAT",
            "*/20 1-3 * * SUN", "30 * 29 2 *", "*/15 30 2 * * *",
        ]
        for _ in 0..<400 {
            let schedule = try Schedule(
                ScheduleDeclaration(
                    rules: [
                        .cron(crons.randomElement(using: &random) ?? "* * * * *"),
                        .every("\(Int.random(in: 1...9, using: &random))d"),
                    ],
                    timezone: zones.randomElement(using: &random),
                    except: [.range(from: "2026-04-01", to: "2026-04-20")],
                    gap: ["next", "skip"].randomElement(using: &random),
                    overlapHour: ["first", "last", "both"].randomElement(using: &random)),
                campaign: "a")
            var instant = Instant(secondsSinceEpoch: Int64.random(in: 1_262_304_000...1_893_456_000, using: &random))
            for _ in 0..<20 {
                let next = try #require(schedule.next(after: instant)).instant
                #expect(instant < next)
                #expect(schedule.fires(at: next))
                // From anywhere in between, the next is the same.
                let between = Int64.random(in: instant.secondsSinceEpoch..<next.secondsSinceEpoch, using: &random)
                #expect(schedule.next(after: Instant(secondsSinceEpoch: between))?.instant == next)
                instant = next
            }
        }
    }
}
