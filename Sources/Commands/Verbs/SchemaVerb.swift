import Campaigns
import CommandLineKit

enum SchemaVerb: Verb {
    private static let kind = Argument(
        ValueParser<FileSchema>.choice("SCHEMA"), .optional, "campaign for campaign files, config for carillon.yaml.")

    static let command = Command(
        "schema", abstract: "Print a JSON Schema, for editors and other tools.", arguments: [kind],
        examples: [
            .init("carillon schema campaign > campaign.schema.json", "Let an editor complete campaign files.")
        ])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        try invocation.environment.output.write((invocation.command[kind].first ?? .campaign).text)
        return .success
    }
}
