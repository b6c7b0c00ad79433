import Campaigns
import CommandLineKit
import FoundationEssentials
import JSON
import Liquid
import Schedules

enum RenderVerb: Verb {
    private static let file = Argument(.file("TEMPLATE"), .optional, "The template to read; - is the standard input.")
    private static let text = Option("template", short: "e", .text("TEXT"), "The template itself, instead of a file.")
    private static let data = Option("data", .file(), "A JSON file with the variables; - is the standard input.")
    private static let set = RepeatedOption(
        "set", .keyValue, "A variable; its value is JSON where it can be read as such, and a string otherwise.")
    private static let partials = Option(
        "partials", .directory(), "The folder of the templates that 'render' and 'include' name.")
    private static let strict = Flag("strict", "Refuse variables that nothing provides.")
    private static let lines = Flag(
        "jsonl", "Read one JSON object a line from the standard input and answer each with one line.")

    static let command = Command(
        "render", abstract: "Render a Liquid template.",
        discussion: """
            With --jsonl each line of input is {"template": "…", "data": {…}, "templates": {"name": "…"}, \
            "strict": false}, where only the template is required, and each line of output is {"result": "…"} or \
            {"error": "…"}, in the same order.
            """,
        arguments: [file], options: [text, data, set, partials, strict, lines],
        examples: [
            .init("carillon render -e 'Hello {{ name | capitalize }}' --set name=ada", "Prints: Hello Ada"),
            .init("carillon render digest.liquid --data stories.json", "Render a file with the data of another."),
        ])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        if invocation.command[lines] { return try answerLines(invocation) }
        let source = try template(invocation)
        do {
            let template = try Template(
                parsing: source,
                options: options(isStrict: invocation.command[strict], partials: try partialTexts(invocation)))
            try invocation.environment.output.write(try template.render(context(try variables(invocation), invocation)))
            return .success
        } catch let error as LiquidError {
            throw CommandFailure(.usage, error.description)
        }
    }

    private static func options(isStrict: Bool, partials: [String: String]) -> TemplateOptions {
        TemplateOptions(unknownVariables: isStrict ? .refused : .empty, limits: .document, partials: partials)
    }

    private static func context(_ variables: JSONObject, _ invocation: Invocation) -> LiquidContext {
        LiquidContext(
            variables: LiquidMap(variables), now: LiquidInstant(seconds: invocation.now.secondsSinceEpoch))
    }

    // MARK: One template

    private static func template(_ invocation: Invocation) throws -> String {
        let command = invocation.command
        switch (command[file].first, command[text]) {
        case (let path?, nil):
            guard let text = String(validating: try invocation.readAll(path), as: UTF8.self) else {
                throw CommandFailure(.usage, "\(path) is not UTF-8 text.")
            }
            return text
        case (nil, let text?): return text
        case (nil, nil): throw command.error("TEMPLATE or --template is missing")
        case (_?, _?): throw command.error("TEMPLATE and --template exclude each other")
        }
    }

    private static func variables(_ invocation: Invocation) throws -> JSONObject {
        var variables = JSONObject()
        if let path = invocation.command[data] {
            do {
                guard let object = try JSON(parsing: try invocation.readAll(path)).objectValue else {
                    throw CommandFailure(.usage, "\(path) must hold a JSON object, whose members are the variables.")
                }
                variables = object
            } catch let error as JSONSyntaxError {
                throw CommandFailure(.usage, "\(path):\(error.line):\(error.column): \(error.message)")
            }
        }
        for pair in invocation.command[set] {
            variables[pair.key] = pair.json
        }
        return variables
    }

    /// The files of the folder, by their names with and without `.liquid`.
    private static func partialTexts(_ invocation: Invocation) throws -> [String: String] {
        guard let folder = invocation.command[partials] else { return [:] }
        let path = invocation.environment.absolutePath(folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw CommandFailure(.usage, "The folder \(folder) cannot be read.")
        }
        var texts: [String: String] = [:]
        for name in names.sorted() where !name.hasPrefix(".") {
            guard let bytes = FileManager.default.contents(atPath: path + "/" + name),
                let text = String(validating: bytes, as: UTF8.self)
            else { continue }
            texts[name] = text
            if name.hasSuffix(".liquid") { texts[String(name.dropLast(".liquid".count))] = text }
        }
        return texts
    }

    // MARK: Many templates

    private static func answerLines(_ invocation: Invocation) throws -> ExitCode {
        try JSONLinesSeam.run(invocation) { request in
            try request.refuseKeys(otherThan: ["template", "data", "templates", "strict"])
            guard let source = try request.text("template") else {
                throw JSONLinesSeam.Refusal("'template' is missing")
            }
            let isStrict = request["strict"].map { $0 == .bool(true) } ?? false
            var partials: [String: String] = [:]
            for member in try request.object("templates") {
                guard let text = member.value.stringValue else {
                    throw JSONLinesSeam.Refusal("'templates' must hold strings")
                }
                partials[member.key] = text
            }
            var options = options(isStrict: isStrict, partials: partials)
            // What conformance suites call lax: an unknown filter does nothing. Words too many stay errors in both modes.
            if !isStrict { options.unknownFilters = .ignored }
            let template = try Template(parsing: source, options: options)
            return ["result": .string(try template.render(context(try request.object("data"), invocation)))]
        }
    }
}

extension LiquidMap {
    fileprivate convenience init(_ object: JSONObject) { self.init(object.map { ($0.key, LiquidValue($0.value)) }) }
}
