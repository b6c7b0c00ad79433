import JSON
import Schedules
import Testing

@testable import Campaigns

@Suite struct ScheduleJSONTests {
    private func occurrences(_ text: String) throws -> [String] {
        let schedule = try CampaignSchedule(json: try JSON(parsing: Array(text.utf8)))
        return schedule.occurrences(after: try Instant(rfc3339: "2026-12-01T00:00:00Z"), limit: 2).map(\.description)
    }

    @Test(arguments: [
        (
            #"{"cron": "0 9 * * *", "timezone": "Europe/Berlin"}"#,
            ["2026-12-01T09:00:00+01:00", "2026-12-02T09:00:00+01:00"]
        ),
        (#"[{"every": "1h"}, {"at": ["2026-12-01 00:30"]}]"#, ["2026-12-01T00:30:00Z", "2026-12-01T01:00:00Z"]),
    ])
    func `a schedule in JSON means what it means in a file`(text: String, expected: [String]) throws {
        #expect(try occurrences(text) == expected)
    }

    @Test(arguments: [
        (#"{"cron": "61 * * * *"}"#, "in the minute field"), (#"{"cron": "* * * * *", "zone": 1}"#, "unknown key"),
        (#""0 9 * * *""#, "takes a mapping"), ("null", "has no value"), ("[]", "empty list"),
        (#"{"every": 5}"#, "needs a unit"), (#"{"cron": "0 9 * * *", "timezone": "é"}"#, "no time zone"),
        (#"{"at": ["2026-12-01 00:00", 5, {}]}"#, "takes text, not a mapping"),
    ])
    func `what is wrong with one is said`(text: String, message: String) {
        let error = #expect(throws: ScheduleJSONError.self) { try occurrences(text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
}
