package import Push

/// Everything that a verb gets from outside, so that a test can run it within its own process.
package struct CommandEnvironment: Sendable {
    /// The words after the program's name.
    package var arguments: [String]
    package var input: any ByteInput
    package var output: any ByteOutput
    package var errors: any ByteOutput
    package var isOutputTerminal: Bool
    package var isErrorTerminal: Bool
    /// The width of the terminal in characters.
    package var columns: Int
    package var variables: [String: String]
    package var clock: WallClock
    /// What relative paths start from.
    package var workingDirectory: String
    /// Whether SIGINT and SIGTERM are to be caught where a verb ends cleanly on them.
    package var handlesSignals: Bool

    package init(
        arguments: [String], input: any ByteInput, output: any ByteOutput, errors: any ByteOutput,
        isOutputTerminal: Bool = false, isErrorTerminal: Bool = false, columns: Int = 80,
        variables: [String: String] = [:], clock: WallClock = .system, workingDirectory: String,
        handlesSignals: Bool = false
    ) {
        self.arguments = arguments
        self.input = input
        self.output = output
        self.errors = errors
        self.isOutputTerminal = isOutputTerminal
        self.isErrorTerminal = isErrorTerminal
        self.columns = columns
        self.variables = variables
        self.clock = clock
        self.workingDirectory = workingDirectory
        self.handlesSignals = handlesSignals
    }

    /// The path as it can be opened from anywhere.
    package func absolutePath(_ path: String) -> String {
        path.hasPrefix("/") ? path : workingDirectory + "/" + path
    }
}
