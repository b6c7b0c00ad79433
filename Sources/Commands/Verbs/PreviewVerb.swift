import Campaigns
import CommandLineKit
import FoundationEssentials
import JSON
import Previews
import Push
import Scheduler
import Schedules
import Storage

enum PreviewVerb: Verb {
    private static let campaign = Argument(.text("CAMPAIGN"), .required, "The campaign's id.")
    private static let device = RepeatedOption(
        "device", .text("ID|TOKEN"), "A registered device, by its id or token; may be repeated.")
    private static let limit = Option(
        "limit", .number(in: 1...10_000), default: "3", "Devices of the audience to show at the most.")
    private static let at = Option("at", .instant, "The instant of the occurrence; the next one if not given.")
    private static let platform = RepeatedOption(
        "platform", .platform, "A made-up device of this platform; may be repeated.")
    private static let app = Option("app", .text("ID"), "The app of the made-up device.")
    private static let locale = Option("locale", .text("LOCALE"), "The made-up device's locale.")
    private static let timeZone = Option("timezone", .timeZone, "The made-up device's time zone.")
    private static let user = Option("user", .text("USER"), "The made-up device's user.")
    private static let tag = RepeatedOption("tag", .text("TAG"), "A tag of the made-up device; may be repeated.")
    private static let data = RepeatedOption("data", .keyValue, "A value of the made-up device; JSON where it can be.")

    private static let madeUp: [any OptionDeclaration] = [platform, app, locale, timeZone, user, tag, data]

    static let command = Command(
        "preview", abstract: "Show what a campaign would send; nothing is sent.",
        discussion: """
            Shows the requests as they would go on the wire, without secrets, for the first devices of the audience. \
            Where the store has none, and where one of the options that describe a device is given, it is for a device \
            that is made up, of each platform that the filter names.
            """,
        arguments: [campaign], options: [device, limit, at] + madeUp,
        examples: [
            .init("carillon preview weekly-digest --limit 1", "The first device of the audience."),
            .init("carillon preview weekly-digest --platform iOS --locale de-AT", "An iPhone in Austria."),
            .init("carillon preview weekly-digest --format json", "The exact requests, for a program."),
        ])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let id = try invocation.command.require(campaign)
        return try await invocation.withEngine(.rehearsal) { engine in
            let campaign = try invocation.campaign(id, engine.configuration.campaignSettings)
            let occurrence = try occurrence(of: campaign, invocation)
            let audience = try await audience(of: campaign, in: engine.store, invocation)
            let previewer = Previewer(
                notifications: CampaignNotifications(), pipeline: try pipeline(engine.configuration, at: occurrence))
            let preview = try await previewer.preview(campaign, at: occurrence, for: audience.devices)
            try show(preview, of: campaign, audience, invocation)
            return preview.hasFailures ? .findings : .success
        }
    }

    /// Times to live count from when the occurrence is sent, so that a preview is the same whenever it is made.
    private static func pipeline(_ configuration: Configuration, at occurrence: Occurrence) throws -> PushPipeline {
        let clock = WallClock.fixed(Date(occurrence.firesAt))
        let providers = try AssembledProviders(configuration, purpose: .rehearsal, clock: clock, logger: .disabled)
        return try PushPipeline(providers: providers.providers, logger: .disabled, clock: clock)
    }

    private static func occurrence(of campaign: Campaign, _ invocation: Invocation) throws -> Occurrence {
        if let instant = invocation.command[at] {
            guard let occurrence = campaign.schedule.occurrence(at: instant) else {
                throw CommandFailure(.usage, "\(campaign.id) has no schedule.")
            }
            if !campaign.schedule.fires(at: instant) {
                try invocation.warn("\(campaign.id) does not fire at \(occurrence).")
            }
            return occurrence
        }
        if let next = campaign.schedule.next(after: invocation.now) { return next }
        try invocation.warn("\(campaign.id) will not fire any more; this is what it would send now.")
        return campaign.schedule.occurrence(at: invocation.now) ?? Occurrence(instant: invocation.now, offset: 0)
    }

    // MARK: Devices

    private struct Audience {
        var devices: [Registration]
        /// How many devices the filter selects.
        var size: Int
    }

    private static func audience(
        of campaign: Campaign, in store: any Store, _ invocation: Invocation
    ) async throws -> Audience {
        let command = invocation.command
        let wantsMadeUp = madeUp.contains { command.isGiven($0) }
        guard command[device].isEmpty || !wantsMadeUp else {
            throw command.error("--device goes with none of the options that describe a made-up device")
        }
        let size = try await store.count(of: campaign.filter)
        if wantsMadeUp { return Audience(devices: madeUpDevices(for: campaign.filter, invocation), size: size) }
        if !command[device].isEmpty {
            let devices = try await registered(command[device], in: store)
            for device in devices where !campaign.filter.matches(device) {
                try invocation.warn("Device \(device.id.rawValue) is not in the audience; this is what it would get.")
            }
            return Audience(devices: devices, size: size)
        }
        let devices = try await store.page(of: campaign.filter, after: .unsaved, limit: command[limit] ?? 3)
        return Audience(
            devices: devices.isEmpty ? madeUpDevices(for: campaign.filter, invocation) : devices, size: size)
    }

    private static func registered(_ names: [String], in store: any Store) async throws -> [Registration] {
        var devices: [Registration] = []
        for name in names {
            guard let device = try await registered(name, in: store) else {
                throw CommandFailure(.usage, "No device with the id or token '\(name)' is registered.")
            }
            devices.append(device)
        }
        return devices
    }

    private static func registered(_ name: String, in store: any Store) async throws -> Registration? {
        if let number = Int64(name), number > 0,
            let device = try await store.registrations(after: RegistrationID(rawValue: number - 1), limit: 1).first,
            device.id.rawValue == number
        {
            return device
        }
        for kind in TokenKind.allCases {
            let filter = PushFilter(tokens: [name], tokenKind: kind)
            if let device = try await store.page(of: filter, after: .unsaved, limit: 1).first { return device }
        }
        return nil
    }

    private static func madeUpDevices(for filter: PushFilter, _ invocation: Invocation) -> [Registration] {
        let command = invocation.command
        let platforms = command[platform].isEmpty ? filter.platforms ?? Platform.allCases : command[platform]
        var appID = command[app]
        if case .id(let id)? = filter.app, appID == nil { appID = id }
        let tags = command[tag].isEmpty ? filter.tags ?? [] : command[tag]
        return platforms.map { platform in
            Registration(
                token: madeUpToken(platform), platform: platform, appID: appID,
                environment: filter.environment ?? .production, userID: command[user], tags: tags,
                topics: filter.topic.map { [$0] } ?? [], locale: command[locale], timeZone: command[timeZone],
                data: command[data].reduce(into: [:]) { $0[$1.key] = PushValue($1.json) },
                registeredAt: invocation.environment.clock.now)
        }
    }

    /// Of a form that the providers accept.
    private static func madeUpToken(_ platform: Platform) -> String {
        switch platform {
        case .iOS, .macOS: String(repeating: "0", count: 64)
        case .android: "made-up-token"
        case .web: "https://push.example.net/made-up"
        case .windows: "https://wns.example.net/?token=made-up"
        }
    }

    // MARK: Output

    private static func show(
        _ preview: CampaignPreview, of campaign: Campaign, _ audience: Audience, _ invocation: Invocation
    ) throws {
        switch invocation.options.format {
        case .json:
            var object = preview.json
            object["audience"] = .int(Int64(audience.size))
            try invocation.print(.object(object))
        case .text:
            let wait = relative(preview.occurrence.firesAt.secondsSinceEpoch - invocation.now.secondsSinceEpoch)
            let time = LocalTimeText.text(preview.occurrence)
            let zone = campaign.schedule.zone.name
            let place = time.hasSuffix(" " + zone) ? time : "\(time) \(zone)"
            try invocation.print("\(invocation.style.bold(campaign.id)) · \(place) · \(wait)")
            try invocation.print("\(counted(audience.size, "device")) in the audience")
            if !campaign.isEnabled { try invocation.print("not enabled: it will not fire") }
            if let nothing = preview.nothing { try invocation.print("Nothing would be sent: \(nothing)") }
            for device in preview.devices { try invocation.print("\n" + device.text) }
        }
    }
}

extension CampaignPreview {
    /// Whether a device would get nothing although nobody left it out.
    fileprivate var hasFailures: Bool {
        devices.contains { if case .failed = $0.outcome { true } else { false } }
    }
}
