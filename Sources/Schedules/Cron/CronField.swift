/// What one field of a cron expression allows.
struct CronField: Sendable, Hashable {
    /// One bit a value.
    var values: UInt64 = 0
    /// Whether no item of it is `*`, `?` or `*/1`.
    var isRestricted = true
    /// Whether one of its items is an interval over the whole field: `*`, `*/n`, `H/n`.
    var hasInterval = false

    /// `L` is bit 0, `L-3` is bit 3.
    var daysFromEnd: UInt64 = 0
    /// `15W` is bit 15.
    var nearWorkingDays: UInt64 = 0
    /// `LW`
    var lastWorkingDay = false
    /// `MON#2` is bit 1 + 7 × (2 - 1).
    var numberedWeekdays: UInt64 = 0
    /// `FRIL` is bit 5.
    var lastWeekdays: UInt64 = 0
}

/// The fields and what they hold.
enum CronFieldKind: Sendable, Hashable {
    case second, minute, hour, dayOfMonth, month, dayOfWeek

    var name: String {
        switch self {
        case .second: "second"
        case .minute: "minute"
        case .hour: "hour"
        case .dayOfMonth: "day of the month"
        case .month: "month"
        case .dayOfWeek: "day of the week"
        }
    }

    /// The values as they may be written.
    var range: ClosedRange<Int> {
        switch self {
        case .second, .minute: 0...59
        case .hour: 0...23
        case .dayOfMonth: 1...31
        case .month: 1...12
        case .dayOfWeek: 0...7
        }
    }

    /// The values once 7 has become 0.
    var cycle: ClosedRange<Int> { self == .dayOfWeek ? 0...6 : range }

    /// From where `H` picks: days that every month has.
    var hashRange: ClosedRange<Int> { self == .dayOfMonth ? 1...28 : cycle }

    var isDay: Bool { self == .dayOfMonth || self == .dayOfWeek }

    var names: [String] {
        switch self {
        case .month: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
        case .dayOfWeek: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
        default: []
        }
    }
}
