import CommandLineKit
import FoundationEssentials
import Glibc

enum InitVerb: Verb {
    private static let directory = Argument(
        .directory(), .optional, "Where to write it; the working directory if not given.")

    static let command = Command(
        "init", abstract: "Write a starter project that validates and previews at once.",
        discussion: "Files that are there already are never overwritten: the verb then writes nothing.",
        arguments: [directory],
        examples: [.init("carillon init pushes", "Start in a folder of its own.")])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.command[directory].first ?? "."
        let root = invocation.environment.absolutePath(name)
        let manager = FileManager.default
        let existing = StarterProject.files.filter { manager.fileExists(atPath: root + "/" + $0.path) }
        let conflicts = existing.filter { !$0.yieldsToExisting }.map(\.path)
        guard conflicts.isEmpty else {
            throw CommandFailure(
                .usage, "\(name) holds \(conflicts.joined(separator: ", ")) already; nothing was written.")
        }
        for file in StarterProject.files where !existing.contains(where: { $0.path == file.path }) {
            let path = root + "/" + file.path
            do {
                try manager.createDirectory(
                    atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]),
                    withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: URL(filePath: path))
            } catch {
                throw CommandFailure(.unreachable, "\(path) cannot be written: \(reason(error)).")
            }
            try invocation.print(file.path)
        }
        let change = name == "." ? "" : "cd \(name) && "
        try invocation.note(
            "Next: \(change)carillon validate, carillon devices import devices.jsonl, carillon preview welcome")
        return .success
    }

    /// The system's words, without the dump that an error of Foundation is.
    private static func reason(_ error: any Error) -> String {
        guard let cause = (error as? CocoaError)?.underlying as? POSIXError else { return "\(error)" }
        return systemMessage(cause.code.rawValue)
    }
}
