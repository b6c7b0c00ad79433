import CommandLineKit
import JSON
import Push

enum DevicesAddVerb: Verb {
    private static let token = Argument(.text("TOKEN"), .required, "The device's push token.")
    private static let platform = Option("platform", .platform, "The device's platform; required.")
    private static let environment = Option(
        "environment", ValueParser<PushEnvironment>.choice(), default: "production", "The APNs environment.")
    private static let app = Option("app", .text("ID"), "The app that the token belongs to.")
    private static let user = Option("user", .text("USER"), "The user whose device it is.")
    private static let deviceID = Option("device-id", .text("ID"), "The installation's id, which survives a new token.")
    private static let tag = RepeatedOption("tag", .text("TAG"), "A tag; may be repeated.")
    private static let topic = RepeatedOption("topic", .text("TOPIC"), "A topic to subscribe to; may be repeated.")
    private static let locale = Option("locale", .text("LOCALE"), "A language tag such as de-AT.")
    private static let timeZone = Option("timezone", .timeZone, "An IANA name such as Europe/Berlin.")
    private static let appVersion = Option("app-version", .text("VERSION"), "The app's version.")
    private static let tokenKind = Option(
        "token-kind", ValueParser<TokenKind>.choice("KIND"), default: "device",
        "What the token is for: device, live_activity_start or live_activity_update.")
    private static let data = RepeatedOption(
        "data", .keyValue, "A value for templates, JSON where it can be; may be repeated.")

    static let command = Command(
        "add", abstract: "Register one device, or renew it.", arguments: [token],
        options: [
            platform, environment, app, user, deviceID, tag, topic, locale, timeZone, appVersion, tokenKind, data,
        ],
        examples: [
            .init("carillon devices add 7ce4…d8a3 --platform iOS --tag beta --locale de-AT", "Register an iPhone.")
        ])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let command = invocation.command
        let token = try command.require(token)
        guard !token.isEmpty else { throw command.error("TOKEN is empty") }
        guard let platform = command[platform] else { throw command.error("--platform is missing") }
        let registration = Registration(
            token: token, platform: platform, tokenKind: command[tokenKind] ?? .device, appID: command[app],
            environment: command[environment] ?? .production, deviceID: command[deviceID], userID: command[user],
            tags: command[tag], topics: command[topic], locale: command[locale], timeZone: command[timeZone],
            appVersion: command[appVersion],
            data: command[data].reduce(into: [:]) { $0[$1.key] = PushValue($1.json) },
            registeredAt: invocation.environment.clock.now)
        let store = try await invocation.openStore()
        return try await closing(store) {
            try await store.save([registration])
            switch invocation.options.format {
            case .text: try invocation.print("1 device registered")
            case .json: try invocation.print(.object(RegistrationEncoder.object(registration)))
            }
            return .success
        }
    }
}
