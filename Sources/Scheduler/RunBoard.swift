package import Campaigns
package import Storage

/// Which runs are going on and which wait: a few at a time, and of one campaign one at a time unless it allows more.
///
/// A pure state machine; the loop starts what it says.
package struct RunBoard: Sendable {
    /// What becomes of a run that is ready.
    package enum Verdict: Sendable, Hashable {
        /// It goes on the board, and `takeStartable` hands it out when its turn comes.
        case accepted
        /// The campaign's run before it is still sending, and the campaign skips then.
        case overlaps(with: Run)
    }

    /// How a run came to be on the board.
    package enum Origin: Sendable, Hashable {
        /// Its occurrence fell now.
        case due
        /// It became due together with an earlier occurrence of its campaign, and follows it.
        case backlog
        /// It was begun earlier and interrupted. Nothing that falls meanwhile is skipped for it.
        case resumed
    }

    private let limit: Int
    private var running: [RunID: Run] = [:]
    private var resumed: Set<RunID> = []
    private var runningByCampaign: [String: [RunID]] = [:]
    private var waiting: [(run: Run, mayOverlap: Bool)] = []

    /// - Parameter limit: how many runs go on at a time; at least one.
    package init(limit: Int) { self.limit = max(1, limit) }

    package var isIdle: Bool { running.isEmpty && waiting.isEmpty }

    /// Puts a run on the board.
    package mutating func add(_ run: Run, overlap: RunOverlap, origin: Origin) -> Verdict {
        if overlap == .skip, origin == .due, let other = overlapping(run.campaign) { return .overlaps(with: other) }
        if origin == .resumed { resumed.insert(run.id) }
        waiting.append((run, overlap == .allow))
        return .accepted
    }

    /// Takes the runs that may begin now, the longest waiting first.
    package mutating func takeStartable() -> [Run] {
        var startable: [Run] = []
        var left: [(run: Run, mayOverlap: Bool)] = []
        var held: Set<String> = []
        for entry in waiting {
            let campaign = entry.run.campaign
            let isFree = entry.mayOverlap || (runningByCampaign[campaign] == nil && !held.contains(campaign))
            if running.count < limit, isFree {
                running[entry.run.id] = entry.run
                runningByCampaign[campaign, default: []].append(entry.run.id)
                startable.append(entry.run)
            } else {
                held.insert(campaign)
                left.append(entry)
            }
        }
        waiting = left
        return startable
    }

    /// Takes a run off the board that has ended.
    package mutating func end(_ run: Run) {
        guard running.removeValue(forKey: run.id) != nil else { return }
        resumed.remove(run.id)
        runningByCampaign[run.campaign]?.removeAll { $0 == run.id }
        if runningByCampaign[run.campaign]?.isEmpty == true { runningByCampaign[run.campaign] = nil }
    }

    /// Takes off what has not begun, for a stop.
    package mutating func clearWaiting() {
        resumed.subtract(waiting.map(\.run.id))
        waiting.removeAll()
    }

    /// Whether the run is going on or waits.
    package func contains(_ run: RunID) -> Bool {
        running[run] != nil || waiting.contains { $0.run.id == run }
    }

    /// A run of the campaign that is going on or waits, and was not interrupted before.
    private func overlapping(_ campaign: String) -> Run? {
        let going = runningByCampaign[campaign]?.first { !resumed.contains($0) }.flatMap { running[$0] }
        return going ?? waiting.first { $0.run.campaign == campaign && !resumed.contains($0.run.id) }?.run
    }
}
