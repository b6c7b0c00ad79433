extension Program {
    /// The help text of the command at a path, wrapped to a width in characters.
    package func help(path: [String], width: Int) -> String {
        guard let command = command(at: path) else { return help(path: [], width: width) }
        let width = min(max(width, 40), 100)
        let indent = String(repeating: " ", count: "Usage: ".count)
        let usageLines = wrapped("Usage: " + usage(of: command, path: path), width: width - indent.count)
        var sections = [
            wrapped(command.abstract, width: width),
            usageLines.enumerated().map { $0.offset == 0 ? $0.element : indent + $0.element },
        ]
        if !command.discussion.isEmpty { sections.append(wrappedParagraphs(command.discussion, width: width)) }
        sections += listings(of: command, path: path, width: width)
        if !command.subcommands.isEmpty {
            let start = ([name, "help"] + path).joined(separator: " ")
            sections.append(["'\(start) VERB' explains a verb."])
        }
        return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    /// `carillon devices import [options] FILE`.
    func usage(of command: Command, path: [String]) -> String {
        var words = [name] + path
        if !command.subcommands.isEmpty { words.append("VERB") }
        words.append("[options]")
        words += command.arguments.map(\.synopsis)
        return words.joined(separator: " ")
    }

    private func listings(of command: Command, path: [String], width: Int) -> [[String]] {
        var sections: [[String]] = []
        func list(_ heading: String, _ rows: [(term: String, explanation: String)]) {
            if !rows.isEmpty { sections.append([heading] + definitionList(rows, width: width)) }
        }
        list("Verbs:", command.subcommands.map { ($0.name, $0.abstract) })
        list("Arguments:", command.arguments.map { ($0.synopsis, $0.summary) })
        if path.isEmpty {
            list("Options of every verb:", command.options.map { ($0.synopsis, $0.explanation) })
        } else {
            list("Options:", command.options.map { ($0.synopsis, $0.explanation) })
            list("Options of every verb:", root.options.map { ($0.synopsis, $0.explanation) })
        }
        if !command.examples.isEmpty {
            sections.append(
                ["Examples:"]
                    + command.examples.flatMap { example in
                        ["  " + example.line] + wrapped(example.explanation, width: width - 6).map { "      " + $0 }
                    })
        }
        return sections
    }
}
