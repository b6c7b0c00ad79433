import CommandLineKit
import Schedules

/// How results are printed.
enum OutputFormat: String, CaseIterable, Sendable {
    case text, json
}

/// When colours are used.
enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
}

/// The options that every verb takes.
struct GlobalOptions: Sendable {
    static let config = Option(
        "config", .file(), default: "carillon.yaml", "The engine configuration: apps, providers, store, limits.")
    static let campaigns = Option("campaigns", .directory(), default: "campaigns", "The folder of campaign files.")
    static let store = Option(
        "store", .text("URL"), "Where registrations and runs are kept: sqlite:PATH. Comes before the configuration's.")
    static let now = Option(
        "now", .instant,
        "The time that it shall be, for verbs that send nothing and for 'run --once': 2026-12-07T09:00:00+01:00.")
    static let format = Option(
        "format", ValueParser<OutputFormat>.choice(), default: "text", "How results are printed.")
    static let color = Option(
        "color", ValueParser<ColorChoice>.choice(), default: "auto", "Colours; auto means on a terminal.")
    static let quiet = Flag("quiet", short: "q", "Print results and errors only.")
    static let verbose = Flag("verbose", short: "v", "Tell more about what is done.")

    static let all: [any OptionDeclaration] = [config, campaigns, store, now, format, color, quiet, verbose]

    /// The file that was asked for; `nil` leaves the choice to the default, which need not exist.
    var configPath: String?
    var campaignsPath: String?
    var storeURL: String?
    var now: Instant?
    var format: OutputFormat
    var color: ColorChoice
    var isQuiet: Bool
    var isVerbose: Bool

    init(_ command: ParsedCommand) {
        configPath = command[Self.config]
        campaignsPath = command[Self.campaigns]
        storeURL = command[Self.store]
        now = command[Self.now]
        format = command[Self.format] ?? .text
        color = command[Self.color] ?? .auto
        isQuiet = command[Self.quiet]
        isVerbose = command[Self.verbose]
    }
}
