import JSON
import Scheduler

extension DryRunReport {
    /// The report as `run --dry-run --format json` prints it.
    var json: JSONObject {
        [
            "campaign": .string(campaign), "occurrence": .string("\(occurrence)"), "audience": .int(Int64(audience)),
            "would_send": .int(Int64(wouldSend)), "by_provider": Self.json(byProvider),
            "skipped": Self.json(skipped), "failed": Self.json(failed),
            "nothing": nothing.map { .string($0) } ?? .null,
        ]
    }

    private static func json(_ counts: [String: Int]) -> JSON {
        .object(JSONObject(counts.sorted { $0.key < $1.key }.map { ($0.key, .int(Int64($0.value))) }))
    }

    /// The same for a person, without the heading.
    var lines: [String] {
        if let nothing { return ["nothing would be sent: \(nothing)"] }
        let providers = byProvider.sorted { $0.key < $1.key }.map { "\(grouped($0.value)) through \($0.key)" }
        let details = providers.isEmpty ? "" : ": " + providers.joined(separator: ", ")
        return ["\(grouped(wouldSend)) of \(counted(audience, "device")) would get it\(details)"]
            + Self.lines(skipped, "skipped") + Self.lines(failed, "would fail")
    }

    private static func lines(_ counts: [String: Int], _ word: String) -> [String] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\(grouped($0.value)) \(word): \($0.key)" }
    }
}
