import CommandLineKit
import FoundationEssentials
import JSON
import Push
import Schedules

/// One call of a verb: what was asked, and what it has to answer with.
struct Invocation: Sendable {
    let command: ParsedCommand
    let environment: CommandEnvironment
    let options: GlobalOptions
    /// For what is printed to the standard output.
    let style: TextStyle
    /// For what is printed to the standard error.
    let errorStyle: TextStyle

    init(command: ParsedCommand, environment: CommandEnvironment) {
        self.command = command
        self.environment = environment
        options = GlobalOptions(command)
        style = environment.style(options.color, isTerminal: environment.isOutputTerminal)
        errorStyle = environment.style(options.color, isTerminal: environment.isErrorTerminal)
    }

    /// The time it is, or the time that it shall be.
    var now: Instant {
        options.now ?? Instant(secondsSinceEpoch: Int64(environment.clock.now.timeIntervalSince1970.rounded(.down)))
    }

    // MARK: Results

    func print(_ line: String = "") throws(OutputFailure) { try environment.output.writeLine(line) }

    func print(_ table: TextTable) throws(OutputFailure) {
        for line in table.lines(style: style) { try print(line) }
    }

    func print(_ value: JSON) throws(OutputFailure) {
        try environment.output.write(value.serializedBytes(pretty: true) + [UInt8(ascii: "\n")])
    }

    // MARK: Diagnostics

    /// Tells what was done, unless only results are wanted.
    func note(_ text: String) throws(OutputFailure) {
        if !options.isQuiet { try environment.errors.writeLine(text) }
    }

    func warn(_ text: String) throws(OutputFailure) {
        try environment.errors.writeLine(errorStyle.yellow("warning:") + " " + text)
    }

    func complain(_ text: String) throws(OutputFailure) {
        try environment.errors.writeLine(errorStyle.red("error:") + " " + text)
    }

    /// Writes the engine's log to the standard error.
    var logger: Logger {
        let minimum: LogLevel = options.isVerbose ? .debug : options.isQuiet ? .error : .warning
        let (errors, style) = (environment.errors, errorStyle)
        return Logger(minimum: minimum) { event in
            let level = "\(event.level):"
            let colored =
                event.level >= .error
                ? style.red(level) : event.level == .warning ? style.yellow(level) : style.dim(level)
            let details = event.metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
            // A log line that nobody can read is no reason to stop sending.
            try? errors.writeLine("\(colored) \(event.message)\(style.dim(details))")
        }
    }
}

extension CommandEnvironment {
    /// NO_COLOR (https://no-color.org) counts when it is set to anything but nothing.
    func style(_ choice: ColorChoice, isTerminal: Bool) -> TextStyle {
        switch choice {
        case .always: TextStyle(isColored: true)
        case .never: .plain
        case .auto:
            TextStyle(
                isColored: isTerminal && variables["NO_COLOR", default: ""].isEmpty && variables["TERM"] != "dumb")
        }
    }
}

// MARK: Inputs

extension Invocation {
    /// The file at a path that somebody typed, or the standard input for `-`.
    func input(_ path: String) throws(InputFailure) -> any ByteInput {
        path == "-" ? environment.input : try FileDescriptorInput(path: environment.absolutePath(path), name: path)
    }

    /// Everything in the file at a path that somebody typed, or in the standard input for `-`.
    func readAll(_ path: String) throws(InputFailure) -> [UInt8] {
        try input(path).readAll(name: path == "-" ? "standard input" : path)
    }
}
