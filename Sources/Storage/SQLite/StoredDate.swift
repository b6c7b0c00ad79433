internal import FoundationEssentials

extension Date {
    /// A point in time as the store keeps it, in whole milliseconds.
    init(storedMilliseconds milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    /// The nearest whole millisecond; a date that no 64 bits can hold becomes the farthest one that they can.
    var storedMilliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1_000).rounded()
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }
}
