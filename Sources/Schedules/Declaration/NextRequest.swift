/// What `next --jsonl` asks: the occurrences of a schedule after an instant.
package struct NextRequest: Sendable, Hashable {
    /// More than this in one answer is refused.
    package static let largestCount = 100_000

    package var schedule: ScheduleDeclaration
    /// RFC 3339
    package var after: String
    package var count: Int
    /// What jitter and `H` are hashed from.
    package var campaign: String

    package init(schedule: ScheduleDeclaration, after: String, count: Int, campaign: String = "") {
        self.schedule = schedule
        self.after = after
        self.count = count
        self.campaign = campaign
    }

    /// Why there is no answer.
    package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
        case schedule(ScheduleErrors)
        case after(TextError)
        case count(Int)

        package var description: String {
            switch self {
            case .schedule(let errors): "\(errors)"
            case .after(let error): "after: \(error.problem); \(error.remedy)"
            case .count(let count): "count: \(count) is not between 0 and \(NextRequest.largestCount)"
            }
        }
    }

    /// Fewer than `count` where the schedule ends earlier.
    package func answer(
        defaultTimezone: String = "UTC", timeZones: TimeZoneDatabase = .system
    ) throws(Failure) -> [Occurrence] {
        guard (0...Self.largestCount).contains(count) else { throw .count(count) }
        let start: Instant
        do {
            start = try Instant(rfc3339: after)
        } catch {
            throw .after(error)
        }
        let schedule: Schedule
        do {
            schedule = try Schedule(
                self.schedule, campaign: campaign, defaultTimezone: defaultTimezone, timeZones: timeZones)
        } catch {
            throw .schedule(error)
        }
        return schedule.occurrences(after: start, limit: count)
    }
}
