package import Foundation
import Glibc

/// A program that a test started and that goes on beside it, with both outputs collected. It is killed with this object.
///
/// The outputs go to files instead of pipes: a program that writes much to both can never block.
package final class RunningProgram {
    private let process: SpawnedProcess
    private let folder: URL

    package init(
        _ executable: String, _ arguments: [String], input: Data? = nil, environment: [String: String] = [:],
        directory: String? = nil
    ) throws {
        try ChildProcess.checkIsThere(executable)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("carillon-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try (input ?? Data()).write(to: folder.appendingPathComponent("input"))
        for name in ["output", "errors"] { try Data().write(to: folder.appendingPathComponent(name)) }
        let handles = [
            try FileHandle(forReadingFrom: folder.appendingPathComponent("input")),
            try FileHandle(forWritingTo: folder.appendingPathComponent("output")),
            try FileHandle(forWritingTo: folder.appendingPathComponent("errors")),
        ]
        defer { for handle in handles { try? handle.close() } }
        // A shell changes the folder: what glibc has for that in `posix_spawn` is not visible to Swift.
        let changingFolder = directory.map { ["-c", "cd \"$0\" && exec \"$@\"", $0, executable] + arguments }
        process = try SpawnedProcess(
            changingFolder == nil ? executable : "/bin/sh", changingFolder ?? arguments,
            streams: .init(
                input: handles[0].fileDescriptor, output: handles[1].fileDescriptor, errors: handles[2].fileDescriptor),
            environment: environment)
    }

    /// Sends a signal, unless the end was already waited for.
    package func send(_ signal: Int32) { process.send(signal) }

    /// Waits for the end and returns what the program left.
    package func waitForEnd() throws -> ChildOutput {
        let status = process.waitForExit()
        return ChildOutput(
            status: status, standardOutput: try text("output"), standardError: try text("errors"))
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }

    deinit {
        process.send(SIGKILL)
        _ = process.waitForExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
