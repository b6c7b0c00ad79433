/// A stretch of time in which a zone's clocks are the same distance ahead of UTC.
package struct OffsetPeriod: Sendable, Hashable {
    /// When the clocks were set to `offset`; nothing if they always were.
    package var start: Instant?
    /// When they are set to something else; nothing if never.
    package var end: Instant?
    /// Seconds ahead of UTC.
    package var offset: Int
    package var abbreviation: String
    package var isDaylightSaving: Bool
    /// The offset before `start`, and the one from `end` on; `offset` where there is no such instant.
    package var offsetBefore: Int
    package var offsetAfter: Int
}

/// What a local date and time means in a zone.
package enum LocalTimeResolution: Sendable, Hashable {
    /// The usual case.
    case unique(Instant)
    /// The clocks jumped over it: at `transition` they went ahead by `width` seconds.
    case gap(transition: Instant, width: Int)
    /// The clocks were set back, and showed it twice.
    case overlap(first: Instant, second: Instant)
}

/// When the clocks of one time zone are how far ahead of UTC, in the past as recorded and in the future as the law
/// stands.
package struct TimeZoneRules: Sendable {
    /// The IANA name, such as `Europe/Berlin`.
    package let name: String
    private let transitions: [Int64]
    private let transitionTypes: [UInt8]
    private let types: [TZifFile.LocalTimeType]
    private let footer: PosixTimeZone?

    init(name: String, file: TZifFile) {
        self.name = name
        transitions = file.transitions
        transitionTypes = file.transitionTypes
        types = file.types
        footer = file.footer
    }

    private init(name: String, fixedOffset: Int) {
        self.name = name
        transitions = []
        transitionTypes = []
        types = [TZifFile.LocalTimeType(offset: fixedOffset, isDaylightSaving: false, abbreviation: name)]
        footer = nil
    }

    /// Known even where no time zone database is installed.
    package static let utc = TimeZoneRules(name: "UTC", fixedOffset: 0)

    /// Stands for the zone of each device: the clocks that show a time before all others, 14 hours ahead of UTC, so that
    /// an instant here is the first at which it is that time anywhere.
    package static let recipient = TimeZoneRules(name: "recipient", fixedOffset: 14 * 3_600)

    package var isRecipient: Bool { name == Self.recipient.name }

    /// Seconds ahead of UTC.
    package func offset(at instant: Instant) -> Int { period(containing: instant).offset }

    /// What a clock in this zone shows.
    package func local(_ instant: Instant) -> LocalDateTime { instant.local(offset: offset(at: instant)) }

    /// `2026-12-01T09:00:00+01:00`
    package func rfc3339(_ instant: Instant) -> String { instant.rfc3339(offset: offset(at: instant)) }

    package func period(containing instant: Instant) -> OffsetPeriod {
        let seconds = instant.secondsSinceEpoch
        if seconds > Self.lastSecond { return lastPeriod }
        // What the first year that can be written has, all time before it has too.
        return period(containing: max(seconds, Self.firstSecond))
    }

    private func period(containing seconds: Int64) -> OffsetPeriod {
        let index = lastTransition(notAfter: seconds)
        guard let footer, index == transitions.count - 1 else { return recordedPeriod(index) }
        return period(containing: seconds, by: footer)
    }

    /// Beyond the years that can be written nothing changes any more.
    private var lastPeriod: OffsetPeriod {
        var period = period(containing: Self.lastSecond)
        period.end = nil
        period.offsetAfter = period.offset
        return period
    }

    private static let firstSecond: Int64 = -719_162 * 86_400
    private static let lastSecond: Int64 = 2_932_897 * 86_400 - 1

    /// -1 before the first.
    private func lastTransition(notAfter seconds: Int64) -> Int {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }

    private func type(afterTransition index: Int) -> TZifFile.LocalTimeType {
        index < 0 ? types[0] : types[Int(transitionTypes[index])]
    }

    private func recordedPeriod(_ index: Int) -> OffsetPeriod {
        let type = type(afterTransition: index)
        let next = index + 1
        return OffsetPeriod(
            start: index < 0 ? nil : Instant(secondsSinceEpoch: transitions[index]),
            end: next < transitions.count ? Instant(secondsSinceEpoch: transitions[next]) : nil,
            offset: type.offset, abbreviation: type.abbreviation, isDaylightSaving: type.isDaylightSaving,
            offsetBefore: index < 0 ? type.offset : self.type(afterTransition: index - 1).offset,
            offsetAfter: next < transitions.count ? self.type(afterTransition: next).offset : type.offset)
    }

    private func period(containing seconds: Int64, by footer: PosixTimeZone) -> OffsetPeriod {
        let recordedEnd = transitions.last
        var period = OffsetPeriod(
            start: recordedEnd.map { Instant(secondsSinceEpoch: $0) }, end: nil, offset: footer.offset,
            abbreviation: footer.name, isDaylightSaving: false,
            offsetBefore: recordedEnd == nil ? footer.offset : type(afterTransition: transitions.count - 2).offset,
            offsetAfter: footer.offset)
        guard let daylightSaving = footer.daylightSaving else { return period }
        let year = CivilDate(daysSinceEpoch: seconds / 86_400).year
        // The rule may move a change into a neighbouring year, by up to a week.
        for change in (year - 2...year + 2).flatMap(footer.changes) {
            let offset = change.isDaylightSaving ? daylightSaving.offset : footer.offset
            // What the file records is not told again; what holds at its end is what the rule says then.
            let isRecorded = recordedEnd.map { change.instant <= $0 } ?? false
            if change.instant > seconds, !isRecorded {
                // Two changes at one instant, where a year of summer time meets the next, cancel each other.
                guard change.instant == period.end?.secondsSinceEpoch ?? change.instant else { break }
                period.offsetAfter = offset
                period.end = Instant(secondsSinceEpoch: change.instant)
                continue
            }
            if !isRecorded, change.instant != period.start?.secondsSinceEpoch {
                period.offsetBefore = period.offset
                period.start = Instant(secondsSinceEpoch: change.instant)
            }
            period.offset = offset
            period.isDaylightSaving = change.isDaylightSaving
            period.abbreviation = change.isDaylightSaving ? daylightSaving.name : footer.name
        }
        if period.end == nil { period.offsetAfter = period.offset }
        return period
    }
}
