import CommandLineKit
import FoundationEssentials
import JSON
import Push
import Storage

enum DevicesRemoveVerb: Verb {
    private static let tokens = Argument(.text("TOKEN"), .repeated, "Tokens of the devices to remove.")
    private static let dryRun = Flag("dry-run", "Count the devices and remove none.")

    static let command = Command(
        "remove", abstract: "Forget devices.",
        discussion: """
            Removes the devices with the given tokens, or those that the filter options select, or, with both, those \
            that are in both. When there is none, the exit code is 1.
            """,
        arguments: [tokens], options: [dryRun] + FilterOptions.all,
        examples: [
            .init("carillon devices remove 7ce4…d8a3", "Forget one device."),
            .init("carillon devices remove --tag churned --dry-run", "See how many would go."),
        ])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let command = invocation.command
        guard try !command[tokens].isEmpty || FilterOptions.isGiven(command) else {
            throw command.error("name the devices by their tokens or by a filter option such as --tag")
        }
        let filters = try FilterOptions.filters(command).map { filter in
            var filter = filter
            if !command[tokens].isEmpty { filter.tokens = (filter.tokens ?? []) + command[tokens] }
            return filter
        }
        let store = try await invocation.openExistingStore()
        return try await closing(store) {
            var removed = 0
            for filter in filters {
                removed += try await command[dryRun] ? store.count(of: filter) : store.remove(filter)
            }
            try report(removed, isDryRun: command[dryRun], invocation)
            return removed > 0 ? .success : .findings
        }
    }

    private static func report(_ removed: Int, isDryRun: Bool, _ invocation: Invocation) throws {
        switch invocation.options.format {
        case .text:
            try invocation.print("\(counted(removed, "device")) \(isDryRun ? "would be removed" : "removed")")
        case .json:
            try invocation.print([isDryRun ? "would_remove" : "removed": .int(Int64(removed))])
        }
    }
}
