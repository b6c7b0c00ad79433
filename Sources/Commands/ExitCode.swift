/// What the exit code of the program says.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
    case success = 0
    /// There are findings, or deliveries failed.
    case findings = 1
    /// The command line, the configuration or a campaign file is wrong.
    case usage = 2
    /// The store or a file that is needed cannot be reached.
    case unreachable = 3

    var meaning: String {
        switch self {
        case .success: "Fine."
        case .findings: "There are findings, or deliveries failed."
        case .usage: "The command line, the configuration or a campaign file is wrong."
        case .unreachable: "The store or a file that is needed cannot be reached."
        }
    }
}

/// A verb ends here: what to tell, and with which exit code.
struct CommandFailure: Error, CustomStringConvertible {
    var exitCode: ExitCode
    /// One sentence or several lines, without `error:` in front.
    var message: String

    init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    var description: String { message }
}
