import Campaigns
import CommandLineKit
import FoundationEssentials
import JSON
import Push
import Scheduler
import Schedules
import Storage

enum RunVerb: Verb {
    private static let once = Flag("once", "Run what is due now, then end; for cron and CI.")
    private static let dryRun = Flag("dry-run", "Tell what would be sent, and send and record nothing.")
    private static let until = Option("until", .instant, "End when everything up to this instant was dealt with.")

    static let command = Command(
        "run", abstract: "Run the scheduler: send what is due, when it is due.",
        discussion: """
            Campaign files are read again when they change. SIGINT and SIGTERM end it cleanly: what is being sent is \
            recorded, and the next start goes on there. A second signal ends it at once.

            With --once the exit code is 1 when a delivery failed or a file is wrong, and 3 when the store could not be \
            used; with --dry-run it is 1 when a delivery would fail or a file is wrong. One line is printed for each \
            run that ended, as JSON with --format json. A terminal shows how far the runs have come.
            """,
        options: [once, dryRun, until],
        examples: [
            .init("carillon run", "Run until it is stopped."),
            .init("carillon run --once --now 2026-12-07T09:00:00+01:00", "Run what is due at that time."),
            .init("carillon run --dry-run --until 2026-12-08", "What the next days would send, and to how many."),
        ])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let command = invocation.command
        if command[once], command[until] != nil, !command[dryRun] {
            throw command.error("--once and --until exclude each other")
        }
        if invocation.options.now != nil, !command[once], !command[dryRun] {
            throw command.error("--now goes with --once or --dry-run")
        }
        if command[dryRun] {
            return try await invocation.withEngine(.rehearsal) { engine in
                try await rehearse(engine, invocation)
            }
        }
        // Later the folder may come and go; a scheduler that never saw it has the wrong path.
        guard FileManager.default.fileExists(atPath: invocation.campaignsPath) else {
            throw CampaignDirectoryError(path: invocation.campaignsPath, reason: "there is no such folder")
        }
        return try await invocation.withEngine(.sending) { engine in
            try await command[once] ? runOnce(engine, invocation) : runLoop(engine, invocation)
        }
    }

    // MARK: Sending

    private static func loop(
        _ engine: Engine, _ reporter: RunReporter, _ invocation: Invocation
    ) throws -> SchedulerLoop {
        let configuration = engine.configuration
        // Providers keep the true time: their tokens and lifetimes mean the world's clock, not the one that was set.
        let wall = invocation.options.now.map { WallClock.fixed(Date($0)) } ?? invocation.environment.clock
        return SchedulerLoop(
            store: engine.store,
            source: CampaignDirectorySource(path: invocation.campaignsPath, settings: configuration.campaignSettings),
            notifications: CampaignNotifications(),
            pipeline: try engine.pipeline(logger: reporter.logger, clock: invocation.environment.clock),
            settings: SchedulerSettings(
                pageSize: configuration.engine.pageSize, countsAudiences: reporter.showsProgress),
            clock: SchedulerClock(wall: wall, sleep: SchedulerClock.system.sleep),
            onEvent: { reporter.report($0) })
    }

    private static func runOnce(_ engine: Engine, _ invocation: Invocation) async throws -> ExitCode {
        let reporter = RunReporter(invocation)
        let loop = try loop(engine, reporter, invocation)
        let signals = invocation.environment.handlesSignals ? try StopSignals { loop.stop() } : nil
        let runs = try await loop.runOnce()
        withExtendedLifetime(signals) {}
        try reporter.end()
        // Nobody tries again after a single pass, and what was due may not even be claimed.
        if reporter.storeFailed { return .unreachable }
        if runs.isEmpty { try invocation.note("Nothing is due.") }
        return runs.contains(where: \.hasProblem) || reporter.sawProblem ? .findings : .success
    }

    private static func runLoop(_ engine: Engine, _ invocation: Invocation) async throws -> ExitCode {
        let reporter = RunReporter(invocation)
        let loop = try loop(engine, reporter, invocation)
        let signals = invocation.environment.handlesSignals ? try StopSignals { loop.stop() } : nil
        try await loop.run(until: invocation.command[until])
        withExtendedLifetime(signals) {}
        try reporter.end()
        return .success
    }

    // MARK: Rehearsing

    private static func rehearse(_ engine: Engine, _ invocation: Invocation) async throws -> ExitCode {
        let directory = try invocation.campaignDirectory(engine.configuration.campaignSettings)
        let planned = PlannedOccurrence.all(
            of: directory.campaigns, progress: try await engine.store.progress(), now: invocation.now,
            until: invocation.command[until], mode: .once)
        let dryRun = DryRun(
            registrations: engine.store, notifications: CampaignNotifications(),
            pipeline: try engine.pipeline(logger: invocation.logger, clock: invocation.environment.clock),
            pageSize: engine.configuration.engine.pageSize)
        var reports: [DryRunReport] = []
        var sawProblem = directory.diagnostics.containsErrors
        for plan in planned {
            do {
                reports.append(try await dryRun.report(plan.campaign, at: plan.occurrence))
            } catch {
                try invocation.complain("\(plan.campaign.id) at \(plan.occurrence): \(error)")
                sawProblem = true
            }
        }
        try show(reports, invocation)
        return sawProblem || reports.contains { !$0.failed.isEmpty } ? .findings : .success
    }

    private static func show(_ reports: [DryRunReport], _ invocation: Invocation) throws {
        switch invocation.options.format {
        case .json: try invocation.print(.array(reports.map { .object($0.json) }))
        case .text:
            if reports.isEmpty { try invocation.note("Nothing is due.") }
            for report in reports {
                try invocation.print(
                    "\(invocation.style.bold(report.campaign)) · \(LocalTimeText.text(report.occurrence))")
                for line in report.lines { try invocation.print("  " + line) }
            }
        }
    }
}

extension Run {
    /// Whether somebody should look at it.
    fileprivate var hasProblem: Bool {
        state == .failed || state == .partial || state == .sending || counts.failed > 0 || counts.uncertain > 0
    }
}
