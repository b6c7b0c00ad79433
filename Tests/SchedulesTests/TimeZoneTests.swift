import Foundation
import TestSupport
import Testing

@testable import Schedules

@Suite struct TimeZoneTests {
    @Test(arguments: [
        // Zone, year, changes of that year in UTC.
        ("CET-1CEST,M3.5.0,M10.5.0/3", 2026, ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"]),
        ("EST5EDT,M3.2.0,M11.1.0", 2026, ["2026-03-08T07:00:00Z", "2026-11-01T06:00:00Z"]),
        ("EST5EDT", 2026, ["2026-03-08T07:00:00Z", "2026-11-01T06:00:00Z"]),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", 2026, ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"]),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2026, ["2026-04-04T15:00:00Z", "2026-10-03T15:30:00Z"]),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 2026, ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"]),
        ("EET-2EEST,M3.4.4/50,M10.4.4/50", 2026, ["2026-03-28T00:00:00Z", "2026-10-23T23:00:00Z"]),
        ("AAA0BBB,J60/0,J300/0", 2028, ["2028-03-01T00:00:00Z", "2028-10-26T23:00:00Z"]),
        ("AAA0BBB,59/0,300/0", 2028, ["2028-02-29T00:00:00Z", "2028-10-26T23:00:00Z"]),
        ("AAA0BBB,J1/-167,J365/167", 2026, ["2025-12-25T01:00:00Z", "2027-01-06T22:00:00Z"]),
        ("<+03>-3", 2026, []), ("UTC0", 2026, []), ("ABC-1:02:03", 2026, []),
    ])
    func `a POSIX rule gives the changes of a year`(text: String, year: Int, expected: [String]) throws {
        let rule = try #require(PosixTimeZone(text))
        #expect(rule.changes(inYear: year).map { "\(Instant(secondsSinceEpoch: $0.instant))" } == expected)
    }

    @Test(arguments: [
        "", "CE-1", "CET", "<+03", "CET-25", "CET-1:60", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J365", "CET-1CEST,J366,J1",
        "CET-1CEST,366,1", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0,", "CET-99999999999999999999",
    ])
    func `what is no POSIX rule is refused`(text: String) {
        #expect(PosixTimeZone(text) == nil)
    }

    @Test func `a summer time that never ends has no changes`() throws {
        // RFC 9636, section 3.3.1: all of the year at UTC-4.
        let rule = try #require(PosixTimeZone("XXX3EDT4,0/0,J365/23"))
        let file = try TZifFile(parsing: Self.compiled(footer: "XXX3EDT4,0/0,J365/23"))
        #expect(file.footer == rule)
        let zone = TimeZoneRules(name: "Test/Zone", file: file)
        var period = zone.period(containing: try Instant(rfc3339: "2026-06-01T00:00:00Z"))
        for _ in 0..<5 {
            #expect(period.offset == -4 * 3_600)
            #expect(period.offsetAfter == period.offset)
            period = zone.period(containing: try #require(period.end))
        }
    }

    @Test func `a damaged file is refused or read, and never more than that`() throws {
        let path = TimeZoneDatabase.system.directory + "/Europe/Dublin"
        let original = try #require(readFile(path, limit: 1 << 20)).bytes
        var random = SeededGenerator(seed: 7)
        var refused = 0
        for round in 0..<20_000 {
            var bytes = original
            if round % 4 == 0 { bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))) }
            for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
                // The header and the footer are where damage tells most.
                let end = Bool.random(using: &random) ? min(44, bytes.count) : bytes.count
                bytes[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let file = try? TZifFile(parsing: bytes) else {
                refused += 1
                continue
            }
            let zone = TimeZoneRules(name: "Test/Zone", file: file)
            for _ in 0..<3 {
                let instant = Instant(
                    secondsSinceEpoch: Int64.random(in: -60_000_000_000...300_000_000_000, using: &random))
                let period = zone.period(containing: instant)
                #expect(period.start.map { $0 <= instant } ?? true)
                #expect(period.end.map { instant < $0 } ?? true)
                _ = zone.resolve(instant.local(offset: 0))
            }
        }
        #expect(refused > 1_000 && refused < 19_000)
    }

    @Test(arguments: [0, 1, 2, 3, 4])
    func `all versions of the format are read`(version: Int) throws {
        let file = try TZifFile(parsing: Self.compiled(version: version, footer: "CET-1CEST,M3.5.0,M10.5.0/3"))
        let zone = TimeZoneRules(name: "Test/Zone", file: file)
        #expect(zone.offset(at: Instant(secondsSinceEpoch: -1)) == 3_208)
        #expect(zone.offset(at: Instant(secondsSinceEpoch: 0)) == 3_600)
        // Version 1 has no footer: its last offset holds for ever.
        let summer = try Instant(rfc3339: "2100-07-01T00:00:00Z")
        #expect(zone.offset(at: summer) == (version < 2 ? 3_600 : 7_200))
    }

    @Test(arguments: [
        ("../../../etc/passwd", [String]()), ("/etc/localtime", []), ("Europe/../Europe/Berlin", []),
        ("Europe//Berlin", ["Europe/Berlin"]),
        ("europe/berlin", ["Europe/Berlin"]), ("Berlin", ["Europe/Berlin"]), ("Europe/Berlni", ["Europe/Berlin"]),
        ("new york", ["America/New_York"]), ("America/NewYork", ["America/New_York"]), ("", []), ("localtime", []),
        ("right/Europe/Berlin", []), ("posixrules", []), ("tzdata.zi", []), ("Europe", []),
        ("utc", ["Etc/UTC", "UTC"]),
        ("Europe/Berlin\0", []), ("Mars/Olympus_Mons", []), (String(repeating: "A/", count: 200), []),
    ])
    func `a zone that is not there is refused with the nearest names`(name: String, suggestions: [String]) throws {
        let error = try #require(throws: TimeZoneError.self) { try TimeZoneDatabase.system.rules(named: name) }
        guard case .unknown(_, let told) = error else {
            Issue.record("\(error)")
            return
        }
        if !suggestions.isEmpty { #expect(told == suggestions) }
        #expect(!told.contains { $0.contains("..") })
    }

    @Test func `every name of the list is a zone`() throws {
        let names = TimeZoneDatabase.system.names
        #expect(names.count > 500)
        for name in names { _ = try TimeZoneDatabase.system.rules(named: name) }
        #expect(TimeZoneDatabase.system.version?.hasPrefix("20") == true)
    }

    @Test func `UTC works where no database is installed, and another zone says what to do`() throws {
        let database = TimeZoneDatabase(directory: "/nowhere")
        #expect(try database.rules(named: "UTC").offset(at: Instant(secondsSinceEpoch: 0)) == 0)
        #expect(database.version == nil)
        let error = try #require(throws: TimeZoneError.self) { try database.rules(named: "Europe/Berlin") }
        #expect(error.description.contains("TZDIR"))
    }

    @Test func `a database without a list of names is walked, and a replaced file is noticed`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zones-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("Test"), withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("Test/Zone")
        try Data(Self.compiled(footer: "AAA-1")).write(to: file)
        try Data("no zone".utf8).write(to: folder.appendingPathComponent("Test/Readme"))
        let database = TimeZoneDatabase(directory: folder.path)
        #expect(database.names == ["Test/Zone"])
        let now = try Instant(rfc3339: "2026-12-01T00:00:00Z")
        #expect(try database.rules(named: "Test/Zone").offset(at: now) == 3_600)
        #expect(database.refresh() == [])
        try FileManager.default.removeItem(at: file)
        try Data(Self.compiled(footer: "AAA-2:00")).write(to: file)
        #expect(try database.rules(named: "Test/Zone").offset(at: now) == 3_600)
        #expect(database.refresh() == ["Test/Zone"])
        #expect(try database.rules(named: "Test/Zone").offset(at: now) == 7_200)
        let error = try #require(throws: TimeZoneError.self) { try database.rules(named: "Test/Readme") }
        #expect(error.description.contains("not a compiled time zone file"))
    }

    @Test func `skipped dates and missing midnights are known`() throws {
        let apia = try TimeZoneDatabase.system.rules(named: "Pacific/Apia")
        let skipped = try CivilDate(parsing: "2011-12-30")
        #expect(apia.isSkipped(skipped))
        #expect(!apia.isSkipped(skipped.advanced(byDays: 1)))
        #expect(apia.rfc3339(apia.startOfDay(skipped)) == "2011-12-31T00:00:00+14:00")
        #expect(apia.resolve(LocalDateTime(date: skipped)) == .gap(transition: apia.startOfDay(skipped), width: 86_400))
        let havana = try TimeZoneDatabase.system.rules(named: "America/Havana")
        let spring = try CivilDate(parsing: "2026-03-08")
        #expect(havana.rfc3339(havana.startOfDay(spring)) == "2026-03-08T01:00:00-04:00")
        let berlin = try TimeZoneDatabase.system.rules(named: "Europe/Berlin")
        #expect(berlin.rfc3339(try Instant(rfc3339: "1880-01-01T00:00:00Z")) == "1880-01-01T00:53:28+00:53:28")
    }

    /// A compiled zone with one change at the epoch, from local mean time to an hour ahead of UTC.
    static func compiled(version: Int = 2, footer: String) -> [UInt8] {
        func number(_ value: Int64, _ size: Int) -> [UInt8] {
            (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> Int64($0 * 8)) }
        }
        func block(_ size: Int) -> [UInt8] {
            var bytes = Array("TZif".utf8) + [version < 2 ? 0 : UInt8(version) + 48] + [UInt8](repeating: 0, count: 15)
            for count in [0, 0, 0, 1, 2, 8] as [Int64] { bytes += number(count, 4) }
            bytes += number(0, size) + [1]
            bytes += number(3_208, 4) + [0, 0] + number(3_600, 4) + [0, 4]
            return bytes + Array("LMT\0CET\0".utf8)
        }
        return version < 2 ? block(4) : block(4) + block(8) + Array("\n\(footer)\n".utf8)
    }
}
