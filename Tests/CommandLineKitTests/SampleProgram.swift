import CommandLineKit

/// A small program with something of everything that a command line can have.
enum Sample {
    enum Format: String, CaseIterable, Sendable { case text, json }

    static let config = Option("config", .file(), default: "bells.yaml", "The configuration to read.")
    static let format = Option("format", ValueParser<Format>.choice(), default: "text", "How results are printed.")
    static let quiet = Flag("quiet", short: "q", "Print results only.")
    static let verbose = Flag("verbose", short: "v", "Say more about what is done.")

    static let count = Option(
        "count", short: "n", .number(in: 1...12), default: "1", "How many times the bell is rung.")
    static let tag = RepeatedOption(
        "tag", .text("TAG"), "A tag [of: the bell], which may be given several times; it's kept with every stroke.")
    static let bell = Argument(.text("BELL"), .required, "The bell to ring.")
    static let others = Argument(.text("OTHER"), .repeated, "More bells, rung after the first.")
    static let list = Argument(.file("LIST"), .optional, "Where the list is written.")

    static let program = Program(
        name: "bells", version: "1.2.3", abstract: "Rings the bells of a tower.",
        discussion: "Every bell has a name.\n\n  - kept as it is\n\nThe rest is wrapped.",
        globalOptions: [config, format, quiet, verbose],
        verbs: [
            Command(
                "ring", abstract: "Ring one bell or several.",
                discussion:
                    "The bells are rung in the order given, one stroke each second, until every one has been heard.",
                arguments: [bell, others], options: [count, tag],
                examples: [.init("bells ring tenor --count 3", "Three strokes of the tenor.")]),
            Command(
                "tower", abstract: "Look after the towers.",
                subcommands: [
                    Command("list", abstract: "List the towers.", arguments: [list]),
                    Command("climb", abstract: "Climb a tower."),
                ]),
        ],
        exitCodes: [(0, "fine"), (2, "usage error")],
        environmentVariables: [("NO_COLOR", "turns colours off")])

    /// The parsed command of a line that is one to run.
    static func run(_ words: String...) throws -> ParsedCommand {
        let request = try program.parse(words)
        guard case .run(let parsed) = request else { throw UsageError("not a command to run: \(request)") }
        return parsed
    }

    /// The message of the usage error that a line gives.
    static func complaint(_ words: [String]) -> String {
        do throws(UsageError) {
            return "no error: \(try program.parse(words))"
        } catch {
            return error.description
        }
    }
}
