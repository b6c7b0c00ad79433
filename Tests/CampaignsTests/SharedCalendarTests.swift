import Schedules
import Testing

@testable import Campaigns

@Suite struct SharedCalendarTests {
    private let campaign = """
        schedule: {cron: "0 9 * * *", timezone: Europe/Berlin, except: [holidays-de, 2026-12-28]}
        filter: everyone
        notification: {title: Hello}

        """

    private func folder(_ files: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(name, text) }
        return folder
    }

    private func occurrences(_ directory: CampaignDirectory, after: String, count: Int) throws -> [String] {
        let schedule = try #require(directory.campaigns.first?.schedule)
        return schedule.occurrences(after: try Instant(rfc3339: after), limit: count).map { "\($0.local.date)" }
    }

    @Test func `a campaign names a calendar of the shared folder`() throws {
        let folder = try self.folder([
            "daily.yaml": campaign,
            "_calendars/holidays.yaml": """
            holidays-de:
              - 12-25
              - 02-29
              - {from: 2026-12-31, to: 2027-01-02}
            holidays-fr: [07-14]

            """,
        ])
        let directory = try CampaignDirectory.load(folder.path)
        #expect(directory.diagnostics.map(\.description) == [])
        #expect(
            try occurrences(directory, after: "2026-12-24T12:00:00Z", count: 5) == [
                "2026-12-26", "2026-12-27", "2026-12-29", "2026-12-30", "2027-01-03",
            ])
        #expect(
            try occurrences(directory, after: "2028-02-28T12:00:00Z", count: 1) == ["2028-03-01"])
    }

    @Test(arguments: [
        ("holidays: [12-25]", "there are holidays"), ("holidays-de: [13-25]", "no year has the day 13-25"),
        ("holidays-de: []", "empty list"), ("holidays-de: [{from: 2026-12-25}]", "needs from and to"),
        ("2026: [12-25]\nholidays-de: [12-25]", "begins with a letter"), ("[12-25]", "takes a mapping of names"),
        ("holidays-de: [12-25]\nholidays-de: [12-26]", "holidays-de"),
        ("holidays-de: [{from: 2026-12-25, to: 2026-12-24}]", "ends before it begins"),
        ("holidays-de: [2026-02-30]", "_calendars/a.yaml:1:15"),
    ])
    func `what is wrong with a calendar is told at its place`(text: String, message: String) throws {
        let folder = try self.folder(["daily.yaml": campaign, "_calendars/a.yaml": text + "\n"])
        let directory = try CampaignDirectory.load(folder.path)
        #expect(directory.diagnostics.contains { $0.description.contains(message) }, "\(directory.diagnostics)")
    }

    @Test func `a calendar that two files have is an error`() throws {
        let folder = try self.folder([
            "daily.yaml": campaign, "_calendars/a.yaml": "holidays-de: [12-25]\n",
            "_calendars/b.yaml": "holidays-de: [12-26]\n",
        ])
        let found = try CampaignDirectory.load(folder.path).diagnostics
        #expect(found.map(\.code) == [.duplicateCalendar])
    }
}
