import Push
import Scheduler
import Storage

/// One line at the bottom of a terminal that tells how far the runs have come.
struct ProgressLine {
    private let width: Int
    private var runs: [RunID: RunProgress] = [:]
    /// The run that moved last, which is the one shown.
    private var latest: RunID?

    init(width: Int) { self.width = width }

    mutating func update(_ progress: RunProgress) {
        runs[progress.run.id] = progress
        latest = progress.run.id
    }

    mutating func remove(_ run: RunID) {
        runs[run] = nil
        if latest == run { latest = runs.keys.max() }
    }

    /// What takes the line off the screen; nothing when there is none.
    var erased: String { text.isEmpty ? "" : "\r\u{1B}[K" }

    /// What puts the line on the screen, over the one before.
    var drawn: String { text.isEmpty ? "" : "\r\u{1B}[K" + text.prefix(max(width - 1, 10)) }

    private var text: String {
        guard let latest, let progress = runs[latest] else { return "" }
        let counts = progress.run.counts
        var parts = [progress.run.campaign, "\(grouped(counts.sent)) sent"]
        if counts.failed > 0 { parts.append("\(grouped(counts.failed)) failed") }
        if let audience = progress.audience, audience > 0 {
            parts.append("\(min(counts.total * 100 / audience, 100))% of \(grouped(audience))")
        }
        if let rate = progress.rate, rate < 1e9 { parts.append("\(grouped(Int(rate)))/s") }
        if let left = progress.timeLeft { parts.append("\(elapsed(Double(left.components.seconds))) left") }
        if runs.count > 1 { parts.append("and \(counted(runs.count - 1, "other run"))") }
        return parts.joined(separator: " · ")
    }
}
