package import Foundation
import Glibc

/// A test could not run a program it needs.
package struct ChildProcessError: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
}

/// What a finished program left.
package struct ChildOutput: Sendable {
    package var status: Int32
    package var standardOutput: String
    package var standardError: String
}

package enum ChildProcess {
    /// Runs a program to its end, with both outputs collected and no limit on their size.
    ///
    /// The outputs go to files instead of pipes: a child that writes much to both can never block.
    package static func run(
        _ executable: String, _ arguments: [String], input: Data? = nil, environment: [String: String]? = nil,
        directory: String? = nil
    ) throws -> ChildOutput {
        try checkIsThere(executable)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("carillon-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["input", "output", "errors"].map(folder.appendingPathComponent)
        for file in files { try (file == files[0] ? input ?? Data() : Data()).write(to: file) }

        let handles = [
            try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
            try FileHandle(forWritingTo: files[2]),
        ]
        defer { for handle in handles { try? handle.close() } }
        // A shell changes the folder: what glibc has for that in `posix_spawn` is not visible to Swift.
        let changingFolder = directory.map { ["-c", "cd \"$0\" && exec \"$@\"", $0, executable] + arguments }
        let process = try SpawnedProcess(
            changingFolder == nil ? executable : "/bin/sh", changingFolder ?? arguments,
            streams: .init(
                input: handles[0].fileDescriptor, output: handles[1].fileDescriptor, errors: handles[2].fileDescriptor),
            environment: environment ?? [:])
        let status = process.waitForExit()
        return ChildOutput(
            status: status,
            standardOutput: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            standardError: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }

    /// Runs a Python program of the repository and returns what it printed; a failure carries its last words.
    package static func python(_ script: String, _ arguments: [String] = [], input: Data? = nil) throws -> String {
        let result = try run(Repository.python, [Repository.path(script)] + arguments, input: input)
        guard result.status == 0 else {
            throw ChildProcessError(
                description: "\(script) exited with \(result.status): \(result.standardError.suffix(2_000))")
        }
        return result.standardOutput
    }

    static func checkIsThere(_ executable: String) throws {
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw ChildProcessError(description: "\(executable) is missing: run scripts/install first")
        }
    }
}
