import CommandLineKit

enum CompletionVerb: Verb {
    enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    private static let shell = Argument(ValueParser<Shell>.choice("SHELL"), .required, "bash, zsh or fish.")

    static let command = Command(
        "completion", abstract: "Print a completion script for a shell.", arguments: [shell],
        examples: [
            .init("source <(carillon completion bash)", "Completion in the running bash."),
            .init("carillon completion zsh > ~/.zfunc/_carillon", "Completion in zsh, with ~/.zfunc in fpath."),
            .init("carillon completion fish | source", "Completion in the running fish."),
        ])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let script =
            switch try invocation.command.require(shell) {
            case .bash: Carillon.program.bashCompletion
            case .zsh: Carillon.program.zshCompletion
            case .fish: Carillon.program.fishCompletion
            }
        try invocation.environment.output.write(script)
        return .success
    }
}
