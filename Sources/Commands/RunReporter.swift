import Campaigns
import JSON
import Push
import Scheduler
import Schedules
import Storage
import Synchronization

/// Tells the person at the terminal what the scheduler does, and prints the runs that ended.
///
/// Events come from many tasks; one lock keeps their lines whole and the progress line out of their way.
final class RunReporter: Sendable {
    private struct State {
        var progress: ProgressLine
        var failure: OutputFailure?
        var sawProblem = false
        var storeFailed = false
    }

    private let invocation: Invocation
    let showsProgress: Bool
    private let state: Mutex<State>

    init(_ invocation: Invocation) {
        self.invocation = invocation
        showsProgress = invocation.environment.isErrorTerminal && !invocation.options.isQuiet
        state = Mutex(State(progress: ProgressLine(width: invocation.environment.columns)))
    }

    /// The engine's log, kept out of the progress line's way.
    var logger: Logger {
        let plain = invocation.logger
        return Logger(minimum: plain.minimum) { [self] event in
            show { _ in plain.log(event.level, event.message, event.metadata) }
        }
    }

    /// Whether something went wrong that no run tells.
    var sawProblem: Bool { state.withLock { $0.sawProblem } }

    /// Whether the store could not be used at some time.
    var storeFailed: Bool { state.withLock { $0.storeFailed } }

    /// Takes the progress line away, and says when output was lost.
    func end() throws(OutputFailure) {
        show { _ in }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    func report(_ event: SchedulerEvent) {
        switch event {
        case .runProgress(let progress): if showsProgress { showProgress(progress) }
        case .runStarted(let run, let isResumed):
            show { [self] in
                try tell(run, isResumed ? "goes on after \(grouped(run.counts.total)) devices" : "begins", &$0)
            }
        case .runFinished(let run): show { [self] in try finished(run, &$0) }
        case .runInterrupted(let run, let reason):
            show { [self] state in
                state.progress.remove(run.id)
                try invocation.warn(
                    "\(run.campaign), run \(run.id.rawValue), was interrupted and goes on later: \(reason)")
            }
        case .missed(let campaign, let missed):
            show { [self] _ in try invocation.note("\(campaign), \(missed.first): \(missed.reason)") }
        case .campaignsLoaded(let changes): show { [self] _ in try invocation.note(changes.sentence) }
        case .diagnostics(let diagnostics):
            show { [self] state in
                state.sawProblem = state.sawProblem || diagnostics.containsErrors
                try invocation.show(diagnostics)
            }
        case .treeProblem(let text):
            show { [self] state in
                state.sawProblem = true
                try invocation.complain(text)
            }
        case .storeFailed(let reason):
            show { [self] state in
                state.storeFailed = true
                try invocation.complain("The store failed: \(reason)")
            }
        case .waiting(let instant):
            if invocation.options.isVerbose {
                show { [self] _ in try invocation.note(instant.map { "Waiting until \($0)." } ?? "Nothing is to come.")
                }
            }
        case .dryRun(let report):
            show { [self] _ in try invocation.print("\(report.campaign): \(report.lines.joined(separator: "; "))") }
        }
    }

    private func tell(_ run: Run, _ what: String, _ state: inout State) throws(OutputFailure) {
        if invocation.options.isVerbose {
            try invocation.note("\(run.campaign), \(run.occurrence), run \(run.id.rawValue): \(what)")
        }
    }

    /// A result, so it goes to the standard output, at once.
    private func finished(_ run: Run, _ state: inout State) throws(OutputFailure) {
        state.progress.remove(run.id)
        switch invocation.options.format {
        case .json: try invocation.environment.output.writeLine(JSON.object(run.json).serialized())
        case .text:
            let reason = run.reason.map { "; \($0)" } ?? ""
            try invocation.print(
                "run \(run.id.rawValue) · \(run.campaign) · \(run.occurrence): \(colored(run.state)), "
                    + run.counts.sentence + reason)
        }
        try invocation.environment.output.flush()
    }

    private func colored(_ runState: RunState) -> String {
        switch runState {
        case .succeeded: invocation.style.green(runState.rawValue)
        case .failed: invocation.style.red(runState.rawValue)
        case .partial, .cancelled: invocation.style.yellow(runState.rawValue)
        case .skipped, .sending: invocation.style.dim(runState.rawValue)
        }
    }

    // MARK: The progress line

    private func showProgress(_ progress: RunProgress) {
        state.withLock { state in
            state.progress.update(progress)
            write(state.progress.drawn, &state)
        }
    }

    /// Writes lines where the progress line stood, and draws it again below them.
    private func show(_ body: (inout State) throws -> Void) {
        state.withLock { state in
            write(state.progress.erased, &state)
            do {
                try body(&state)
            } catch {
                state.failure = error as? OutputFailure ?? .failed("\(error)")
            }
            write(state.progress.drawn, &state)
        }
    }

    private func write(_ text: String, _ state: inout State) {
        guard showsProgress, !text.isEmpty else { return }
        do throws(OutputFailure) {
            try invocation.environment.errors.write(text)
        } catch {
            state.failure = error
        }
    }
}

extension CampaignChanges {
    fileprivate var sentence: String {
        let parts = [("new", added), ("changed", changed), ("gone", removed)].filter { !$0.1.isEmpty }
            .map { word, ids in ids.count > 5 ? "\(ids.count) \(word)" : "\(word): \(ids.joined(separator: ", "))" }
        return counted(total, "campaign")
            + (parts.isEmpty || added.count == total ? "" : "; " + parts.joined(separator: "; "))
    }
}
