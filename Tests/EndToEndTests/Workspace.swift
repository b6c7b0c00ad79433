import Foundation
import JSON
import TestSupport

/// A folder of its own for one test, with campaigns, a configuration and a store, and the program that works in it.
final class Workspace {
    let directory: String

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("carillon-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: directory + "/campaigns", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func path(_ relative: String) -> String { directory + "/" + relative }

    func write(_ text: String, to relative: String) throws {
        let url = URL(fileURLWithPath: path(relative))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// Runs `carillon` here, to its end.
    func carillon(_ arguments: String..., input: String? = nil) throws -> ChildOutput {
        try ChildProcess.run(
            try CarillonProgram.path(), arguments, input: input.map { Data($0.utf8) }, environment: ["NO_COLOR": "1"],
            directory: directory)
    }

    /// Waits until a file that grows has so many lines.
    func waitForLines(_ count: Int, in relative: String) throws {
        let script = "head -n \"$1\" < <(exec tail -n +1 --pid=$$ -F \"$0\" 2>/dev/null) >/dev/null"
        let waiting = try ChildProcess.run(
            "/usr/bin/timeout", ["60", "/bin/bash", "-c", script, path(relative), "\(count)"])
        guard waiting.status == 0 else {
            throw ChildProcessError(description: "\(relative) never had \(count) lines")
        }
    }

    /// Runs `carillon … --format json`, which must succeed with one of the exit codes, and reads what it printed.
    func json(_ arguments: [String], exits: Set<Int32> = [0]) throws -> JSON {
        let output = try ChildProcess.run(
            try CarillonProgram.path(), arguments + ["--format", "json"], environment: ["NO_COLOR": "1"],
            directory: directory)
        guard exits.contains(output.status) else {
            throw ChildProcessError(
                description: "carillon \(arguments) exited with \(output.status): \(output.standardError)")
        }
        return try JSON(parsing: Array(output.standardOutput.utf8))
    }

    /// Makes an authority, a server certificate, an APNs key and a service account in `certificates/`.
    func makeCertificates(tokenURI: String? = nil) throws {
        _ = try ChildProcess.python(
            "Tests/Servers/certificates.py", [path("certificates")] + (tokenURI.map { ["--token-uri", $0] } ?? []))
    }

    /// The lines of a JSON-lines file.
    func lines(of relative: String) throws -> [JSON] {
        try String(contentsOfFile: path(relative), encoding: .utf8).split(separator: "\n").map {
            try JSON(parsing: Array($0.utf8))
        }
    }
}

enum CarillonProgram {
    /// The program that was built together with the running tests.
    static func path() throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("carillon").path
    }
}

extension JSON {
    subscript(_ key: String) -> JSON? {
        if case .object(let object) = self { object[key] } else { nil }
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }
    var number: Int64? { if case .int(let number) = self { number } else { nil } }
    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}
