import Synchronization

/// Why a time zone cannot be used.
package enum TimeZoneError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No such zone; the nearest names that there are.
    case unknown(name: String, suggestions: [String])
    /// The file is there and cannot be used.
    case unreadable(name: String, reason: String)
    /// Nothing is installed.
    case noDatabase(name: String, directory: String)

    package var problem: String {
        switch self {
        case .unknown(let name, _): "there is no time zone '\(name)'"
        case .unreadable(let name, let reason): "the file of time zone '\(name)' cannot be used: \(reason)"
        case .noDatabase(let name, let directory):
            "time zone '\(name)' cannot be looked up, because there is no time zone database in \(directory)"
        }
    }

    package var remedy: String {
        switch self {
        case .unknown(_, let suggestions) where !suggestions.isEmpty:
            "did you mean " + suggestions.map { "'\($0)'" }.joined(separator: " or ") + "?"
        case .unknown: "write an IANA name such as 'Europe/Berlin' or 'UTC'"
        case .unreadable: "install the package tzdata again"
        case .noDatabase: "install the package tzdata, or let TZDIR point at a database"
        }
    }

    package var description: String { "\(problem); \(remedy)" }
}

/// The compiled time zones of a directory, each read once.
package final class TimeZoneDatabase: Sendable {
    package let directory: String
    private let cache = Mutex(Cache())

    private struct Cache {
        var zones: [String: (rules: TimeZoneRules, stamp: FileStamp)] = [:]
        var names: [String]?
    }

    package init(directory: String) { self.directory = directory }

    /// The system's: in the directory that TZDIR names, or in the usual place.
    package static let system = TimeZoneDatabase(
        directory: environmentVariable("TZDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/share/zoneinfo")

    package func rules(named name: String) throws(TimeZoneError) -> TimeZoneRules {
        if let known = cache.withLock({ $0.zones[name]?.rules }) { return known }
        guard Self.isUsable(name) else { throw unknown(name) }
        guard let (bytes, stamp) = readFile("\(directory)/\(name)", limit: 1 << 20) else {
            if name == TimeZoneRules.utc.name { return .utc }
            throw unknown(name)
        }
        let rules: TimeZoneRules
        do {
            rules = TimeZoneRules(name: name, file: try TZifFile(parsing: bytes))
        } catch {
            throw .unreadable(name: name, reason: error.description)
        }
        cache.withLock { $0.zones[name] = (rules, stamp) }
        return rules
    }

    /// Forgets the zones whose files were replaced, and names them. Cheap enough to call once a minute.
    package func refresh() -> [String] {
        let zones = cache.withLock { $0.zones.mapValues(\.stamp) }
        let changed = zones.filter { fileStamp("\(directory)/\($0.key)") != $0.value }.keys.sorted()
        guard !changed.isEmpty else { return [] }
        cache.withLock { cache in
            for name in changed { cache.zones[name] = nil }
            cache.names = nil
        }
        return changed
    }

    /// The release of the database, such as `2026c`; nothing where it does not say.
    package var version: String? {
        guard let line = readFile("\(directory)/tzdata.zi", limit: 1 << 23)?.bytes.prefix(while: { $0 != 10 }),
            line.starts(with: "# version ".utf8)
        else { return nil }
        return String(decoding: line.dropFirst(10), as: UTF8.self)
    }

    /// The names of all zones, sorted.
    package var names: [String] {
        if let names = cache.withLock({ $0.names }) { return names }
        let names = (namesFromSource() ?? namesFromFolders()).filter(Self.isUsable).sorted()
        cache.withLock { $0.names = names }
        return names
    }

    /// Whether a name can be that of a zone which means the same on every machine.
    ///
    /// Letters, digits, `+`, `-` and `_` between single slashes: never a way out of the directory. `localtime` and its
    /// like depend on the machine; `right/` counts leap seconds.
    private static func isUsable(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= 100 else { return false }
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isDigit || "+-_".utf8.contains($0) }
        }
        let reserved = ["right", "posix", "localtime", "posixrules", "Factory"]
        return isPlain && !reserved.contains(String(decoding: parts[0], as: UTF8.self))
    }

    private func unknown(_ name: String) -> TimeZoneError {
        let names = names
        guard !names.isEmpty else { return .noDatabase(name: name, directory: directory) }
        return .unknown(name: name, suggestions: nearestNames(to: name, in: names))
    }

    /// tzdata.zi holds `Z NAME …` for zones and `L TARGET NAME` for links.
    private func namesFromSource() -> [String]? {
        guard let (bytes, _) = readFile("\(directory)/tzdata.zi", limit: 1 << 23) else { return nil }
        var names: [String] = []
        for line in bytes.split(separator: UInt8(ascii: "\n"))
        where line.starts(with: "Z ".utf8) || line.starts(with: "L ".utf8) {
            let words = line.split(separator: UInt8(ascii: " "))
            guard let name = line.starts(with: "Z ".utf8) ? words.dropFirst().first : words.dropFirst(2).first else {
                continue
            }
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names.isEmpty ? nil : names
    }

    private func namesFromFolders() -> [String] {
        var names: [String] = []
        // Zone names have at most three parts.
        var folders = [""]
        for _ in 0..<3 {
            var inner: [String] = []
            for folder in folders {
                for entry in directoryEntries("\(directory)/\(folder)") {
                    if entry.isDirectory {
                        inner.append(folder + entry.name + "/")
                    } else if isCompiledZone("\(directory)/\(folder)\(entry.name)") {
                        names.append(folder + entry.name)
                    }
                }
            }
            folders = inner
        }
        return names
    }

    private func isCompiledZone(_ path: String) -> Bool {
        readFile(path, limit: 1 << 20)?.bytes.starts(with: "TZif".utf8) ?? false
    }
}
