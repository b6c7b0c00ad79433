internal import FoundationEssentials
internal import Schedules
internal import YAML

/// The named lists of dates that `except` may name: those of all files of the folder `_calendars`.
struct SharedCalendars: Sendable {
    static let folderName = "_calendars"

    private(set) var dates: [String: ExceptedDates] = [:]
    /// What is wrong with the files.
    private(set) var diagnostics: [Diagnostic] = []

    private static let sizeLimit = 1 << 20

    init() {}

    /// `folder` is where the files are read, `name` how messages name it.
    init(folder: String, named name: String) {
        let found = try? FileManager.default.contentsOfDirectory(atPath: folder)
        for file in (found ?? []).sorted()
        where !file.hasPrefix(".") && (file.hasSuffix(".yaml") || file.hasSuffix(".yml")) {
            read(folder + "/" + file, named: name + "/" + file)
        }
    }

    private mutating func read(_ path: String, named name: String) {
        do {
            let bytes = try FileReading.bytes(of: path, limit: Self.sizeLimit)
            let document = try YAMLDocument(parsing: bytes, file: name)
            var decoder = SharedCalendarDecoder(NodeReader(document.source))
            for (calendar, range, dates) in decoder.calendars(document.root) {
                guard self.dates[calendar] == nil else {
                    decoder.reader.report(
                        .duplicateCalendar, "the calendar \(calendar) is in another file of this folder too", at: range)
                    continue
                }
                self.dates[calendar] = dates
            }
            diagnostics += decoder.reader.finished()
        } catch let error as YAMLError {
            diagnostics.append(Diagnostic(error))
        } catch {
            let reason = (error as? FileReadingError)?.reason ?? "\(error)"
            diagnostics.append(
                Diagnostic(.error, .unreadableFile, "the file cannot be read: \(reason)", at: .init(file: name)))
        }
    }
}

/// Reads one file: a mapping of names to lists of dates.
private struct SharedCalendarDecoder {
    var reader: NodeReader

    init(_ reader: NodeReader) { self.reader = reader }

    mutating func calendars(_ root: YAMLNode) -> [(name: String, range: SourceRange, dates: ExceptedDates)] {
        guard let mapping = root.mapping else {
            reader.report(
                .wrongType, "a file of calendars takes a mapping of names to lists of dates, not \(root.kindName)",
                at: reader.token(root))
            return []
        }
        return mapping.entries.compactMap { entry in
            guard let first = entry.key.utf8.first, !UInt8.digits.contains(first) else {
                reader.report(
                    .wrongType, "the name of a calendar begins with a letter, so that it is not taken for a date",
                    at: entry.keyRange)
                return nil
            }
            guard let items = reader.list(entry, of: "dates", emptyMeans: "which excepts nothing; leave it out") else {
                return nil
            }
            return (entry.key, entry.keyRange, ExceptedDates(items.flatMap { ranges($0) }))
        }
    }

    /// `2026-12-25`, `12-25` for every year, or `{from: 2026-12-31, to: 2027-01-02}`.
    private mutating func ranges(_ item: YAMLNode) -> [ClosedRange<CivilDate>] {
        if item.mapping != nil {
            guard let entries = reader.entries(of: item, CampaignDecoder.exceptKeys) else { return [] }
            guard let from = entries["from"], let to = entries["to"] else {
                reader.report(.missingKey, "a range of dates needs from and to", at: entries.range)
                return []
            }
            guard let first = date(from.value), let last = date(to.value) else { return [] }
            guard first <= last else {
                reader.report(.invalidTime, "the range ends before it begins", at: to.value.range)
                return []
            }
            return [first...last]
        }
        guard let scalar = reader.scalar(item, key: "a date", keyRange: item.range, "a date") else { return [] }
        if scalar.text.utf8.count == 5 {
            // The days of a leap year, so that 02-29 is one.
            guard let day = try? CivilDate(parsing: "2000-" + scalar.text) else {
                reader.report(.invalidTime, "no year has the day \(scalar.text)", at: item.range)
                return []
            }
            return (1970..<2200).compactMap { year in
                CivilDate(year: year, month: day.month, day: day.day).map { $0...$0 }
            }
        }
        return date(item).map { [$0...$0] } ?? []
    }

    private mutating func date(_ node: YAMLNode) -> CivilDate? {
        guard let scalar = reader.scalar(node, key: "a date", keyRange: node.range, "a date") else { return nil }
        do {
            return try CivilDate(parsing: scalar.text)
        } catch {
            reader.report(.invalidTime, error, in: node, scalar)
            return nil
        }
    }
}

extension UInt8 {
    static let digits: ClosedRange<UInt8> = UInt8(ascii: "0")...UInt8(ascii: "9")
}
