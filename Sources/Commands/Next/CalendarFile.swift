import Campaigns
import Schedules

/// Occurrences as an iCalendar file (RFC 5545), for the calendar of a team.
struct CalendarFile {
    private(set) var text = ""

    /// `now` is when the file is made.
    init(_ occurrences: [(campaign: Campaign, occurrence: Occurrence)], now: Instant) {
        add("BEGIN:VCALENDAR")
        add("VERSION:2.0")
        add("PRODID:-//Carillon//next//EN")
        for (campaign, occurrence) in occurrences {
            add("BEGIN:VEVENT")
            add("UID:\(campaign.id)/\(Self.utc(occurrence.instant))@carillon")
            add("DTSTAMP:\(Self.utc(now))")
            // A time on each device's own clock is what the RFC calls a floating one.
            let isFloating = campaign.schedule.zone.isRecipient
            add("DTSTART:" + (isFloating ? Self.local(occurrence.local) : Self.utc(occurrence.firesAt)))
            add("SUMMARY:" + Self.escaped(campaign.id))
            let sentences = campaign.schedule.parts.map(\.sentence)
            add(
                "DESCRIPTION:"
                    + Self.escaped(([campaign.description] + sentences).compactMap(\.self).joined(separator: "\n")))
            add("TRANSP:TRANSPARENT")
            add("END:VEVENT")
        }
        add("END:VCALENDAR")
    }

    /// Lines are folded after 75 bytes, between characters (section 3.1).
    private mutating func add(_ line: String) {
        var length = 0
        for character in line.unicodeScalars {
            let size = UTF8.width(character)
            if length + size > 75 {
                text += "\r\n "
                length = 1
            }
            text.unicodeScalars.append(character)
            length += size
        }
        text += "\r\n"
    }

    /// Section 3.3.11.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\", ";", ",": escaped += "\\\(character)"
            case "\n": escaped += "\\n"
            case "\r": continue
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    private static func utc(_ instant: Instant) -> String { local(instant.local(offset: 0)) + "Z" }

    /// `20261201T090000`
    private static func local(_ local: LocalDateTime) -> String {
        String("\(local)".unicodeScalars.filter { $0 != "-" && $0 != ":" }.map(Character.init))
    }
}
