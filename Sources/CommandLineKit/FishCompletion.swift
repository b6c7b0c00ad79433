extension Program {
    /// A completion script for fish, to be put into `fish/vendor_completions.d`.
    package var fishCompletion: String {
        let function = "__\(name.replacingNonIdentifiers)_at"
        var lines = [
            "# Completion of \(name) for fish.",
            "function \(function)",
            "    set -l words (commandline -opc)[2..-1]",
            "    set -l path",
            "    for word in $words",
            "        switch \"$path|$word\"",
        ]
        for (path, command) in commandsWithPaths {
            for verb in command.subcommands {
                lines.append("            case '\(path.joined(separator: " "))|\(verb.name)'")
                lines.append("                set path '\((path + [verb.name]).joined(separator: " "))'")
            }
        }
        lines += ["        end", "    end", "    test \"$path\" = \"$argv[1]\"", "end", "complete -c \(name) -f"]
        lines += root.options.map { fishLine(condition: nil, $0) }
        for (path, command) in commandsWithPaths {
            let condition = "\(function) '\(path.joined(separator: " "))'"
            lines += command.subcommands.map {
                "complete -c \(name) -n \(fishQuoted(condition)) -a \($0.name) -d \(fishQuoted($0.abstract))"
            }
            if !path.isEmpty { lines += command.options.map { fishLine(condition: condition, $0) } }
            lines += command.arguments.compactMap { argument in
                fishArguments(argument.completion).map {
                    "complete -c \(name) -n \(fishQuoted(condition)) \($0)"
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func fishLine(condition: String?, _ option: OptionDefinition) -> String {
        var words = ["complete -c \(name)"]
        if let condition { words.append("-n \(fishQuoted(condition))") }
        if let short = option.short { words.append("-s \(short)") }
        words.append("-l \(option.name)")
        if option.takesValue { words.append(fishArguments(option.completion).map { "-r " + $0 } ?? "-x") }
        words.append("-d \(fishQuoted(option.summary))")
        return words.joined(separator: " ")
    }

    private func fishArguments(_ completion: Completion) -> String? {
        switch completion {
        case .nothing: nil
        case .files: "-F"
        case .directories: "-f -a '(__fish_complete_directories)'"
        case .choices(let names): "-f -a \(fishQuoted(names.joined(separator: " ")))"
        }
    }

    private func fishQuoted(_ text: String) -> String {
        let escaped = text.reduce(into: "") { result, character in
            if character == "'" || character == "\\" { result.append("\\") }
            result.append(character)
        }
        return "'\(escaped)'"
    }
}
