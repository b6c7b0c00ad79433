/// When a campaign fires: the union of its rules within its bounds. A pure value; `next`, `plan`, `preview` and the
/// loop all ask this one.
package struct Schedule: Sendable {
    /// The campaign's id, from which jitter and `H` are hashed.
    package let campaign: String
    package let zone: TimeZoneRules
    package let rules: [ScheduleRule]
    /// Nothing fires before.
    package let starts: Instant?
    /// Nothing fires at this instant or later.
    package let endsBefore: Instant?
    package let excepted: ExceptedDates
    /// The named calendars that `excepted` holds too.
    package let exceptedBy: [NamedDates]
    /// The hours of the week outside of which nothing fires; nothing if it may fire at all hours.
    package let only: OpenWindows?
    /// How many occurrences it has, counted from `starts`; `endsBefore` follows from it.
    package let limit: Int?
    /// The zone of devices that have none, where the schedule is in each device's own.
    package let fallbackZone: TimeZoneRules?
    /// Up to how long after its nominal instant an occurrence is sent.
    package let jitter: TimeSpan
    package let policy: ClockChangePolicy

    /// 2200-01-01T00:00:00Z: nothing is looked for from here on, so that every search ends.
    package static let horizon = Instant(secondsSinceEpoch: 7_258_118_400)

    /// 0001-01-01T00:00:00Z
    static let dawn = Instant(secondsSinceEpoch: -62_135_596_800)

    package init(
        campaign: String, zone: TimeZoneRules, rules: [ScheduleRule], starts: Instant? = nil,
        endsBefore: Instant? = nil,
        excepted: ExceptedDates = ExceptedDates(), exceptedBy: [NamedDates] = [], only: OpenWindows? = nil,
        limit: Int? = nil, fallbackZone: TimeZoneRules? = nil, jitter: TimeSpan = TimeSpan(seconds: 0),
        policy: ClockChangePolicy = ClockChangePolicy()
    ) {
        self.campaign = campaign
        self.zone = zone
        self.rules = rules
        self.starts = starts
        self.excepted = excepted
        self.exceptedBy = exceptedBy
        self.only = only
        self.limit = limit
        self.fallbackZone = fallbackZone
        self.jitter = jitter
        self.policy = policy
        self.endsBefore = endsBefore
    }

    /// The same within other bounds.
    func bounded(starts: Instant?, endsBefore: Instant?, excepted: ExceptedDates, only: OpenWindows?) -> Schedule {
        Schedule(
            campaign: campaign, zone: zone, rules: rules, starts: starts, endsBefore: endsBefore, excepted: excepted,
            exceptedBy: exceptedBy, only: only, limit: limit, fallbackZone: fallbackZone, jitter: jitter, policy: policy
        )
    }

    /// The first occurrence strictly after an instant.
    package func next(after instant: Instant) -> Occurrence? {
        let earliest = max(instant, Self.dawn, starts?.advanced(bySeconds: -1) ?? Self.dawn)
        let search = search
        return rules.compactMap { search.next($0, after: earliest) }.min().map(occurrence(at:))
    }

    /// The occurrences after `start` up to and including `end`, in order, at most `limit` of them.
    package func occurrences(after start: Instant, through end: Instant? = nil, limit: Int) -> [Occurrence] {
        var found: [Occurrence] = []
        var last = start
        while found.count < limit, let next = next(after: last), end.map({ next.instant <= $0 }) ?? true {
            found.append(next)
            last = next.instant
        }
        return found
    }

    /// The occurrence at an instant, whether or not the schedule fires then.
    package func occurrence(at instant: Instant) -> Occurrence {
        Occurrence(instant: instant, offset: zone.offset(at: instant), delay: delay(of: instant))
    }

    /// Whether it fires at exactly this instant.
    package func fires(at instant: Instant) -> Bool {
        next(after: instant.advanced(bySeconds: -1))?.instant == instant
    }

    var search: RuleSearch {
        RuleSearch(
            zone: zone, excepted: excepted, only: only, policy: policy,
            end: min(endsBefore ?? Self.horizon, Self.horizon))
    }

    /// Less than `jitter`, the same at every asking: SplitMix64 over FNV-1a of the campaign's id and the instant, its
    /// range brought down by taking the upper half of a wide product.
    private func delay(of instant: Instant) -> TimeSpan {
        guard jitter.seconds > 0 else { return TimeSpan(seconds: 0) }
        let hash = StableHash.mix(StableHash.fnv1a(campaign) ^ UInt64(bitPattern: instant.secondsSinceEpoch))
        return TimeSpan(seconds: Int64(hash.multipliedFullWidth(by: UInt64(jitter.seconds)).high))
    }
}
