import Campaigns
import CommandLineKit
import JSON
import Schedules

enum NextVerb: Verb {
    private static let campaigns = Argument(
        .text("CAMPAIGN"), .repeated, "The campaigns to look at; all that are enabled if none is given.")
    private static let count = Option(
        "count", short: "n", .number(in: 1...NextRequest.largestCount), default: "3, or all up to --until",
        "Occurrences of each campaign at the most.")
    private static let until = Option("until", .instant, "No occurrence after this.")
    private static let perCampaign = Flag(
        "per-campaign", "List one campaign after the other instead of all in the order of time.")
    private static let month = Option(
        "month", .text("YYYY-MM"), "Show a month, with how often something fires on each day.")
    private static let explain = Flag(
        "explain", "Say in words what each schedule means, which clock changes it meets, and why it is silent.")
    private static let calendarFile = Flag("ics", "Write the occurrences as an iCalendar file.")
    private static let lines = Flag(
        "jsonl", "Read one JSON object a line from the standard input and answer each with one line.")

    static let command = Command(
        "next", abstract: "Show upcoming occurrences.",
        discussion: """
            Times are those of the campaign's own time zone. --now sets the time to look from. Files that are wrong \
            are told, the others listed all the same; the exit code is then 2.

            With --jsonl each line of input is {"schedule": {… as in a campaign file …}, "after": "RFC 3339", \
            "count": 5}, and each line of output is {"occurrences": ["RFC 3339", …]} or {"error": "…"}, in the same \
            order. Campaign files are then not read.
            """,
        arguments: [campaigns], options: [count, until, perCampaign, month, explain, calendarFile, lines],
        examples: [
            .init("carillon next", "The next occurrences of all campaigns."),
            .init("carillon next weekly-digest --until 2027-01-01", "What one campaign does until the new year."),
            .init("carillon next weekly-digest --explain", "What its schedule means."),
            .init("carillon next --month 2026-12", "How busy December is."),
            .init(
                "carillon next --until 2027-12-31 --ics > campaigns.ics", "The plan of a year for a calendar program."),
        ])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        if invocation.command[lines] { return try answerLines(invocation) }
        let settings = try invocation.configuration().campaignSettings
        let names = invocation.command[campaigns]
        let directory = try names.isEmpty ? invocation.campaignDirectory(settings) : nil
        let chosen =
            try directory?.campaigns.filter(\.isEnabled) ?? names.map { try invocation.campaign($0, settings) }
        let forms = [
            ("--month", invocation.command[month] != nil), ("--explain", invocation.command[explain]),
            ("--ics", invocation.command[calendarFile]),
        ].filter(\.1).map(\.0)
        guard forms.count < 2 else {
            throw UsageError("\(forms.joined(separator: " and ")) exclude each other", path: ["next"])
        }
        if let month = invocation.command[month] {
            try show(month, chosen, invocation)
        } else if invocation.command[explain] {
            try explain(chosen, invocation)
        } else {
            try list(upcoming(chosen, invocation), invocation)
        }
        for campaign in chosen where !campaign.isEnabled {
            try invocation.note("\(campaign.id) is not enabled: it will not fire.")
        }
        return directory?.diagnostics.containsErrors ?? false ? .usage : .success
    }

    private static func list(_ upcoming: [Upcoming], _ invocation: Invocation) throws {
        if invocation.command[calendarFile] {
            let file = CalendarFile(upcoming.map { ($0.campaign, $0.occurrence) }, now: invocation.now)
            try invocation.environment.output.write(Array(file.text.utf8))
        } else if invocation.options.format == .json {
            try invocation.print(.array(upcoming.map { .object($0.json) }))
        } else {
            try show(upcoming, invocation)
        }
    }

    private static func explain(_ campaigns: [Campaign], _ invocation: Invocation) throws {
        let until = invocation.command[until]
        let limit = invocation.command[count] ?? (until == nil ? 3 : NextRequest.largestCount)
        let explanations = campaigns.map { campaign in
            let occurrences = campaign.schedule.occurrences(after: invocation.now, through: until, limit: limit)
            return ScheduleExplanation(campaign, occurrences: occurrences, after: invocation.now)
        }
        switch invocation.options.format {
        case .json: try invocation.print(.array(explanations.map { .object($0.json) }))
        case .text:
            for (index, explanation) in explanations.enumerated() {
                if index > 0 { try invocation.print() }
                for line in explanation.lines { try invocation.print(line) }
            }
        }
    }

    /// Counts all occurrences of the month, by the clocks of each campaign.
    private static func show(_ month: String, _ campaigns: [Campaign], _ invocation: Invocation) throws {
        guard var view = MonthView(month) else {
            throw UsageError("'\(month)' is no month; write one like 2026-12", path: ["next"])
        }
        for campaign in campaigns {
            let zone = campaign.schedule.zone
            let end = zone.startOfDay(view.end).advanced(bySeconds: -1)
            let found = campaign.schedule.occurrences(
                after: zone.startOfDay(view.first).advanced(bySeconds: -1), through: end,
                limit: NextRequest.largestCount)
            for occurrence in found { view.count(occurrence.local.date) }
        }
        for line in view.lines { try invocation.print(line) }
    }

    private struct Upcoming {
        var campaign: Campaign
        var occurrence: Occurrence

        var json: JSONObject {
            var object: JSONObject = [
                "campaign": .string(campaign.id), "occurrence": .string("\(occurrence)"),
                "timezone": .string(campaign.schedule.zone.name),
            ]
            if occurrence.delay.seconds > 0 {
                object["fires_at"] = .string(occurrence.firesAt.rfc3339(offset: occurrence.offset))
            }
            return object
        }
    }

    private static func upcoming(_ campaigns: [Campaign], _ invocation: Invocation) -> [Upcoming] {
        let until = invocation.command[until]
        let limit = invocation.command[count] ?? (until == nil ? 3 : NextRequest.largestCount)
        let lists = campaigns.map { campaign in
            campaign.schedule.occurrences(after: invocation.now, through: until, limit: limit)
                .map { Upcoming(campaign: campaign, occurrence: $0) }
        }
        if invocation.command[perCampaign] { return lists.flatMap(\.self) }
        return lists.flatMap(\.self)
            .sorted { ($0.occurrence.instant, $0.campaign.id) < ($1.occurrence.instant, $1.campaign.id) }
    }

    private static func show(_ upcoming: [Upcoming], _ invocation: Invocation) throws {
        guard !upcoming.isEmpty else {
            try invocation.note("Nothing is to come.")
            return
        }
        var table = TextTable([("when", .left), ("zone", .left), ("in", .left), ("campaign", .left)])
        for next in upcoming {
            let occurrence = next.occurrence
            let wait = occurrence.firesAt.secondsSinceEpoch - invocation.now.secondsSinceEpoch
            let jitter = occurrence.delay.seconds > 0 ? " (+\(occurrence.delay))" : ""
            table.append([
                LocalTimeText.text(occurrence), next.campaign.schedule.zone.name, relative(wait) + jitter,
                next.campaign.id,
            ])
        }
        try invocation.print(table)
    }

    // MARK: Many schedules

    private static func answerLines(_ invocation: Invocation) throws -> ExitCode {
        try JSONLinesSeam.run(invocation) { request in
            try request.refuseKeys(otherThan: ["schedule", "after", "count", "campaign"])
            guard let schedule = request["schedule"] else { throw JSONLinesSeam.Refusal("'schedule' is missing") }
            guard let after = try request.text("after") else { throw JSONLinesSeam.Refusal("'after' is missing") }
            guard let count = (request["count"] ?? 1).intValue, (0...Int64(NextRequest.largestCount)).contains(count)
            else {
                throw JSONLinesSeam.Refusal("'count' must be a whole number from 0 to \(NextRequest.largestCount)")
            }
            let start: Instant
            do throws(TextError) {
                start = try Instant(rfc3339: after)
            } catch {
                throw JSONLinesSeam.Refusal("'after': \(error.problem); \(error.remedy)")
            }
            let read = try CampaignSchedule(json: schedule, campaign: try request.text("campaign") ?? "")
            return [
                "occurrences": .array(
                    read.occurrences(after: start, limit: Int(count)).map { .string("\($0)") })
            ]
        }
    }
}
