import FoundationEssentials
import HTTPClient
import Push

extension PushOutcome {
    /// The outcome of a request that got no response.
    ///
    /// Only what surely never reached the provider may be sent again without the risk of a second notification.
    init(_ failure: HTTPFailure) {
        let status: PushDeliveryStatus
        if failure.kind == .invalidRequest {
            status = .error
        } else {
            status = failure.mayHaveBeenProcessed ? .uncertain : .unavailable
        }
        self.init(status, reason: failure.message)
    }
}

/// Reads the `Retry-After` field (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// How long to wait: the seconds it gives, or the time until its date, which is zero when that is past.
    static func duration(_ value: String?, now: Date) -> Duration? {
        guard let value else { return nil }
        let text = value.filter { $0 != " " }
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return Int64(text).map { .seconds($0) }
        }
        guard let date = HTTPDate.parse(value) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now).rounded(.up)))
    }
}

/// Reads the date format that HTTP senders must use: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static func parse(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[0].count == 4, words[0].hasSuffix(","), words[5] == "GMT",
            let day = Int(words[1]), let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]),
            (1...31).contains(day), (1970...9999).contains(year)
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2])
        else { return nil }
        let seconds = time[0] * 3600 + time[1] * 60 + time[2]
        return Date(timeIntervalSince1970: Double(days(year: year, month: month + 1, day: day) * 86_400 + seconds))
    }

    /// Days from 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month > 2 ? year : year - 1
        let shiftedMonth = (month + 9) % 12
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        let leapDays = shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400
        return shiftedYear * 365 + leapDays + dayOfYear - 719_468
    }
}
