package import Campaigns
import Push
package import Schedules
package import Storage

/// What the scheduler tells whoever shows it.
package enum SchedulerEvent: Sendable {
    /// The campaigns were read for the first time, or again because files changed.
    case campaignsLoaded(CampaignChanges)
    /// Problems in campaign files, each told once for as long as it lasts.
    case diagnostics([Diagnostic])
    /// A problem with the folder of the campaigns as a whole; everything goes on as it was.
    case treeProblem(String)
    /// A run begins, or goes on after an interruption.
    case runStarted(Run, isResumed: Bool)
    /// A page was recorded.
    case runProgress(RunProgress)
    case runFinished(Run)
    /// A run stopped before its end and will go on after its last recorded page.
    case runInterrupted(Run, reason: String)
    /// Occurrences passed without a run.
    case missed(campaign: String, MissedOccurrences)
    /// What an occurrence would have done.
    case dryRun(DryRunReport)
    /// Nothing is due before this instant; nil when nothing ever is.
    case waiting(until: Instant?)
    /// The store could not be used; it is tried again.
    case storeFailed(String)
}

/// What a reload changed.
package struct CampaignChanges: Sendable, Hashable {
    package var total: Int
    package var added: [String]
    package var changed: [String]
    package var removed: [String]
}

/// How far a run has come.
package struct RunProgress: Sendable, Hashable {
    package var run: Run
    /// How many devices the filter selected when the run began; nil when nobody asked for it.
    package var audience: Int?
    /// Devices dealt with since the run was begun or resumed.
    package var handled: Int
    package var elapsed: Duration

    package init(run: Run, audience: Int?, handled: Int, elapsed: Duration) {
        self.run = run
        self.audience = audience
        self.handled = handled
        self.elapsed = elapsed
    }

    /// Devices a second; nil while it cannot be told.
    package var rate: Double? {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        return seconds > 0 && handled > 0 ? Double(handled) / seconds : nil
    }

    /// How much longer it takes at this rate.
    package var timeLeft: Duration? {
        guard let audience, let rate else { return nil }
        return .seconds(Double(max(0, audience - run.counts.total)) / rate)
    }
}
