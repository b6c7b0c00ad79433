extension Program {
    /// A completion script for bash, to be sourced or put into `bash-completion/completions`.
    package var bashCompletion: String {
        let function = "_" + name.replacingNonIdentifiers
        let commands = commandsWithPaths
        let steps = commands.flatMap { path, command in
            command.subcommands.map {
                "            '\(path.joined(separator: " "))|\($0.name)') path='\((path + [$0.name]).joined(separator: " "))' ;;"
            }
        }
        let values = commands.flatMap { path, command in
            command.options.filter(\.takesValue).compactMap { bashValueCase(path: path, $0) }
        }
        let words = commands.map { path, command in
            let options = (command.options + (path.isEmpty ? [] : root.options)).map { "--" + $0.name }
            let names = (command.subcommands.map(\.name) + argumentChoices(command) + options).joined(separator: " ")
            return "        '\(path.joined(separator: " "))') words='\(names)' ;;"
        }
        let files = commands.filter { $0.command.arguments.contains { $0.completion == .files } }
            .map { "'\($0.path.joined(separator: " "))'" }
        return """
            # Completion of \(name) for bash.
            \(function)() {
                local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}"
                local path='' words='' index
                for ((index = 1; index < COMP_CWORD; index++)); do
                    case "$path|${COMP_WORDS[index]}" in
            \(steps.joined(separator: "\n"))
                    esac
                done
                case "$path|$previous" in
            \(values.joined(separator: "\n"))
                esac
                case "$path" in
            \(words.joined(separator: "\n"))
                esac
                COMPREPLY=($(compgen -W "$words" -- "$current"))
                case "$path" in
                    \(files.isEmpty ? "''" : files.joined(separator: "|")))
                        if [[ $current != -* ]]; then COMPREPLY+=($(compgen -f -- "$current")); fi ;;
                esac
            }
            complete -o filenames -F \(function) \(name)

            """
    }

    /// Global options are recognised after every verb, the others after their own.
    private func bashValueCase(path: [String], _ option: OptionDefinition) -> String? {
        let reply: String
        switch option.completion {
        case .nothing: reply = "COMPREPLY=()"
        case .files: reply = #"COMPREPLY=($(compgen -f -- "$current"))"#
        case .directories: reply = #"COMPREPLY=($(compgen -d -- "$current"))"#
        case .choices(let names): reply = "COMPREPLY=($(compgen -W '\(names.joined(separator: " "))' -- \"$current\"))"
        }
        let place = path.isEmpty ? "*" : "'\(path.joined(separator: " "))'"
        let spellings = ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
        let patterns = spellings.map { "\(place)'|\($0)'" }.joined(separator: " | ")
        return "        \(patterns)) \(reply); return ;;"
    }

    private func argumentChoices(_ command: Command) -> [String] {
        command.arguments.flatMap { argument in
            if case .choices(let names) = argument.completion { names } else { [String]() }
        }
    }
}

extension String {
    /// The name with everything that a shell function's name may not hold replaced by an underscore.
    var replacingNonIdentifiers: String {
        String(map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}
