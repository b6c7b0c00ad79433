import CommandLineKit
import FoundationEssentials
import Glibc
import Push

/// The program: its verbs, and the way from a command line to an exit code.
package enum Carillon {
    package static let version = "0.1.0"

    static let verbs: [any Verb.Type] = [
        InitVerb.self, ValidateVerb.self, NextVerb.self, PreviewVerb.self, RunVerb.self, SendVerb.self,
        HistoryVerb.self, RenderVerb.self,
        SchemaVerb.self,
        CompletionVerb.self,
    ]

    /// The verbs below `devices`.
    static let deviceVerbs: [any Verb.Type] = [
        DevicesImportVerb.self, DevicesExportVerb.self, DevicesListVerb.self, DevicesCountVerb.self,
        DevicesAddVerb.self, DevicesRemoveVerb.self,
    ]

    static let program = Program(
        name: "carillon", version: version,
        abstract: "Sends push notifications on schedule from campaign files kept in git.",
        discussion: """
            A campaign file declares a schedule, a filter, a notification and a chain of interceptors. Results go to \
            the standard output, everything else to the standard error.
            """,
        globalOptions: GlobalOptions.all,
        verbs: verbs.map { $0.command } + [
            Command(
                "devices", abstract: "Look after the registered devices.",
                subcommands: deviceVerbs.map { $0.command })
        ],
        exitCodes: ExitCode.allCases.map { (Int($0.rawValue), $0.meaning) },
        environmentVariables: [
            ("NO_COLOR", "Set to anything, it turns colours off unless --color always is given."),
            ("COLUMNS", "The width that help texts are wrapped to."),
        ])

    static func verb(at path: [String]) -> (any Verb.Type)? {
        switch (path.first, path.count) {
        case ("devices", 2): deviceVerbs.first { $0.command.name == path[1] }
        case (_, 1): verbs.first { $0.command.name == path[0] }
        default: nil
        }
    }

    /// Runs the program on the process's own streams and returns its exit code.
    package static func main() async -> Int32 {
        Terminal.ignoreBrokenPipes()
        let variables = ProcessInfo.processInfo.environment
        let environment = CommandEnvironment(
            arguments: Array(CommandLine.arguments.dropFirst()),
            input: FileDescriptorInput.standard,
            output: FileDescriptorOutput(descriptor: STDOUT_FILENO, bufferSize: 1 << 16),
            errors: FileDescriptorOutput(descriptor: STDERR_FILENO, bufferSize: 0),
            isOutputTerminal: Terminal.isTerminal(STDOUT_FILENO),
            isErrorTerminal: Terminal.isTerminal(STDERR_FILENO),
            columns: Terminal.columns(variables: variables),
            variables: variables,
            workingDirectory: FileManager.default.currentDirectoryPath,
            handlesSignals: true)
        return await run(environment).rawValue
    }

    /// Runs a command line. Nothing is thrown: every problem is told on the standard error and in the exit code.
    package static func run(_ environment: CommandEnvironment) async -> ExitCode {
        var color = ColorChoice.auto
        do {
            let exitCode = try await answer(environment, &color)
            try environment.output.flush()
            return exitCode
        } catch OutputFailure.readerGone {
            return .success
        } catch {
            // What was printed before the problem is still a result; that it may not be readable is told below.
            try? environment.output.flush()
            let report = ErrorReport(error, program: program)
            let style = environment.style(color, isTerminal: environment.isErrorTerminal)
            try? environment.errors.write(report.text(style: style))
            return report.exitCode
        }
    }

    private static func answer(_ environment: CommandEnvironment, _ color: inout ColorChoice) async throws -> ExitCode {
        switch try program.parse(environment.arguments) {
        case .help(let path):
            try environment.output.write(program.help(path: path, width: environment.columns))
        case .manual:
            try environment.output.write(program.manualPage)
        case .version:
            try environment.output.writeLine("carillon \(version)")
        case .run(let command):
            guard let verb = verb(at: command.path) else { throw command.error("this verb cannot be run") }
            let invocation = Invocation(command: command, environment: environment)
            color = invocation.options.color
            return try await verb.run(invocation)
        }
        return .success
    }
}
