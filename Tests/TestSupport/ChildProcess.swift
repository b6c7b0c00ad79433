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
    package static func run(
        _ executable: String, _ arguments: [String], input: Data? = nil, environment: [String: String]? = nil,
        directory: String? = nil
    ) throws -> ChildOutput {
        try RunningProgram(
            executable, arguments, input: input, environment: environment ?? [:], directory: directory
        ).waitForEnd()
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
