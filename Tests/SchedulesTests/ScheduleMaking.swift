@testable import Schedules

/// The times at which a schedule fires after an instant, as texts.
func occurrences(
    _ rules: [ScheduleDeclaration.Rule], in zone: String, after: String, count: Int,
    adjust: (inout ScheduleDeclaration) -> Void = { _ in }
) throws -> [String] {
    var declaration = ScheduleDeclaration(rules: rules, timezone: zone)
    adjust(&declaration)
    return try NextRequest(schedule: declaration, after: after, count: count, campaign: "test").answer()
        .map(\.description)
}

func occurrences(
    cron: String, in zone: String = "UTC", after: String, count: Int = 1,
    adjust: (inout ScheduleDeclaration) -> Void = { _ in }
) throws -> [String] {
    try occurrences([.cron(cron)], in: zone, after: after, count: count, adjust: adjust)
}
