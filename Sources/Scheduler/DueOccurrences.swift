import Campaigns
package import Schedules
package import Storage

/// Which of a campaign's occurrences are to be run now, which were missed, and when to look again.
///
/// This is a pure function of the campaign, its progress and the time; the loop, `--once` and dry runs ask it alike.
///
/// - A campaign that was never seen, or whose schedule was edited, fires nothing for instants that are past. Called once
///   (from cron or CI, each minute), the minute that ends now counts as not yet past.
/// - Of several occurrences that are due together, the campaign's `catch_up` decides: the latest, all, or none, within its
///   window. One that is at most a minute late is not a missed one.
/// - Occurrences are taken in the order of their nominal instants, also where jitter would turn two around.
/// - When the clock was set back, progress follows it. No occurrence runs twice by that, since each has its run in the
///   store; but one that a clock running ahead had passed over gets its turn.
package struct DueOccurrences: Sendable {
    /// Who asks, which decides what a campaign without progress is given.
    package enum Mode: Sendable, Hashable {
        /// A loop that watches the time.
        case loop
        /// A single pass, which stands for the minute that ends now.
        case once
    }

    /// To be run, in order.
    package var runs: [Occurrence] = []
    /// Not to be run any more.
    package var missed: MissedOccurrences?
    /// What to save once the runs are claimed.
    package var progress: CampaignProgress
    /// When the next occurrence is sent; never before the next second.
    package var wakeAt: Instant?

    /// How late an occurrence may be, in seconds, without being a missed one: the longest that the loop sleeps.
    static let grace: Int64 = 60
    /// How many missed occurrences are counted one by one, and how many are run at one time under `all`.
    static let most = 1_000

    package init(of timing: CampaignTiming, progress: CampaignProgress?, now: Instant, mode: Mode) {
        let known = progress.flatMap { $0.scheduleFingerprint == timing.fingerprint ? $0.consideredUntil : nil }
        let start = known.map { min($0, now) } ?? now.advanced(bySeconds: mode == .once ? -Self.grace : 0)
        self.progress = CampaignProgress(
            campaign: timing.campaign, scheduleFingerprint: timing.fingerprint, consideredUntil: start)
        guard timing.isEnabled else {
            self.progress.consideredUntil = now
            return
        }
        collect(timing, now: now)
        let next = timing.schedule.next(after: self.progress.consideredUntil)
        wakeAt = next.map { max($0.firesAt, now.advanced(bySeconds: 1)) }
    }

    private mutating func collect(_ timing: CampaignTiming, now: Instant) {
        let window = timing.catchUp.runs == .none ? Self.grace : max(Self.grace, timing.catchUp.within.seconds)
        let earliest = now.advanced(bySeconds: -window)
        let longestDelay = timing.schedule.parts.map(\.jitter.seconds).max() ?? 0
        var last = progress.consideredUntil
        while let next = timing.schedule.next(after: last), next.firesAt <= now {
            if next.firesAt < earliest {
                miss(next)
                // Counted far enough: on to what may still be run.
                if missed?.isExact == false { last = max(last, earliest.advanced(bySeconds: -longestDelay - 1)) }
            } else if timing.catchUp.runs == .all {
                guard runs.count < Self.most else { break }
                runs.append(next)
            } else {
                if let earlier = runs.popLast() { miss(earlier) }
                runs.append(next)
            }
            last = max(last, next.instant)
        }
        progress.consideredUntil = last
    }

    private mutating func miss(_ occurrence: Occurrence) {
        guard var missed else {
            missed = MissedOccurrences(first: occurrence, last: occurrence)
            return
        }
        missed.last = occurrence
        if missed.count < Self.most { missed.count += 1 } else { missed.isExact = false }
        self.missed = missed
    }
}

/// Occurrences of one campaign that passed without a run.
package struct MissedOccurrences: Sendable, Hashable {
    package var first: Occurrence
    package var last: Occurrence
    package var count = 1
    /// False when there were more than `count`.
    package var isExact = true

    /// What the history says of the first of them.
    package var reason: String {
        let others = isExact ? "\(count - 1)" : "more than \(count - 1)"
        let rest = count == 1 ? "" : ", with \(others) later ones up to \(last)"
        return "missed: nothing was running at its time, and the campaign's catch_up leaves it out\(rest)"
    }

    /// Those after the first, or `nil` when there are none. When more were missed than were counted, the last of them
    /// stands for the ones that were not, so that the end is found within `count` steps.
    ///
    /// - Parameter runs: the occurrences of the stretch that are run and so were not missed.
    func withoutFirst(_ schedule: CampaignSchedule, besides runs: [Occurrence]) -> MissedOccurrences? {
        guard count > 1 else { return isExact || first == last ? nil : MissedOccurrences(first: last, last: last) }
        var after = first.instant
        while let next = schedule.next(after: after), next.instant <= last.instant {
            guard runs.contains(where: { $0.instant == next.instant }) else {
                var rest = self
                rest.first = next
                rest.count -= 1
                return rest
            }
            after = next.instant
        }
        return nil
    }
}
