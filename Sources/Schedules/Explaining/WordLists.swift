/// Pieces of English that the sentences about schedules share.
enum WordLists {
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// `a`, `a and b`, `a, b and c`
    static func joined(_ words: [String], _ last: String = "and") -> String {
        guard let final = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(last) " + final
    }

    /// `1st`, `22nd`, `13th`
    static func ordinal(_ number: Int) -> String {
        let suffix =
            switch (number % 100, number % 10) {
            case (11...13, _): "th"
            case (_, 1): "st"
            case (_, 2): "nd"
            case (_, 3): "rd"
            default: "th"
            }
        return "\(number)\(suffix)"
    }

    /// `1st`, `last`, `3rd last`: numbers that count from the end where they are negative.
    static func position(_ number: Int) -> String {
        number > 0 ? ordinal(number) : number == -1 ? "last" : ordinal(-number) + " last"
    }

    /// `Mondays and Thursdays`, `Monday to Friday`; Monday counts as the first day.
    static func weekdays(_ mask: UInt64, plural: Bool = true) -> String {
        let days = mask.bits.filter { $0 < 7 }.map { ($0 + 6) % 7 }.sorted()
        if days.count > 2, let first = days.first, let last = days.last, last - first == days.count - 1 {
            return "\(weekdays[(first + 1) % 7]) to \(weekdays[(last + 1) % 7])"
        }
        return joined(days.map { weekdays[($0 + 1) % 7] + (plural ? "s" : "") })
    }

    /// `January and July`, `June to August`
    static func months(_ mask: UInt64) -> String {
        runs(mask.bits) { months[$0 - 1] }
    }

    /// Names numbers, three and more that follow one another as a range.
    static func runs(_ numbers: [Int], _ name: (Int) -> String) -> String {
        var words: [String] = []
        var index = 0
        while index < numbers.count {
            var end = index
            while end + 1 < numbers.count, numbers[end + 1] == numbers[end] + 1 { end += 1 }
            if end - index >= 2 {
                words.append("\(name(numbers[index])) to \(name(numbers[end]))")
            } else {
                words += numbers[index...end].map(name)
            }
            index = end + 1
        }
        return joined(words)
    }
}

/// Times of day in words, from one bit a value.
struct TimesInWords {
    var seconds: UInt64
    var minutes: UInt64
    var hours: UInt64

    private static let allMinutes: UInt64 = (1 << 60) - 1
    private static let allHours: UInt64 = (1 << 24) - 1

    /// `at 09:00 and 18:00`, `every 15 minutes`, `every 15 minutes from 09:00 to 17:59`.
    var text: String {
        let times = hours.nonzeroBitCount * minutes.nonzeroBitCount * seconds.nonzeroBitCount
        if times <= 6 { return "at " + WordLists.joined(times > 0 ? clockTimes : []) }
        let secondWords =
            seconds == 1
            ? "" : seconds.nonzeroBitCount == 60 ? "every second of " : "at " + named("second", seconds) + " of "
        return secondWords + minuteWords(alone: seconds == 1) + hourWords
    }

    private var clockTimes: [String] {
        hours.bits.flatMap { hour in
            minutes.bits.flatMap { minute in
                seconds.bits.map { second in
                    "\(padded(hour, to: 2)):\(padded(minute, to: 2))" + (second == 0 ? "" : ":\(padded(second, to: 2))")
                }
            }
        }
    }

    private func minuteWords(alone: Bool) -> String {
        if minutes == Self.allMinutes { return "every minute" }
        if minutes == 1, hours == Self.allHours { return "every hour on the hour" }
        if let step = Self.step(minutes, of: 60) { return "every \(step) minutes" }
        let words = named("minute", minutes)
        return (alone ? "at \(words)" : words) + (hours == Self.allHours ? " of every hour" : "")
    }

    private var hourWords: String {
        if hours == Self.allHours { return "" }
        let numbers = hours.bits
        if let first = numbers.first, let last = numbers.last, last - first == numbers.count - 1 {
            return " from \(padded(first, to: 2)):00 to \(padded(last, to: 2)):59"
        }
        if let step = Self.step(hours, of: 24) { return " of every \(WordLists.ordinal(step)) hour from midnight" }
        return " of the hours " + WordLists.runs(numbers) { padded($0, to: 2) }
    }

    private func named(_ unit: String, _ mask: UInt64) -> String {
        unit + (mask.nonzeroBitCount == 1 ? " " : "s ") + WordLists.runs(mask.bits) { "\($0)" }
    }

    /// The step of values that begin with 0 and divide their cycle evenly.
    private static func step(_ mask: UInt64, of count: Int) -> Int? {
        let size = mask.nonzeroBitCount
        guard size > 1, count % size == 0, mask.bits == Array(stride(from: 0, to: count, by: count / size)) else {
            return nil
        }
        return count / size
    }
}
