import CommandLineKit
import JSON
import Push

enum DevicesExportVerb: Verb {
    private static let format = Option("as", ValueParser<RegistrationFormat>.choice(), default: "jsonl", "The format.")

    static let command = Command(
        "export", abstract: "Write registered devices to the standard output.",
        discussion: "What is written is what 'devices import' reads. Without filter options every device is written.",
        options: [format] + FilterOptions.all,
        examples: [.init("carillon devices export --tag beta > beta.jsonl", "Every device with the tag beta.")])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let filters = try FilterOptions.filters(invocation.command)
        let format = invocation.command[format] ?? .jsonl
        let store = try await invocation.openExistingStore()
        return try await closing(store) {
            let output = invocation.environment.output
            if format == .csv { try output.writeLine(RegistrationEncoder.csvHeading) }
            var writer = JSONWriter()
            try await store.forEachPage(of: filters) { page in
                switch format {
                case .csv:
                    for registration in page { try output.writeLine(RegistrationEncoder.csv(registration)) }
                case .jsonl:
                    writer.removeAll()
                    for registration in page {
                        writer.value(.object(RegistrationEncoder.object(registration)))
                        writer.newline()
                    }
                    try output.write(writer.bytes)
                }
                return true
            }
            return .success
        }
    }
}
