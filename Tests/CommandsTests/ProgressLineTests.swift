import Foundation
import Push
import Scheduler
import Schedules
import Storage
import Testing

@testable import Commands

struct ProgressLineTests {
    private func progress(
        run: Int64 = 1, sent: Int, failed: Int = 0, audience: Int? = 10_000, seconds: Int = 2
    ) -> RunProgress {
        var counts = PushCounts()
        (counts.sent, counts.failed) = (sent, failed)
        let run = Run(
            id: RunID(rawValue: run), campaign: "digest", occurrence: Instant(secondsSinceEpoch: 0), state: .sending,
            batchID: "b", counts: counts, startedAt: Date(timeIntervalSince1970: 0))
        return RunProgress(run: run, audience: audience, handled: counts.total, elapsed: .seconds(seconds))
    }

    private func text(_ line: ProgressLine) -> String { line.drawn.replacingOccurrences(of: "\r\u{1B}[K", with: "") }

    @Test func `it tells sent, failed, share, rate and time left`() {
        var line = ProgressLine(width: 100)
        line.update(progress(sent: 3_950, failed: 50))
        #expect(text(line) == "digest · 3,950 sent · 50 failed · 40% of 10,000 · 2,000/s · 3.0s left")
    }

    @Test func `what is not known is not told`() {
        var line = ProgressLine(width: 100)
        line.update(progress(sent: 10, audience: nil, seconds: 0))
        #expect(text(line) == "digest · 10 sent")
    }

    @Test func `the run that moved last is shown, and the others are counted`() {
        var line = ProgressLine(width: 100)
        line.update(progress(run: 1, sent: 1, audience: nil))
        line.update(progress(run: 2, sent: 20, audience: nil))
        #expect(text(line) == "digest · 20 sent · 10/s · and 1 other run")
        line.remove(RunID(rawValue: 2))
        #expect(text(line) == "digest · 1 sent · 0/s")
        line.remove(RunID(rawValue: 1))
        #expect(line.drawn == "" && line.erased == "")
    }

    @Test func `it never fills the last column, so that it stays one line`() {
        var line = ProgressLine(width: 30)
        line.update(progress(sent: 3_950, failed: 50))
        #expect(text(line).count == 29)
    }

    @Test func `the counts of an audience that shrank do not exceed it`() {
        var line = ProgressLine(width: 100)
        line.update(progress(sent: 120, audience: 100))
        #expect(text(line).contains("100% of 100 · "))
        #expect(text(line).hasSuffix("0.0s left"))
    }
}
