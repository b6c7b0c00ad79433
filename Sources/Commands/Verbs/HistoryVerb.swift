import CommandLineKit
import FoundationEssentials
import JSON
import Push
import Schedules
import Storage

enum HistoryVerb: Verb {
    private static let campaign = Argument(.text("CAMPAIGN"), .optional, "Runs of this campaign only.")
    private static let limit = Option(
        "limit", .number(in: 0...1_000_000), default: "20 runs, 100 deliveries", "Rows at the most; 0 shows all.")
    private static let run = Option("run", .number("ID", in: 1...Int.max), "Show the deliveries of this run.")
    private static let status = RepeatedOption(
        "status", ValueParser<PushDeliveryStatus>.choice("STATUS"),
        "With --run: deliveries with this status, such as token_expired; may be repeated.")

    static let command = Command(
        "history", abstract: "Show runs, the newest first, or the deliveries of one run.",
        discussion: """
            A run is what the scheduler did for one occurrence of a campaign. Its counts tell how many devices were \
            sent to, failed, had their token removed (they are among the failed), were skipped by an interceptor, and \
            how many got no answer.
            """,
        arguments: [campaign], options: [limit, run, status],
        examples: [
            .init("carillon history weekly-digest", "The last runs of one campaign."),
            .init("carillon history --run 12 --status token_expired", "Whose token turned out to be dead."),
        ])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let command = invocation.command
        if !command[status].isEmpty, command[run] == nil { throw command.error("--status needs --run") }
        if command[run] != nil, !command[campaign].isEmpty { throw command.error("--run goes without CAMPAIGN") }
        let store = try await invocation.openExistingStore()
        return try await closing(store) {
            if let id = command[run] {
                try await showDeliveries(RunID(rawValue: Int64(id)), store, invocation)
            } else {
                try await showRuns(store, invocation)
            }
            return .success
        }
    }

    private static func limit(_ invocation: Invocation, default standard: Int) -> Int {
        invocation.command[limit].map { $0 == 0 ? .max : $0 } ?? standard
    }

    private static func showRuns(_ store: any Store, _ invocation: Invocation) async throws {
        let runs = try await store.runs(
            campaign: invocation.command[campaign].first, limit: limit(invocation, default: 20))
        switch invocation.options.format {
        case .json: try invocation.print(.array(runs.map { .object($0.json) }))
        case .text:
            guard !runs.isEmpty else {
                try invocation.note(
                    invocation.command[campaign].first.map { "No runs of '\($0)' yet." } ?? "No runs yet.")
                return
            }
            try invocation.print(table(runs))
        }
    }

    private static func table(_ runs: [Run]) -> TextTable {
        var table = TextTable([
            ("run", .right), ("campaign", .left), ("occurrence", .left), ("state", .left), ("sent", .right),
            ("failed", .right), ("removed", .right), ("skipped", .right), ("uncertain", .right), ("took", .right),
            ("reason", .left),
        ])
        for run in runs {
            let counts = run.counts
            table.append(
                ["\(run.id.rawValue)", run.campaign, run.occurrence.rfc3339(), run.state.rawValue]
                    + [counts.sent, counts.failed, counts.tokensRemoved, counts.skipped, counts.uncertain].map(grouped)
                    + [
                        run.finishedAt.map { elapsed($0.timeIntervalSince(run.startedAt)) } ?? "-",
                        run.reason ?? "",
                    ])
        }
        return table
    }

    private static func showDeliveries(_ id: RunID, _ store: any Store, _ invocation: Invocation) async throws {
        let run = try await store.run(id)
        let wanted = Set(invocation.command[status])
        let limit = limit(invocation, default: 100)
        var printer: any DeliveryPrinter =
            invocation.options.format == .json ? JSONDeliveries(invocation) : TextDeliveries(invocation)
        try printer.begin(run)
        var shown = 0
        var cursor = RegistrationID.unsaved
        while shown < limit {
            let page = try await store.deliveries(of: id, after: cursor, limit: 1_000)
            guard let last = page.last else { break }
            cursor = last.registrationID
            let matching = page.filter { wanted.isEmpty || wanted.contains($0.status) }.prefix(limit - shown)
            shown += matching.count
            try printer.add(Array(matching))
        }
        try printer.end()
        if shown == limit { try invocation.note("The first \(counted(shown, "row")); --limit 0 shows all.") }
    }
}

/// How the deliveries of a run are printed, page by page.
private protocol DeliveryPrinter {
    mutating func begin(_ run: Run) throws
    mutating func add(_ deliveries: [Delivery]) throws
    mutating func end() throws
}

private struct TextDeliveries: DeliveryPrinter {
    let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func begin(_ run: Run) throws {
        let style = invocation.style
        try invocation.print(
            "Run \(run.id.rawValue) of \(style.bold(run.campaign)) for \(run.occurrence.rfc3339()): \(run.state.rawValue)"
        )
        if let reason = run.reason { try invocation.print(reason) }
        try invocation.print("\(run.counts.sentence); batch \(run.batchID)")
        try invocation.print()
    }

    func add(_ deliveries: [Delivery]) throws {
        guard !deliveries.isEmpty else { return }
        var table = TextTable([
            ("device", .right), ("status", .left), ("provider", .left), ("message id", .left), ("reason", .left),
        ])
        for delivery in deliveries {
            table.append([
                "\(delivery.registrationID.rawValue)", delivery.status.rawValue, delivery.provider ?? "-",
                delivery.providerMessageID ?? "-", delivery.reason ?? "",
            ])
        }
        try invocation.print(table)
    }

    func end() {}
}

private struct JSONDeliveries: DeliveryPrinter {
    private let invocation: Invocation
    private var writer = JSONWriter()
    private var isFirst = true

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// The run's own object is left open for the deliveries, which may be too many to hold.
    mutating func begin(_ run: Run) throws {
        var text = JSON.object(run.json).serialized()
        text.removeLast()
        try invocation.environment.output.write(text + ",\"deliveries\":[")
    }

    mutating func add(_ deliveries: [Delivery]) throws {
        for delivery in deliveries {
            try invocation.environment.output.write(isFirst ? "\n" : ",\n")
            isFirst = false
            try invocation.environment.output.write(JSON.object(delivery.json).serializedBytes())
        }
    }

    func end() throws { try invocation.environment.output.write("\n]}\n") }
}

extension Run {
    /// The run as `history --format json` prints it; times are RFC 3339.
    var json: JSONObject {
        [
            "id": .int(id.rawValue), "campaign": .string(campaign), "occurrence": .string(occurrence.rfc3339()),
            "state": .string(state.rawValue), "reason": reason.map { .string($0) } ?? .null,
            "counts": counts.json, "batch_id": .string(batchID),
            "started_at": .string(Instant(startedAt).rfc3339()),
            "finished_at": finishedAt.map { .string(Instant($0).rfc3339()) } ?? .null,
        ]
    }
}

extension Delivery {
    var json: JSONObject {
        [
            "device": .int(registrationID.rawValue), "status": .string(status.rawValue),
            "provider": provider.map { .string($0) } ?? .null, "reason": reason.map { .string($0) } ?? .null,
            "provider_message_id": providerMessageID.map { .string($0) } ?? .null,
        ]
    }
}
