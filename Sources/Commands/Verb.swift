import CommandLineKit

/// One verb of the command line: its description, and what it does.
protocol Verb: SendableMetatype {
    static var command: Command { get }
    static func run(_ invocation: Invocation) async throws -> ExitCode
}
