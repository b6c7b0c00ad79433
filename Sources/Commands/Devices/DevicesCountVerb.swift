import CommandLineKit
import JSON
import Push

enum DevicesCountVerb: Verb {
    static let command = Command(
        "count", abstract: "Count registered devices.", options: FilterOptions.all,
        examples: [.init("carillon devices count --platform iOS --tag digest", "How many a campaign would reach.")])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let filters = try FilterOptions.filters(invocation.command)
        let store = try await invocation.openExistingStore()
        return try await closing(store) {
            var count = 0
            for filter in filters { count += try await store.count(of: filter) }
            switch invocation.options.format {
            case .text: try invocation.print("\(count)")
            case .json: try invocation.environment.output.writeLine("{\"count\": \(count)}")
            }
            return .success
        }
    }
}
