/// A cron expression cut into its fields.
struct CronFields {
    /// What the ranges point into: the expression itself, or what its macro stands for.
    var bytes: [UInt8]
    var seconds: Range<Int>?
    var minutes: Range<Int>
    var hours: Range<Int>
    var daysOfMonth: Range<Int>
    var months: Range<Int>
    var daysOfWeek: Range<Int>

    private static let macros: [String: String] = [
        "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
        "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
    ]

    init(splitting text: String) throws(TextError) {
        let written = Array(text.utf8)
        let words = Self.words(written)
        if let first = words.first, written[first.lowerBound] == UInt8(ascii: "@") {
            let expansion = try Self.expansion(written, words)
            self.init(bytes: expansion, words: Self.words(expansion))
            return
        }
        if let first = words.first, written[first].contains(UInt8(ascii: "=")) {
            throw TextError(
                offset: first.lowerBound, length: first.count,
                problem: "a time zone cannot stand in the cron expression",
                remedy: "write it beside the expression, as timezone:")
        }
        guard (5...6).contains(words.count) else { throw Self.wrongCount(words, written.count) }
        self.init(bytes: written, words: words)
    }

    /// `words` are five or six.
    private init(bytes: [UInt8], words: [Range<Int>]) {
        self.bytes = bytes
        let first = words.count - 5
        seconds = first == 1 ? words[0] : nil
        minutes = words[first]
        hours = words[first + 1]
        daysOfMonth = words[first + 2]
        months = words[first + 3]
        daysOfWeek = words[first + 4]
    }

    private static func words(_ bytes: [UInt8]) -> [Range<Int>] {
        bytes.split { [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0) }
            .map { $0.startIndex..<$0.endIndex }
    }

    private static func wrongCount(_ words: [Range<Int>], _ length: Int) -> TextError {
        let order = "write minute, hour, day of the month, month and day of the week, as in 0 9 * * MON"
        guard words.count > 6 else {
            let end = words.last?.upperBound ?? 0
            return TextError(
                offset: words.isEmpty ? 0 : end, length: 0,
                problem: words.isEmpty
                    ? "the cron expression is empty"
                    : "a cron expression has five fields, or six with seconds in front; this has \(words.count)",
                remedy: order)
        }
        return TextError(
            offset: words[6].lowerBound, length: length - words[6].lowerBound,
            problem: "a cron expression has five fields, or six with seconds in front; this has \(words.count)",
            remedy: "leave the rest out; years are bounded with starts: and ends:")
    }

    private static func expansion(_ bytes: [UInt8], _ words: [Range<Int>]) throws(TextError) -> [UInt8] {
        let word = words[0]
        let name = String(decoding: bytes[word], as: UTF8.self)
        if let expansion = macros[name.lowercased()] {
            guard words.count == 1 else {
                throw TextError(
                    offset: words[1].lowerBound, length: bytes.count - words[1].lowerBound,
                    problem: "nothing can follow \(name)", remedy: "leave it out, or write the five fields instead")
            }
            return Array(expansion.utf8)
        }
        let remedy =
            switch name.lowercased() {
            case "@every": "write every: beside cron:, as in every: 90m"
            case "@reboot": "a campaign has no reboot; write the time at which it is to fire"
            default:
                nearestNames(to: name, in: macros.keys.sorted()).first.map { "did you mean \($0)?" }
                    ?? "use @hourly, @daily, @midnight, @weekly, @monthly, @yearly or @annually"
            }
        throw TextError(
            offset: word.lowerBound, length: word.count, problem: "there is no macro \(name)", remedy: remedy)
    }
}
