/// A calendar of a shared file, such as the holidays of a country.
package struct NamedDates: Sendable, Hashable {
    package var name: String
    package var dates: ExceptedDates

    package init(name: String, dates: ExceptedDates) {
        self.name = name
        self.dates = dates
    }
}

/// Dates, in the schedule's zone, on which nothing fires.
package struct ExceptedDates: Sendable, Hashable {
    /// Sorted, apart from one another.
    private(set) var ranges: [ClosedRange<CivilDate>] = []

    package init(_ ranges: [ClosedRange<CivilDate>] = []) {
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = self.ranges.last, range.lowerBound <= last.upperBound.advanced(byDays: 1) {
                self.ranges[self.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    package func contains(_ date: CivilDate) -> Bool { range(containing: date) != nil }

    package func range(containing date: CivilDate) -> ClosedRange<CivilDate>? {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < date { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(date) ? ranges[low] : nil
    }
}
