internal import Synchronization

/// The languages of a campaign: which of its `locales` a device gets.
///
/// A device of `de-AT` gets the fields of `de-AT`; those that it leaves out come from `de`, and what both leave out from
/// the notification itself (the lookup of RFC 4647, section 3.4).
final class Languages: Sendable {
    /// Place 0 stands for the notification itself, place 1 for the first language, and so on.
    private let places: [String: Int]
    /// What each language lays over the notification; place 0 lays nothing.
    let overlays: [NotificationFields]
    /// The places of locales as devices write them.
    private let known = Mutex<[String: Int]>([:])

    /// Devices write few different locales; one that makes them up may not fill the memory.
    private static let knownLimit = 1_000

    init(_ locales: [NotificationTemplate.LocalizedFields]) {
        var places: [String: Int] = [:]
        var overlays = [NotificationFields()]
        var byTag: [String: NotificationFields] = [:]
        for locale in locales { byTag[Self.normalized(locale.locale)] = locale.fields }
        for locale in locales {
            let tag = Self.normalized(locale.locale)
            var fields = NotificationFields()
            for range in Self.ranges(of: tag).reversed() {
                if let more = byTag[range] { fields = fields.overlaid(by: more) }
            }
            places[tag] = overlays.count
            overlays.append(fields)
        }
        self.places = places
        self.overlays = overlays
    }

    var isEmpty: Bool { places.isEmpty }

    /// The place of the nearest language, 0 where there is none.
    func place(of locale: String?) -> Int {
        guard let locale, !places.isEmpty else { return 0 }
        if let place = known.withLock({ $0[locale] }) { return place }
        let place = Self.ranges(of: Self.normalized(locale)).lazy.compactMap { self.places[$0] }.first ?? 0
        known.withLock { if $0.count < Self.knownLimit { $0[locale] = place } }
        return place
    }

    /// Language tags are written with hyphens or underscores and in any case.
    private static func normalized(_ tag: String) -> String { tag.lowercased().replacing("_", with: "-") }

    /// `de-latn-at`, `de-latn`, `de`: a one-letter part is never left at the end.
    private static func ranges(of tag: String) -> [String] {
        var parts = tag.split(separator: "-", omittingEmptySubsequences: false)[...].prefix(16)
        var ranges: [String] = []
        while !parts.isEmpty {
            ranges.append(parts.joined(separator: "-"))
            parts = parts.dropLast()
            while let last = parts.last, last.utf8.count <= 1 { parts = parts.dropLast() }
        }
        return ranges
    }
}
