import CommandLineKit
import JSON
import Push
import Schedules
import Synchronization

enum SendVerb: Verb {
    private static let title = Option("title", .text("TEXT"), "The title.")
    private static let message = Option("message", .text("TEXT"), "The message.")
    private static let badge = Option("badge", .number(in: 0...999_999), "The number on the app's icon; 0 clears it.")
    private static let sound = Option("sound", .text("NAME"), "The sound to play.")
    private static let deepLink = Option("deep-link", .text("URL"), "What a tap opens.")
    private static let collapseID = Option("collapse-id", .text("ID"), "Replaces an older message with the same id.")
    private static let timeToLive = Option(
        "time-to-live", .timeSpan, "How long a device that is offline may get it later: 12h.")
    private static let priority = Option(
        "priority", ValueParser<PushPriority>.choice(), default: "high", "How urgently it is delivered.")
    private static let data = RepeatedOption("data", .keyValue, "A custom key for the app; may be repeated.")
    private static let silent = Flag("silent", "Wake the app in the background instead of showing something.")
    private static let literal = Flag(
        "literal", "Send {{ and {% of the texts as they stand, where they would be taken for a template.")
    private static let everyone = Flag("everyone", "Send to every device of every app.")
    private static let dryRun = Flag("dry-run", "Tell who would get it and send nothing.")

    static let command = Command(
        "send", abstract: "Send one notification at once.",
        discussion: """
            The filter options say who gets it; one of them or --everyone is required. The texts are sent as they are, \
            without being rendered: those with {{ or {% are refused unless --literal is given, since templates belong \
            into campaign files. The exit code is 1 when a delivery failed.
            """,
        options: [
            title, message, badge, sound, deepLink, collapseID, timeToLive, priority, data, silent, literal,
            everyone, dryRun,
        ] + FilterOptions.all,
        examples: [
            .init("carillon send --title 'Back at 9' --tag beta --dry-run", "See how many devices would get it."),
            .init("carillon send --title Hello --message World --user user-17", "Send to one user's devices."),
        ])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let notification = try notification(invocation.command)
        let filter = try audience(invocation.command)
        if invocation.options.now != nil { throw invocation.command.error("--now is for verbs that send nothing") }
        let isDryRun = invocation.command[dryRun]
        return try await invocation.withEngine(isDryRun ? .rehearsal : .sending) { engine in
            if isDryRun { return try await rehearse(notification, to: filter, engine, invocation) }
            let problems = FailureTally()
            let manager = try engine.pushManager(logger: invocation.logger, clock: invocation.environment.clock)
            let onResults: PushManager.ResultHandler = { results in
                for result in results { problems.add(result) }
            }
            // Tokens that nobody registered get a result too when nothing but tokens is asked for.
            let result: PushSendResult
            if let tokens = filter.tokens, filter == PushFilter(tokens: tokens) {
                result = await manager.sendToTokens(tokens, notification, onResults: onResults)
            } else {
                result = await manager.send(notification, to: filter, onResults: onResults)
            }
            try report(result, problems.sorted, invocation)
            return exitCode(result)
        }
    }

    private static func notification(_ command: ParsedCommand) throws -> PushNotification {
        let isSilent = command[silent]
        if isSilent, command[title] != nil || command[message] != nil || command[sound] != nil {
            throw command.error("--silent shows nothing, so it goes with neither --title nor --message nor --sound")
        }
        guard isSilent || command[title] != nil || command[message] != nil else {
            throw command.error("--title or --message is missing (or --silent)")
        }
        if !command[literal] {
            try refuseTemplate(command[title], of: "--title", command)
            try refuseTemplate(command[message], of: "--message", command)
        }
        return PushNotification(
            title: command[title], message: command[message], badge: command[badge], sound: command[sound],
            deepLink: command[deepLink], collapseID: command[collapseID],
            timeToLive: command[timeToLive].map { .seconds($0.seconds) },
            priority: command[priority] ?? (isSilent ? .normal : .high),
            data: command[data].reduce(into: [:]) { $0[$1.key] = $1.value },
            apple: isSilent ? ApplePushOptions(contentAvailable: true) : nil)
    }

    /// Braces that reach everyone's screen cannot be called back.
    private static func refuseTemplate(_ text: String?, of option: String, _ command: ParsedCommand) throws {
        guard let mark = ["{{", "{%"].first(where: { text?.contains($0) ?? false }) else { return }
        throw command.error(
            "\(option) has '\(mark)', and send renders no templates: they belong into campaign files; with --literal "
                + "the text is sent as it stands")
    }

    private static func audience(_ command: ParsedCommand) throws -> PushFilter {
        let isFiltered = try FilterOptions.isGiven(command)
        guard isFiltered != command[everyone] else {
            throw command.error(
                isFiltered
                    ? "--everyone goes with no filter option"
                    : "say who gets it: with a filter option such as --tag, or with --everyone")
        }
        return try FilterOptions.filter(command)
    }

    private static func rehearse(
        _ notification: PushNotification, to filter: PushFilter, _ engine: Engine, _ invocation: Invocation
    ) async throws -> ExitCode {
        let pipeline = try engine.pipeline(logger: invocation.logger, clock: invocation.environment.clock)
        var counts = PushCounts()
        try await engine.store.forEachPage(of: [filter]) { page in
            let prepared = await pipeline.prepare(page, batchID: "dry-run") { _ in notification }
            for device in prepared.devices { counts.add(device.settled?.status ?? .success) }
            return true
        }
        switch invocation.options.format {
        case .json: try invocation.print(["would_send": .int(Int64(counts.sent)), "counts": counts.json])
        case .text:
            let others = counts.failed > 0 ? "; \(counted(counts.failed, "device")) without a provider" : ""
            try invocation.print("\(counted(counts.sent, "device")) would get it\(others)")
        }
        return .success
    }

    private static func report(
        _ result: PushSendResult, _ problems: [FailureTally.Entry], _ invocation: Invocation
    ) throws {
        switch invocation.options.format {
        case .json:
            try invocation.print(
                .object([
                    "batch_id": .string(result.batchID),
                    "counts": result.counts.json,
                    "failures": .array(
                        problems.map {
                            [
                                "status": .string($0.status.rawValue), "reason": .string($0.reason),
                                "count": .int(Int64($0.count)),
                            ]
                        }),
                    "stopped_because": result.stoppedBecause.map { .string($0.description) } ?? .null,
                ]))
        case .text:
            try invocation.print(result.counts.sentence)
            for problem in problems {
                try invocation.print("  \(grouped(problem.count)) × \(problem.status.rawValue): \(problem.reason)")
            }
            try invocation.note("Batch \(result.batchID)")
        }
        if let reason = result.stoppedBecause { try invocation.complain("\(reason)") }
    }

    private static func exitCode(_ result: PushSendResult) -> ExitCode {
        switch result.stoppedBecause {
        case .configurationError?, .implausibleInvalidTokens?: .usage
        case .repositoryFailed?: .unreachable
        case .cancelled?, .stopped?: .findings
        case nil: result.failed + result.counts.uncertain > 0 ? .findings : .success
        }
    }
}

/// Why devices got nothing, counted by reason.
private final class FailureTally: Sendable {
    struct Entry {
        var status: PushDeliveryStatus
        var reason: String
        var count: Int
    }

    private struct Key: Hashable {
        var status: PushDeliveryStatus
        var reason: String
    }

    private let counts = Mutex<[Key: Int]>([:])

    func add(_ result: PushDeliveryResult) {
        guard result.status != .success else { return }
        let key = Key(status: result.status, reason: result.reason ?? "no reason given")
        counts.withLock { $0[key, default: 0] += 1 }
    }

    /// The most frequent first.
    var sorted: [Entry] {
        counts.withLock { $0 }
            .map { Entry(status: $0.key.status, reason: $0.key.reason, count: $0.value) }
            .sorted { ($1.count, $0.status.rawValue, $0.reason) < ($0.count, $1.status.rawValue, $1.reason) }
    }
}
