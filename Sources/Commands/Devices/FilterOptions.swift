import CommandLineKit
import Push

/// The options by which a verb selects devices. Every one that is given must hold.
enum FilterOptions {
    static let platform = RepeatedOption("platform", .platform, "Devices of this platform; may be repeated.")
    static let tag = RepeatedOption("tag", .text("TAG"), "Devices with this tag; may be repeated.")
    static let tagMatch = Option(
        "tag-match", ValueParser<TagMatch>.choice(), default: "any", "Whether a device needs any of the tags or all.")
    static let excludeTag = RepeatedOption("exclude-tag", .text("TAG"), "No device with this tag; may be repeated.")
    static let environment = Option(
        "environment", ValueParser<PushEnvironment>.choice(), "Devices of this APNs environment.")
    static let app = Option("app", .text("ID"), "Devices of this app.")
    static let defaultApp = Flag("default-app", "Devices without an app id.")
    static let user = RepeatedOption("user", .text("USER"), "Devices of this user; may be repeated.")
    static let token = RepeatedOption("token", .text("TOKEN"), "The device with this token; may be repeated.")
    static let topic = Option("topic", .text("TOPIC"), "Devices subscribed to this topic.")
    static let locale = RepeatedOption(
        "locale", .text("LOCALE"), "Devices of this locale, de for de-AT too; may be repeated.")
    static let tokenKind = Option(
        "token-kind", ValueParser<TokenKind>.choice("KIND"),
        "Tokens of this kind: device, live_activity_start or live_activity_update.")

    static let all: [any OptionDeclaration] = [
        platform, tag, tagMatch, excludeTag, environment, app, defaultApp, user, token, topic, locale, tokenKind,
    ]

    /// The filter that the options describe, for ordinary devices unless a kind of token is named.
    static func filter(_ command: ParsedCommand) throws(UsageError) -> PushFilter {
        if command[defaultApp], command[app] != nil {
            throw command.error("--app and --default-app exclude each other")
        }
        if command[tagMatch] != nil, command[tag].isEmpty { throw command.error("--tag-match needs --tag") }
        return PushFilter(
            platforms: nonempty(command[platform]),
            tags: nonempty(command[tag]),
            tagMatch: command[tagMatch] ?? .any,
            excludeTags: nonempty(command[excludeTag]),
            environment: command[environment],
            app: command[defaultApp] ? .defaultApp : command[app].map { .id($0) },
            users: nonempty(command[user]),
            tokens: nonempty(command[token]),
            topic: command[topic],
            locales: nonempty(command[locale]),
            tokenKind: command[tokenKind] ?? .device)
    }

    /// The same for every kind of token, one filter a kind, unless a kind is named.
    static func filters(_ command: ParsedCommand) throws(UsageError) -> [PushFilter] {
        let filter = try filter(command)
        guard command[tokenKind] == nil else { return [filter] }
        return TokenKind.allCases.map { kind in
            var filter = filter
            filter.tokenKind = kind
            return filter
        }
    }

    /// Whether any option narrows the audience down.
    static func isGiven(_ command: ParsedCommand) throws(UsageError) -> Bool {
        var filter = try filter(command)
        filter.tokenKind = .device
        return filter != .everyone
    }

    private static func nonempty<Value>(_ values: [Value]) -> [Value]? { values.isEmpty ? nil : values }
}
