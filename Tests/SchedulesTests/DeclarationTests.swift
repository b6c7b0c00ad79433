import TestSupport
import Testing

@testable import Schedules

@Suite struct DeclarationTests {
    @Test func `everything that is wrong is told at once, with its place`() throws {
        let declaration = ScheduleDeclaration(
            rules: [
                .cron("0 9 * * MOM"), .at(["2026-12-01", "2026-12-01 25:00"]), .every("5", anchor: "soon"),
                .every("0s"),
            ],
            timezone: "Europe/Berlni", starts: "2026-12-01", ends: "2026-11-30",
            except: [.date("2026-02-30"), .range(from: "2026-12-02", to: "2026-12-01")], jitter: "5 m", gap: "previous",
            overlapHour: "never", cronDays: "all")
        let errors = try #require(throws: ScheduleErrors.self) { try Schedule(declaration, campaign: "a") }.errors
        let places = errors.map { error in
            "\(error.field.rawValue) \(error.rule ?? -1) \(error.item ?? -1) \(error.part ?? "-") "
                + "\(error.text.offset)+\(error.text.length)"
        }
        #expect(
            places == [
                "timezone -1 -1 - 0+13", "gap -1 -1 - 0+8", "overlap_hour -1 -1 - 0+5", "cron_days -1 -1 - 0+3",
                "cron 0 -1 - 8+3", "at 1 0 - 10+0", "at 1 1 - 11+5", "every 2 -1 - 1+0", "anchor 2 -1 - 0+1",
                "every 3 -1 - 0+2", "ends -1 -1 - 0+10", "except -1 0 - 0+10", "except -1 1 to 0+10",
                "jitter -1 -1 - 1+1",
            ])
        #expect(errors.first?.remedy == "did you mean 'Europe/Berlin'?")
        #expect(errors.allSatisfy { !$0.problem.isEmpty && !$0.remedy.isEmpty })
    }

    @Test(arguments: [
        (ScheduleDeclaration(rules: []), "no rule"), (ScheduleDeclaration(rules: [.at([])]), "list of times is empty"),
        (ScheduleDeclaration(rules: [.every("6h")], timezone: "recipient"), "follows the hours"),
        (ScheduleDeclaration(rules: [.cron("0 */2 * * *")], timezone: "recipient"), "follows the hours"),
        (ScheduleDeclaration(rules: [.at(["2026-12-01 09:00Z"])], timezone: "recipient"), "leave the offset out"),
        (
            ScheduleDeclaration(rules: [.cron("@daily")], timezone: "recipient", starts: "2026-12-01 09:00Z"),
            "leave the offset out"
        ),
        (
            ScheduleDeclaration(rules: [.cron("@daily")], fallbackTimezone: "Europe/Berlin"),
            "belongs to timezone: recipient"
        ),
        (
            ScheduleDeclaration(rules: [.cron("@daily")], timezone: "recipient", fallbackTimezone: "Europe/Berlni"),
            "did you mean 'Europe/Berlin'"
        ),
        (ScheduleDeclaration(rules: [.cron("@daily")], limit: 3), "limit counts from starts"),
        (ScheduleDeclaration(rules: [.cron("@daily")], starts: "2026-12-01", limit: 0), "from 1 to 10000"),
        (ScheduleDeclaration(rules: [.cron("@daily")], except: [.calendar("holidays")]), "no date and no calendar"),
        (ScheduleDeclaration(rules: [.cron("@daily")], only: [.init(days: "MON#1")]), "same days of every week"),
        (ScheduleDeclaration(rules: [.cron("@daily")], only: [.init(days: "MOM")]), "did you mean MON"),
        (ScheduleDeclaration(rules: [.cron("@daily")], only: [.init(hours: "9-18")]), "exactly 2 digits"),
        (ScheduleDeclaration(rules: [.cron("@daily")], only: [.init(hours: "09:00-24:30")]), "no clock shows"),
        (ScheduleDeclaration(rules: [.cron("@daily")], only: [.init(hours: "09:00-09:00")]), "ends when it begins"),
        (ScheduleDeclaration(rules: [.at(["2200-01-01 00:00"])]), "year 2199"),
        (ScheduleDeclaration(rules: [.cron("@daily")], timezone: "+02:00"), "no time zone '+02:00'"),
    ])
    func `what cannot be a schedule is refused`(declaration: ScheduleDeclaration, part: String) throws {
        let errors = try #require(throws: ScheduleErrors.self) { try Schedule(declaration, campaign: "a") }
        #expect(errors.description.contains(part))
    }

    @Test func `the surroundings' zone holds where none is written`() throws {
        let schedule = try Schedule(
            ScheduleDeclaration(rules: [.cron("@daily")]), campaign: "a", defaultTimezone: "Asia/Tokyo")
        #expect(schedule.zone.name == "Asia/Tokyo")
    }

    @Test func `a request is answered or refused with the reason`() throws {
        let daily = ScheduleDeclaration(rules: [.cron("@daily")])
        #expect(try NextRequest(schedule: daily, after: "2026-12-01T00:00:00Z", count: 0).answer() == [])
        #expect(throws: NextRequest.Failure.count(-1)) {
            try NextRequest(schedule: daily, after: "2026-12-01T00:00:00Z", count: -1).answer()
        }
        #expect(throws: NextRequest.Failure.self) {
            try NextRequest(schedule: daily, after: "tomorrow", count: 1).answer()
        }
        let error = try #require(throws: NextRequest.Failure.self) {
            try NextRequest(schedule: ScheduleDeclaration(rules: []), after: "2026-12-01T00:00:00Z", count: 1).answer()
        }
        #expect(error.description.contains("no rule"))
    }

    @Test func `no text breaks the readers, and every error lies in its text`() throws {
        var random = SeededGenerator(seed: 5)
        let seeds = [
            "*/15 0 1,15 * 1-5", "0 9 LW JAN-FEB MON#2", "H(0-29)/10 H * * FRIL", "2026-12-01T09:00:00+01:00", "1h30m",
            "@weekly", "0 0 15W 2 ?", "2026-12-01 09:00",
        ].map { Array($0.utf8) }
        let alphabet = Array("0123456789*/,-#?LWHlwh() \t@:.+TZzmhdsé\u{0}MONJAN".utf8)
        for _ in 0..<60_000 {
            var bytes = seeds.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
                case 1 where place < bytes.count: bytes.remove(at: place)
                default: if place < bytes.count { bytes[place] = alphabet.randomElement(using: &random) ?? 0 }
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            for error in [
                Self.error(of: { () throws(TextError) in _ = try CronExpression(parsing: text, seed: "a") }),
                Self.error(of: { () throws(TextError) in _ = try DateTimeText(parsing: text) }),
                Self.error(of: { () throws(TextError) in _ = try Instant(rfc3339: text) }),
                Self.error(of: { () throws(TextError) in _ = try TimeSpan(parsing: text) }),
            ] {
                guard let error else { continue }
                #expect(
                    error.offset >= 0 && error.length >= 0 && error.offset + error.length <= text.utf8.count,
                    "\(text): \(error)")
                #expect(
                    Self.isBoundary(error.offset, of: text) && Self.isBoundary(error.offset + error.length, of: text))
            }
        }
    }

    private static func error(of read: () throws(TextError) -> Void) -> TextError? {
        do {
            try read()
            return nil
        } catch {
            return error
        }
    }

    private static func isBoundary(_ offset: Int, of text: String) -> Bool {
        let bytes = Array(text.utf8)
        return offset >= bytes.count || bytes[offset] & 0xC0 != 0x80
    }
}
