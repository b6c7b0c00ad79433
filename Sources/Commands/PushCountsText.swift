import JSON
import Push

extension PushCounts {
    /// The counts as `history` and `send` print them.
    var json: JSON {
        [
            "sent": .int(Int64(sent)), "failed": .int(Int64(failed)), "tokens_removed": .int(Int64(tokensRemoved)),
            "skipped": .int(Int64(skipped)), "uncertain": .int(Int64(uncertain)),
        ]
    }

    /// `12 sent, 1 failed (1 token removed), 3 skipped`, without the counts that are zero.
    var sentence: String {
        var parts = ["\(grouped(sent)) sent"]
        if failed > 0 {
            parts.append(
                "\(grouped(failed)) failed" + (tokensRemoved > 0 ? " (\(counted(tokensRemoved, "token")) removed)" : "")
            )
        }
        if skipped > 0 { parts.append("\(grouped(skipped)) skipped") }
        if uncertain > 0 { parts.append("\(grouped(uncertain)) uncertain") }
        return parts.joined(separator: ", ")
    }
}
