import Spelling

/// What a command line asks for.
package enum CommandLineRequest: Sendable {
    case run(ParsedCommand)
    /// Help for the command at the path; empty for the program.
    case help(path: [String])
    case manual
    case version
}

extension Program {
    /// Reads the words after the program's name: first which word is what, then the value of each.
    package func parse(_ words: [String]) throws(UsageError) -> CommandLineRequest {
        var matcher = WordMatcher(program: self)
        try matcher.match(words)
        if matcher.isGiven(StandardOption.help) { return .help(path: matcher.path) }
        if matcher.isGiven(StandardOption.version) { return .version }
        if matcher.path == [StandardCommand.help.name] {
            if matcher.isGiven(StandardCommand.manual) { return .manual }
            return .help(path: try existingPath(matcher.arguments))
        }
        guard !matcher.path.isEmpty else {
            if words.isEmpty { return .help(path: []) }
            throw UsageError("a verb is missing")
        }
        guard matcher.command.subcommands.isEmpty else {
            let names = matcher.command.subcommands.map(\.name)
            throw UsageError("'\(matcher.commandLine)' needs one of \(listed(names))", path: matcher.path)
        }
        return .run(try matcher.typedValues())
    }

    private func existingPath(_ names: [String]) throws(UsageError) -> [String] {
        var command = root
        for (index, name) in names.enumerated() {
            guard let next = command.subcommands.first(where: { $0.name == name }) else {
                throw unknownCommand(name, in: command, path: Array(names[..<index]))
            }
            command = next
        }
        return names
    }

    func unknownCommand(_ name: String, in command: Command, path: [String]) -> UsageError {
        let suggestion = nearestName(to: name, among: command.subcommands.map(\.name))
        let hint = suggestion.map { "; did you mean '\($0)'?" } ?? ""
        let place = path.isEmpty ? "" : " of '\(([self.name] + path).joined(separator: " "))'"
        return UsageError("'\(name)' is no verb\(place)\(hint)", path: path)
    }
}

/// The first phase of parsing: tells verbs, options and arguments apart.
private struct WordMatcher {
    private struct GivenOption {
        var definition: OptionDefinition
        var value: String
        /// As it was written, for messages.
        var spelling: String
    }

    let program: Program
    private(set) var command: Command
    private(set) var path: [String] = []
    private(set) var arguments: [String] = []
    private var given: [GivenOption] = []

    init(program: Program) {
        self.program = program
        self.command = program.root
    }

    var commandLine: String { ([program.name] + path).joined(separator: " ") }

    func isGiven(_ flag: Flag) -> Bool { given.contains { $0.definition.name == flag.definition.name } }

    mutating func match(_ words: [String]) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                arguments += rest
                return
            } else if word.hasPrefix("--") {
                try matchLong(word, &rest)
            } else if word.hasPrefix("-"), word != "-" {
                try matchShort(word, &rest)
            } else if command.subcommands.isEmpty {
                arguments.append(word)
            } else if let next = command.subcommands.first(where: { $0.name == word }) {
                command = next
                path.append(word)
            } else {
                throw program.unknownCommand(word, in: command, path: path)
            }
        }
    }

    private mutating func matchLong(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        guard let option = optionsInScope.first(where: { $0.name == name }) else { throw unknownOption(name) }
        if parts.count == 2 {
            guard option.takesValue else { throw usageError("--\(name) takes no value") }
            given.append(GivenOption(definition: option, value: String(parts[1]), spelling: "--\(name)"))
        } else {
            try append(option, spelling: "--\(name)", &rest)
        }
    }

    /// `-n 5`, `-n5`, or flags together: `-qv`.
    private mutating func matchShort(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = optionsInScope.first(where: { $0.short == letter }) else {
                throw usageError("'\(commandLine)' has no option -\(letter)")
            }
            if option.takesValue, !letters.isEmpty {
                given.append(GivenOption(definition: option, value: String(letters), spelling: "-\(letter)"))
                return
            }
            try append(option, spelling: "-\(letter)", &rest)
        }
    }

    private mutating func append(
        _ option: OptionDefinition, spelling: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard option.takesValue else {
            given.append(GivenOption(definition: option, value: "", spelling: spelling))
            return
        }
        guard let value = rest.first else { throw usageError("\(spelling) needs a value (\(option.placeholder))") }
        // A forgotten value must not swallow the option after it.
        guard !value.hasPrefix("--") else {
            throw usageError("\(spelling) needs a value; write \(spelling)=\(value) if '\(value)' is meant to be it")
        }
        rest.removeFirst()
        given.append(GivenOption(definition: option, value: value, spelling: spelling))
    }

    private var optionsInScope: [OptionDefinition] { command.options + program.root.options }

    private func unknownOption(_ name: String) -> UsageError {
        let message = "'\(commandLine)' has no option --\(name)"
        if let owner = command.subcommands.first(where: { $0.options.contains { $0.name == name } }) {
            return usageError("\(message); write it after '\(owner.name)'")
        }
        let suggestion = nearestName(to: name, among: optionsInScope.map(\.name))
        return usageError(message + (suggestion.map { "; did you mean '--\($0)'?" } ?? ""))
    }

    private func usageError(_ message: String) -> UsageError { UsageError(message, path: path) }
}

extension WordMatcher {
    /// The second phase of parsing: every word becomes a value of its type.
    func typedValues() throws(UsageError) -> ParsedCommand {
        var options: [String: [any Sendable]] = [:]
        for option in given {
            do {
                options[option.definition.name, default: []].append(try option.definition.convert(option.value))
            } catch {
                throw usageError("\(option.spelling) cannot be '\(option.value)': \(error.reason)")
            }
        }
        return ParsedCommand(path: path, options: options, arguments: try typedArguments())
    }

    private func typedArguments() throws(UsageError) -> [String: [any Sendable]] {
        var words = arguments[...]
        var values: [String: [any Sendable]] = [:]
        for argument in command.arguments {
            let taken = argument.arity == .repeated ? words : words.prefix(1)
            words = words.dropFirst(taken.count)
            if argument.arity == .required, taken.isEmpty {
                throw usageError("\(argument.placeholder) is missing")
            }
            for word in taken {
                do {
                    values[argument.placeholder, default: []].append(try argument.convert(word))
                } catch {
                    throw usageError("\(argument.placeholder) cannot be '\(word)': \(error.reason)")
                }
            }
        }
        if let extra = words.first { throw usageError("'\(extra)' is one argument too many") }
        return values
    }
}
