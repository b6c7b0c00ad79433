import TestSupport
import Testing

@testable import Schedules

@Suite struct InstantTextTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:00z", 0), ("1970-01-01 00:00:01Z", 1),
            ("2026-12-01T09:00:00+01:00", 1_796_112_000), ("2026-12-01T08:00:00.999Z", 1_796_112_000),
            ("2026-12-01T08:00:00,5Z", 1_796_112_000), ("2026-12-01T08:00:00-00:00", 1_796_112_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800), ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("1969-12-31T23:59:59Z", -1),
            ("1893-03-31T23:53:28+00:53:28", -2_422_054_800), ("2000-02-29T12:00:00-23:59", 951_911_940),
        ] as [(String, Int64)])
    func `RFC 3339 is read`(text: String, expected: Int64) throws {
        #expect(try Instant(rfc3339: text).secondsSinceEpoch == expected)
    }

    @Test(arguments: [
        ("", 0), ("2026-12-01", 10), ("2026-12-01T09:00:00", 19), ("2026-13-01T00:00:00Z", 0),
        ("2026-02-29T00:00:00Z", 0), ("2026-12-01T24:00:00Z", 11), ("2026-12-01T09:60:00Z", 11),
        ("2026-12-01T09:00:61Z", 11), ("2026-12-01T09:00Z", 16), ("2026-12-01T09:00:00.Z", 20),
        ("2026-12-01T09:00:00+1:00", 20), ("2026-12-01T09:00:00+0100", 20), ("2026-12-01T09:00:00+24:00", 19),
        ("2026-12-01T09:00:00ZZ", 20), ("26-12-01T09:00:00Z", 0), ("12026-12-01T09:00:00Z", 0),
        ("2026-1-01T09:00:00Z", 5), ("０２０２６", 0), ("0000-01-01T00:00:00Z", 0), (" 2026-12-01T09:00:00Z", 0),
    ])
    func `what is not RFC 3339 is refused where it is wrong`(text: String, offset: Int) throws {
        let error = try #require(throws: TextError.self) { try Instant(rfc3339: text) }
        #expect(error.offset == offset, "\(error)")
    }

    @Test func `every instant that is written is read back`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let instant = Instant(
                secondsSinceEpoch: Int64.random(in: -62_000_000_000...253_000_000_000, using: &random))
            let offset = Int.random(in: -86_399...86_399, using: &random)
            #expect(try Instant(rfc3339: instant.rfc3339(offset: offset)) == instant)
        }
    }

    @Test func `dates and days since the epoch belong together over all years`() throws {
        var expected = CivilDate(uncheckedYear: 1, month: 1, day: 1)
        for days in Int64(-719_162)...2_932_896 {
            let date = CivilDate(daysSinceEpoch: days)
            guard date == expected, date.daysSinceEpoch == days else {
                Issue.record("\(days) is \(date), not \(expected)")
                return
            }
            let (year, month, day) = (date.year, date.month, date.day)
            if day < CivilDate.daysIn(month: month, year: year) {
                expected = CivilDate(uncheckedYear: year, month: month, day: day + 1)
            } else {
                expected = CivilDate(
                    uncheckedYear: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1)
            }
        }
        #expect(try CivilDate(parsing: "2026-12-01").weekday == 2)
        #expect(try CivilDate(parsing: "0001-01-01").weekday == 1)
    }

    @Test func `arithmetic stops at the ends`() {
        #expect(CivilDate(daysSinceEpoch: .max).description == "9999-12-31")
        #expect(CivilDate(daysSinceEpoch: .min).description == "0001-01-01")
        #expect(CivilDate(daysSinceEpoch: 0).advanced(byDays: .max).description == "9999-12-31")
        #expect(CivilDate(daysSinceEpoch: -1).advanced(byDays: .min).description == "0001-01-01")
        #expect(Instant(secondsSinceEpoch: .max).advanced(bySeconds: 1) == Instant(secondsSinceEpoch: .max))
        #expect(Instant(secondsSinceEpoch: .min).rfc3339(offset: -3_600).hasPrefix("0001-01-01"))
        #expect(TimeZoneRules.utc.offset(at: Instant(secondsSinceEpoch: .max)) == 0)
    }

    @Test(
        arguments: [
            ("90s", 90), ("5m", 300), ("12h", 43_200), ("7d", 604_800), ("2w", 1_209_600), ("1h30m", 5_400),
            ("1d2h3m4s", 93_784), ("0s", 0),
        ] as [(String, Int64)])
    func `lengths of time are read`(text: String, seconds: Int64) throws {
        #expect(try TimeSpan(parsing: text).seconds == seconds)
        #expect(try TimeSpan(parsing: TimeSpan(seconds: seconds).description).seconds == seconds)
    }

    @Test(arguments: [
        ("", 0, "begins with a number"), ("5", 1, "needs a unit"), ("m5", 0, "begins with a number"),
        ("5 m", 1, "needs a unit"), ("5M", 1, "needs a unit"), ("5m1h", 2, "larger units"), ("5m5m", 2, "larger units"),
        ("-5m", 0, "begins with a number"), ("1.5h", 1, "needs a unit"), ("99999999999999999999s", 0, "too large"),
        ("9223372036854775807w", 0, "longer than"), ("37000d", 0, "longer than"), ("36600d1s", 6, "longer than"),
    ])
    func `what is no length of time is refused where it is wrong`(text: String, offset: Int, part: String) throws {
        let error = try #require(throws: TextError.self) { try TimeSpan(parsing: text) }
        #expect(error.offset == offset, "\(error)")
        #expect("\(error)".contains(part), "\(error)")
    }

    @Test(arguments: [
        ("2026-12-01", "2026-12-01"), ("2026-12-01 09:00", "2026-12-01T09:00:00"),
        ("2026-12-01T09:00:30", "2026-12-01T09:00:30"), ("2026-12-01 09:00Z", "2026-12-01T09:00:00Z"),
        ("2026-12-01T09:00:00+01:00", "2026-12-01T08:00:00Z"), ("2026-12-01T23:59:60", "2026-12-02T00:00:00"),
    ])
    func `dates and times of a file are read`(text: String, expected: String) throws {
        let read =
            switch try DateTimeText(parsing: text) {
            case .date(let date): "\(date)"
            case .local(let local): "\(local)"
            case .instant(let instant): "\(instant)"
            }
        #expect(read == expected)
    }
}
