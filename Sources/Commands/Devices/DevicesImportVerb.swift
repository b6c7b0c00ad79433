import CommandLineKit
import JSON
import Push
import Schedules
import Storage

enum DevicesImportVerb: Verb {
    private static let file = Argument(.file(), .required, "The file to read; - is the standard input.")
    private static let format = Option(
        "as", ValueParser<RegistrationFormat>.choice(),
        "The format, where neither the name of the file nor its beginning tells it.")
    private static let ignoreUnknown = Flag("ignore-unknown", "Leave out columns that no device has.")
    private static let dryRun = Flag("dry-run", "Check the file and save nothing.")

    static let command = Command(
        "import", abstract: "Register devices from a file.",
        discussion: """
            The file holds JSON lines or CSV with a line of column names. The columns are \
            \(RegistrationColumn.names.joined(separator: ", ")); token and platform are required. In CSV the words of \
            a list stand with ';' between them, and data is a JSON object.

            A device that is known already is renewed. Lines that are no device are reported and left out; the exit \
            code is then 1.
            """,
        arguments: [file], options: [format, ignoreUnknown, dryRun],
        examples: [
            .init("carillon devices import devices.jsonl", "Register every device of the file."),
            .init("zcat devices.csv.gz | carillon devices import -", "The same from a pipe."),
        ])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let path = try invocation.command.require(file)
        let input = try PeekedInput(try invocation.input(path))
        let format =
            invocation.command[format] ?? RegistrationFormat(fileName: path)
            ?? RegistrationFormat(beginning: input.beginning)
        let decoder = RegistrationDecoder(
            now: invocation.environment.clock.now, ignoresUnknown: invocation.command[ignoreUnknown])
        let name = path == "-" ? "standard input" : path
        var source: RegistrationSource
        do {
            source = try RegistrationSource(input, format: format, decoder: decoder)
        } catch let error as RecordError {
            throw CommandFailure(.usage, "\(name):1: \(error.problem)")
        } catch let error as CSVReader.RowError {
            throw CommandFailure(.usage, "\(name):\(error.line): \(error.problem)")
        }
        let reader = ImportReader(source, name: name, invocation)
        let isDryRun = invocation.command[dryRun]
        let saved = try await isDryRun ? checkOnly(reader) : save(reader, invocation)
        try report(await reader.tally, saved, invocation)
        return await reader.tally.refused > 0 ? .findings : .success
    }

    private static func checkOnly(_ reader: ImportReader) async throws -> SaveCounts? {
        while try await reader.nextBatch() != nil {}
        return nil
    }

    private static func save(_ reader: ImportReader, _ invocation: Invocation) async throws -> SaveCounts {
        let store = try await invocation.openStore()
        return try await closing(store) {
            try await store.importRegistrations { try await reader.nextBatch() }
        }
    }

    /// - Parameter saved: `nil` in a dry run.
    private static func report(_ tally: ImportReader.Tally, _ saved: SaveCounts?, _ invocation: Invocation) throws {
        let hidden = tally.refused - ImportReader.shownProblems
        if hidden > 0 { try invocation.complain("\(counted(hidden, "more line is", "more lines are")) no device") }
        if let first = tally.firstUnknownZone {
            let devices = counted(tally.unknownZones, "device has", "devices have")
            try invocation.warn("\(devices) a time zone that is not known here, the first at \(first)")
        }
        switch (invocation.options.format, saved) {
        case (.json, let saved):
            try invocation.print([
                "accepted": .int(Int64(tally.accepted)), "refused": .int(Int64(tally.refused)),
                "new": .int(Int64(saved?.new ?? 0)), "renewed": .int(Int64(saved?.renewed ?? 0)),
            ])
        case (.text, let saved):
            let details = saved.map { "imported (\(grouped($0.new)) new, \(grouped($0.renewed)) renewed)" }
            let refused = tally.refused > 0 ? ", \(counted(tally.refused, "line")) refused" : ""
            try invocation.print("\(counted(tally.accepted, "device")) \(details ?? "would be imported")\(refused)")
        }
    }
}

/// Reads an input batch by batch, and reports and counts what is no device.
private actor ImportReader {
    struct Tally {
        var accepted = 0
        var refused = 0
        /// Devices that are kept although this machine does not know their time zone: another release of the zones may.
        var unknownZones = 0
        /// `FILE:LINE: 'ZONE'`
        var firstUnknownZone: String?
    }

    /// Devices that are handed over together.
    private static let batchSize = 2_000
    /// Bad lines that are shown; more are only counted.
    static let shownProblems = 20

    private var source: RegistrationSource
    private let name: String
    private let invocation: Invocation
    private let zones = Set(TimeZoneDatabase.system.names)
    private(set) var tally = Tally()

    init(_ source: RegistrationSource, name: String, _ invocation: Invocation) {
        self.source = source
        self.name = name
        self.invocation = invocation
    }

    /// The next devices, or `nil` at the end.
    func nextBatch() throws -> [Registration]? {
        var batch: [Registration] = []
        while batch.count < Self.batchSize, let record = try source.next() {
            switch record.result {
            case .success(let registration):
                if let zone = registration.timeZone, !zones.contains(zone) { noteUnknown(zone, line: record.line) }
                batch.append(registration)
            case .failure(let error):
                tally.refused += 1
                if tally.refused <= Self.shownProblems {
                    try invocation.complain("\(name):\(record.line): \(error)")
                }
            }
        }
        tally.accepted += batch.count
        return batch.isEmpty ? nil : batch
    }

    private func noteUnknown(_ zone: String, line: Int) {
        tally.unknownZones += 1
        if tally.firstUnknownZone == nil { tally.firstUnknownZone = "\(name):\(line): '\(zone)'" }
    }
}
