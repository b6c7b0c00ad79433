/// A verb: what it is called, what it takes, and how it is explained.
package struct Command: Sendable {
    /// A command line worth copying, and what it does.
    package struct Example: Sendable, Hashable {
        package var line: String
        package var explanation: String

        package init(_ line: String, _ explanation: String) {
            self.line = line
            self.explanation = explanation
        }
    }

    package var name: String
    /// One sentence.
    package var abstract: String
    /// Paragraphs, separated by an empty line. Lines that begin with spaces are kept as they are.
    package var discussion: String
    package var arguments: [ArgumentDefinition]
    package var options: [OptionDefinition]
    package var examples: [Example]
    /// A command with subcommands cannot be run itself.
    package var subcommands: [Command]

    package init(
        _ name: String, abstract: String, discussion: String = "", arguments: [any ArgumentDeclaration] = [],
        options: [any OptionDeclaration] = [], examples: [Example] = [], subcommands: [Command] = []
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.arguments = arguments.map(\.definition)
        self.options = options.map(\.definition)
        self.examples = examples
        self.subcommands = subcommands
    }
}

/// A whole program: its verbs, and the options that every verb takes.
package struct Program: Sendable {
    package var name: String
    package var version: String
    /// The program as a command whose subcommands are the verbs; its options are the global ones.
    package var root: Command
    /// What each exit code means, for the manual page.
    package var exitCodes: [(code: Int, meaning: String)]
    /// Environment variables that change what the program does, for the manual page.
    package var environmentVariables: [(name: String, meaning: String)]

    package init(
        name: String, version: String, abstract: String, discussion: String = "",
        globalOptions: [any OptionDeclaration] = [], verbs: [Command], exitCodes: [(code: Int, meaning: String)] = [],
        environmentVariables: [(name: String, meaning: String)] = []
    ) {
        self.name = name
        self.version = version
        self.root = Command(
            name, abstract: abstract, discussion: discussion,
            options: globalOptions + [StandardOption.help, StandardOption.version],
            subcommands: verbs + [StandardCommand.help])
        self.exitCodes = exitCodes
        self.environmentVariables = environmentVariables
    }

    /// The command at a path of names, with the commands that lead to it; `nil` when there is none.
    package func command(at path: [String]) -> Command? {
        var command = root
        for name in path {
            guard let next = command.subcommands.first(where: { $0.name == name }) else { return nil }
            command = next
        }
        return command
    }

    /// Every command that can be run, with its path, in the order of the help text.
    package var leaves: [(path: [String], command: Command)] {
        commandsWithPaths.filter(\.command.subcommands.isEmpty)
    }

    /// Every command with its path, the program itself first.
    package var commandsWithPaths: [(path: [String], command: Command)] {
        var found: [(path: [String], command: Command)] = []
        var waiting: [(path: [String], command: Command)] = [([], root)]
        while let next = waiting.popLast() {
            found.append(next)
            waiting += next.command.subcommands.reversed().map { (next.path + [$0.name], $0) }
        }
        return found
    }
}

/// Options that every program has.
enum StandardOption {
    static let help = Flag("help", short: "h", "Show help for the program or the verb.")
    static let version = Flag("version", "Print the version.")
}

/// Verbs that every program has.
enum StandardCommand {
    static let manual = Flag("man", "Print the whole manual as a man page.")
    static let verbs = Argument(.text("VERB"), .repeated, "The verb to explain; all verbs when none is given.")
    static let help = Command(
        "help", abstract: "Explain a verb.", arguments: [verbs], options: [manual])
}
