extension Program {
    /// A completion function for zsh, to be put into a folder of `fpath` as `_NAME`.
    package var zshCompletion: String {
        let functions = commandsWithPaths.map { path, command in
            command.subcommands.isEmpty ? leafFunction(path, command) : branchFunction(path, command)
        }
        let function = zshFunction([])
        return """
            #compdef \(name)
            # Completion of \(name) for zsh.

            \(functions.joined(separator: "\n"))
            if [ "$funcstack[1]" = "\(function)" ]; then
                \(function) "$@"
            else
                compdef \(function) \(name)
            fi

            """
    }

    private func zshFunction(_ path: [String]) -> String {
        "_" + ([name] + path).map(\.replacingNonIdentifiers).joined(separator: "_")
    }

    private func leafFunction(_ path: [String], _ command: Command) -> String {
        let lines = (command.options + root.options).map(zshSpecification) + command.arguments.map(zshSpecification)
        return """
            \(zshFunction(path))() {
                _arguments -s -S \\
                    \(lines.joined(separator: " \\\n        "))
            }

            """
    }

    private func branchFunction(_ path: [String], _ command: Command) -> String {
        let verbs = command.subcommands.map { "'\($0.name):\(zshEscaped($0.abstract, "'"))'" }
        let cases = command.subcommands.map { "                \($0.name)) \(zshFunction(path + [$0.name])) ;;" }
        return """
            \(zshFunction(path))() {
                local context state line
                typeset -A opt_args
                _arguments -C -s -S \\
                    \(root.options.map(zshSpecification).joined(separator: " \\\n        ")) \\
                    '1: :->verb' '*:: :->rest'
                case $state in
                    verb)
                        local -a verbs=(
                            \(verbs.joined(separator: "\n                "))
                        )
                        _describe verb verbs ;;
                    rest)
                        case $line[1] in
            \(cases.joined(separator: "\n"))
                        esac ;;
                esac
            }

            """
    }

    private func zshSpecification(_ option: OptionDefinition) -> String {
        let repeats = option.kind == .repeatedValue ? "*" : ""
        let value = option.takesValue ? ":\(zshEscaped(option.placeholder, "':")):\(zshAction(option.completion))" : ""
        let text = "[\(zshEscaped(option.summary, "'[]:"))]\(value)'"
        guard let short = option.short else { return "'\(repeats)--\(option.name)\(text)" }
        let group = repeats.isEmpty ? "'(-\(short) --\(option.name))'" : "'*'"
        return "\(group){-\(short),--\(option.name)}'\(text)"
    }

    private func zshSpecification(_ argument: ArgumentDefinition) -> String {
        let place =
            switch argument.arity {
            case .required: ""
            case .optional: ":"
            case .repeated: "*"
            }
        return "'\(place):\(zshEscaped(argument.placeholder, "':")):\(zshAction(argument.completion))'"
    }

    private func zshAction(_ completion: Completion) -> String {
        switch completion {
        case .nothing: ""
        case .files: "_files"
        case .directories: "_files -/"
        case .choices(let names): "(\(names.joined(separator: " ")))"
        }
    }

    /// Quotes for a single-quoted word: `'` closes, escapes and opens again; the others take a backslash.
    private func zshEscaped(_ text: String, _ special: String) -> String {
        text.reduce(into: "") { result, character in
            if character == "'" {
                result += #"'\''"#
            } else if special.contains(character) {
                result += "\\\(character)"
            } else {
                result.append(character)
            }
        }
    }
}
