package import Foundation

/// A test could not run a program it needs.
package struct ChildProcessError: Error, CustomStringConvertible {
    package var description: String
}

/// What a finished program left.
package struct ChildOutput: Sendable {
    package var status: Int32
    package var standardOutput: String
    package var standardError: String
}

package enum ChildProcess {
    /// Runs a program to its end, with both outputs collected and no limit on their size.
    package static func run(
        _ executable: String, _ arguments: [String], input: Data? = nil, environment: [String: String]? = nil,
        directory: String? = nil
    ) throws -> ChildOutput {
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw ChildProcessError(description: "\(executable) is missing: run scripts/install first")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("carillon-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appendingPathComponent("output")
        let errors = folder.appendingPathComponent("errors")
        let inputFile = folder.appendingPathComponent("input")
        for file in [output, errors] { try Data().write(to: file) }
        try (input ?? Data()).write(to: inputFile)

        // Files instead of pipes: a child that writes much to both outputs can never block.
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: inputFile)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        if let environment {
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        }
        if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
        try process.run()
        process.waitUntilExit()
        return ChildOutput(
            status: process.terminationStatus,
            standardOutput: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            standardError: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
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
}
