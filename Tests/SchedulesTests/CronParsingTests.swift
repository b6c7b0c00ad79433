import Testing

@testable import Schedules

/// An expression, and the dates or times that it gives from Tuesday, 2026-12-01 on.
struct CronMeaning: Sendable, CustomTestStringConvertible {
    var cron: String
    var expected: [String]

    init(_ cron: String, _ expected: String...) {
        self.cron = cron
        self.expected = expected
    }

    var testDescription: String { cron }
}

@Suite struct CronParsingTests {
    @Test(arguments: [
        CronMeaning("*/20 * * * *", "2026-12-01T00:00:00Z", "2026-12-01T00:20:00Z", "2026-12-01T00:40:00Z"),
        CronMeaning("50/5 3 * * *", "2026-12-01T03:50:00Z", "2026-12-01T03:55:00Z", "2026-12-02T03:50:00Z"),
        CronMeaning("10-30/10 3 * * *", "2026-12-01T03:10:00Z", "2026-12-01T03:20:00Z", "2026-12-01T03:30:00Z"),
        CronMeaning("0 7,9 * * *", "2026-12-01T07:00:00Z", "2026-12-01T09:00:00Z", "2026-12-02T07:00:00Z"),
        CronMeaning("0 22-1 * * *", "2026-12-01T00:00:00Z", "2026-12-01T01:00:00Z", "2026-12-01T22:00:00Z"),
        CronMeaning("0 09 01 * *", "2026-12-01T09:00:00Z", "2027-01-01T09:00:00Z"),
        CronMeaning("\t0  9 *\t* mon ", "2026-12-07T09:00:00Z", "2026-12-14T09:00:00Z"),
        CronMeaning("0 9 1 jan,Jul *", "2027-01-01T09:00:00Z", "2027-07-01T09:00:00Z"),
        CronMeaning("0 9 1 11-2/2 *", "2027-01-01T09:00:00Z", "2027-11-01T09:00:00Z"),
        CronMeaning("0 9 * * 7", "2026-12-06T09:00:00Z", "2026-12-13T09:00:00Z"),
        CronMeaning("0 9 * * 0", "2026-12-06T09:00:00Z"),
        CronMeaning("0 9 * * 5-7", "2026-12-04T09:00:00Z", "2026-12-05T09:00:00Z", "2026-12-06T09:00:00Z"),
        CronMeaning("0 9 * * FRI-MON", "2026-12-04T09:00:00Z", "2026-12-05T09:00:00Z", "2026-12-06T09:00:00Z"),
        CronMeaning("0 9 * * */3", "2026-12-02T09:00:00Z", "2026-12-05T09:00:00Z", "2026-12-06T09:00:00Z"),
        CronMeaning("0 9 ? * MON", "2026-12-07T09:00:00Z"),
        CronMeaning("0 9 15 * ?", "2026-12-15T09:00:00Z"),
        CronMeaning("0 9 13 * FRI", "2026-12-04T09:00:00Z", "2026-12-11T09:00:00Z", "2026-12-13T09:00:00Z"),
        CronMeaning("0 9 */10 * FRI", "2026-12-01T09:00:00Z", "2026-12-04T09:00:00Z", "2026-12-11T09:00:00Z"),
        CronMeaning("0 9 *,5 * FRI", "2026-12-04T09:00:00Z", "2026-12-11T09:00:00Z"),
        CronMeaning("0 9 */1 * FRI", "2026-12-04T09:00:00Z", "2026-12-11T09:00:00Z"),
        CronMeaning("0 9 31 * *", "2026-12-31T09:00:00Z", "2027-01-31T09:00:00Z", "2027-03-31T09:00:00Z"),
        CronMeaning("0 9 29 2 *", "2028-02-29T09:00:00Z", "2032-02-29T09:00:00Z"),
        CronMeaning("0 9 L * *", "2026-12-31T09:00:00Z", "2027-01-31T09:00:00Z", "2027-02-28T09:00:00Z"),
        CronMeaning("0 9 L-1 * *", "2026-12-30T09:00:00Z", "2027-01-30T09:00:00Z", "2027-02-27T09:00:00Z"),
        CronMeaning("0 9 LW * *", "2026-12-31T09:00:00Z", "2027-01-29T09:00:00Z", "2027-02-26T09:00:00Z"),
        CronMeaning("0 9 15W * *", "2026-12-15T09:00:00Z", "2027-01-15T09:00:00Z", "2027-02-15T09:00:00Z"),
        CronMeaning("0 9 1W 5 *", "2027-05-03T09:00:00Z"),
        CronMeaning("0 9 31W 1 *", "2027-01-29T09:00:00Z"),
        CronMeaning("0 9 * * MON#2", "2026-12-14T09:00:00Z", "2027-01-11T09:00:00Z"),
        CronMeaning("0 9 * * 7#5", "2027-01-31T09:00:00Z", "2027-02-28T09:00:00Z".replacing("02-28", with: "05-30")),
        CronMeaning("0 9 * * FRIL", "2026-12-25T09:00:00Z", "2027-01-29T09:00:00Z"),
        CronMeaning("0 9 * * 5L", "2026-12-25T09:00:00Z", "2027-01-29T09:00:00Z"),
        CronMeaning("0 9 * * L5", "2026-12-25T09:00:00Z", "2027-01-29T09:00:00Z"),
        CronMeaning("*/30 0 9 * * *", "2026-12-01T09:00:00Z", "2026-12-01T09:00:30Z", "2026-12-02T09:00:00Z"),
        CronMeaning("@hourly", "2026-12-01T00:00:00Z", "2026-12-01T01:00:00Z"),
        CronMeaning("@daily", "2026-12-01T00:00:00Z", "2026-12-02T00:00:00Z"),
        CronMeaning("@Midnight", "2026-12-01T00:00:00Z", "2026-12-02T00:00:00Z"),
        CronMeaning("@weekly", "2026-12-06T00:00:00Z", "2026-12-13T00:00:00Z"),
        CronMeaning("@monthly", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"),
        CronMeaning("@yearly", "2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z"),
        CronMeaning("@annually", "2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z"),
    ])
    func `an expression means what the dialect says`(meaning: CronMeaning) throws {
        let found = try occurrences(cron: meaning.cron, after: "2026-11-30T23:59:59Z", count: meaning.expected.count)
        #expect(found == meaning.expected)
    }

    @Test func `both day fields can be asked for`() throws {
        let found = try occurrences(cron: "0 9 1-7 * WED", after: "2026-12-01T00:00:00Z", count: 2) {
            $0.cronDays = "both"
        }
        #expect(found == ["2026-12-02T09:00:00Z", "2027-01-06T09:00:00Z"])
    }

    @Test(
        arguments: [
            ("", 0, 0, "empty"), ("0 9 * *", 7, 0, "five fields"), ("0 9 * * * * *", 12, 1, "five fields"),
            ("60 9 * * *", 0, 2, "60 is out of range"), ("0 24 * * *", 2, 2, "24 is out of range"),
            ("0 9 0 * *", 4, 1, "0 is out of range"), ("0 9 32 * *", 4, 2, "32 is out of range"),
            ("0 9 * 13 *", 6, 2, "13 is out of range"), ("0 9 * * 8", 8, 1, "8 is out of range"),
            ("0 9 * * MOM", 8, 3, "did you mean MON"), ("0 9 * * monday", 8, 6, "did you mean MON"),
            ("0 9 * JUNE *", 6, 4, "did you mean JUN"), ("0 9 * * TODAY", 8, 5, "MON-FRI"),
            ("*/0 * * * *", 2, 1, "step of 0"), ("*/90 * * * *", 2, 2, "every:"),
            ("*/ * * * *", 2, 0, "a number is missing"),
            ("5,,6 * * * *", 2, 0, "between the commas"), ("5, * * * *", 2, 0, "between the commas"),
            ("1- * * * *", 2, 0, "a number is missing"), ("-1 * * * *", 0, 1, "a number was expected"),
            ("1–5 * * * *", 1, 3, "does not belong here"), ("1.5 * * * *", 1, 1, "does not belong here"),
            ("? * * * *", 0, 1, "two day fields"), ("0 9 1,? * *", 6, 1, "cannot stand in a list"),
            ("0 9 ?/2 * *", 5, 1, "nothing can follow ?"),
            ("L * * * *", 0, 1, "two day fields"), ("0 9 * * L", 8, 1, "FRIL"), ("0 9 L-31 * *", 6, 2, "L-1 to L-30"),
            ("0 9 * * MON#6", 12, 1, "#1 to #5"), ("0 9 * * MON#0", 12, 1, "#1 to #5"),
            ("0 9 1#2 * *", 5, 1, "does not belong"),
            ("30 2 30 2 *", 5, 6, "never fires"), ("0 0 31 4,6,9,11 *", 4, 13, "never fires"),
            ("@dayly", 0, 6, "did you mean @daily"), ("@reboot", 0, 7, "no reboot"),
            ("@every 5m", 0, 6, "write every:"),
            ("@daily 5", 7, 1, "nothing can follow"), ("TZ=UTC 0 9 * * *", 0, 6, "timezone:"),
            ("99999999999999999999 * * * *", 0, 20, "out of range"), ("H(5-2) * * * *", 2, 3, "backwards"),
            ("H(5 * * * *", 3, 0, "needs a -"), ("0 9 * * * é", 10, 2, "was expected"),
        ] as [(String, Int, Int, String)])
    func `a wrong expression is refused where it is wrong`(
        cron: String, offset: Int, length: Int, part: String
    ) throws {
        let error = try #require(throws: TextError.self) { try CronExpression(parsing: cron) }
        #expect("\(error)".contains(part), "\(error)")
        #expect(error.offset == offset, "\(error)")
        #expect(error.length == length, "\(error)")
    }

    @Test func `H spreads campaigns over the field and stays where it is`() throws {
        let minutes = try (0..<500).map { try CronExpression(parsing: "H 9 * * *", seed: "campaign-\($0)").minutes }
        #expect(Set(minutes).count > 55)
        #expect(try CronExpression(parsing: "H 9 * * *", seed: "weekly-digest").minutes.trailingZeroBitCount == 39)
        for index in 0..<200 {
            let cron = try CronExpression(parsing: "H(10-19)/5 H(8-17) H * H", seed: "campaign-\(index)")
            #expect(cron.minutes & ~0xFFC00 == 0)
            #expect(cron.minutes.nonzeroBitCount == 2)
            #expect(cron.hours.nonzeroBitCount == 1 && (8...17).contains(cron.hours.trailingZeroBitCount))
            #expect(!cron.followsTheHour)
        }
        #expect(try CronExpression(parsing: "0 H/2 * * *", seed: "x").followsTheHour)
    }

    @Test func `months without the day are known`() throws {
        #expect(try CronExpression(parsing: "0 9 31 * *").monthsWithoutADay == [2, 4, 6, 9, 11])
        #expect(try CronExpression(parsing: "0 9 29 * *").monthsWithoutADay == [])
    }
}
