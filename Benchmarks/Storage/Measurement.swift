import Foundation

/// What a step took and how much it did.
struct Measurement {
    var count: Int
    var seconds: Double
    /// What this process computed meanwhile, on all cores; other processes of the machine do not count.
    var processorSeconds: Double

    var rate: Double { Double(count) / seconds }
}

func measure(_ body: () async throws -> Int) async rethrows -> Measurement {
    let clock = ContinuousClock()
    let start = clock.now
    let processor = processorTime()
    let count = try await body()
    let duration = clock.now - start
    return Measurement(
        count: count,
        seconds: Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18,
        processorSeconds: processorTime() - processor)
}

/// Seconds of processor time that this process has used.
private func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

/// One line of the report: what was measured, what it came to, and the target beside it.
func report(_ what: String, _ measurement: Measurement, target: Double? = nil) {
    let processor = measurement.processorSeconds * 1_000_000 / Double(max(1, measurement.count))
    var line = "\(what.padded(to: 58))\(measurement.count.description.padded(to: -9)) in "
    line += "\(measurement.seconds.formatted(2)) s  \(Int(measurement.rate).description.padded(to: -9))/s"
    line += "  \(processor.formatted(1).padded(to: -6)) µs of processor each"
    if let target {
        line += "   target \(Int(target))/s: \(measurement.rate >= target ? "met" : "MISSED")"
    }
    print(line)
}

/// Our time beside the peer's for the same rows.
func compare(_ measurement: Measurement, withPeer seconds: Double) {
    let ratio = seconds / measurement.seconds
    print("  sqlite3 itself takes \(seconds.formatted(2)) s; we reach \(ratio.formatted(2)) of its rate")
}

/// The largest memory this process has held since the last call, in megabytes (proc(5), VmHWM).
func peakMegabytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    // "5" resets the peak to what is held now.
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    return kibibytes / 1_024
}

extension String {
    /// Filled with spaces; a negative width puts them before the text.
    func padded(to width: Int) -> String {
        let missing = String(repeating: " ", count: max(0, abs(width) - count))
        return width < 0 ? missing + self : self + missing
    }
}

extension Double {
    func formatted(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
