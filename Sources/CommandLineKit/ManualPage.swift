extension Program {
    /// The whole program as a page for `man`, section 1.
    package var manualPage: String {
        var lines = [
            ".TH \(name.uppercased()) 1 \"\" \"\(name) \(version)\" \"User Commands\"",
            ".SH NAME",
            "\(roff(name)) \\- \(roff(root.abstract))",
            ".SH SYNOPSIS",
            ".B \(roff(usage(of: root, path: [])))",
        ]
        if !root.discussion.isEmpty { lines += [".SH DESCRIPTION"] + roffParagraphs(root.discussion) }
        lines += [".SH OPTIONS OF EVERY VERB"] + root.options.flatMap(roffOption)
        lines.append(".SH VERBS")
        for (path, command) in leaves { lines += roffVerb(path, command) }
        if !exitCodes.isEmpty {
            lines += [".SH EXIT STATUS"] + exitCodes.flatMap { [".TP", ".B \($0.code)", roff($0.meaning)] }
        }
        if !environmentVariables.isEmpty {
            lines +=
                [".SH ENVIRONMENT"] + environmentVariables.flatMap { [".TP", ".B \(roff($0.name))", roff($0.meaning)] }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func roffVerb(_ path: [String], _ command: Command) -> [String] {
        var lines = [".SS \(roff(usage(of: command, path: path)))", roff(command.abstract)]
        if !command.discussion.isEmpty { lines += [".PP"] + roffParagraphs(command.discussion) }
        lines += command.arguments.flatMap { [".TP", ".B \(roff($0.synopsis))", roff($0.summary)] }
        lines += command.options.flatMap(roffOption)
        for example in command.examples {
            lines += [".PP", roff(example.explanation), ".EX", roff("    " + example.line), ".EE"]
        }
        return lines
    }

    private func roffOption(_ option: OptionDefinition) -> [String] {
        [".TP", ".B \(roff(option.synopsis))", roff(option.explanation)]
    }

    private func roffParagraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var isLiteral = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let wantsLiteral = line.hasPrefix(" ")
            if wantsLiteral != isLiteral { lines.append(wantsLiteral ? ".EX" : ".EE") }
            isLiteral = wantsLiteral
            lines.append(line.isEmpty ? ".PP" : roff(String(line)))
        }
        return isLiteral ? lines + [".EE"] : lines
    }

    /// Escapes backslashes and dashes, and a dot or quote that would begin a request.
    private func roff(_ text: String) -> String {
        let escaped = text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            default: result.append(character)
            }
        }
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }
}
