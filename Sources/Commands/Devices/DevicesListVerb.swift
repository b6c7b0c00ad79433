import CommandLineKit
import JSON
import Push

enum DevicesListVerb: Verb {
    private static let limit = Option(
        "limit", .number(in: 0...1_000_000), default: "50", "Devices to show at the most; 0 shows all.")
    private static let after = Option("after", .number("ID", in: 0...Int.max), "Go on after the device with this id.")

    static let command = Command(
        "list", abstract: "List registered devices.", options: [limit, after] + FilterOptions.all,
        examples: [.init("carillon devices list --user user-17", "The devices of one user.")])

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let filters = try FilterOptions.filters(invocation.command)
        let limit = invocation.command[limit].map { $0 == 0 ? .max : $0 } ?? 50
        let start = RegistrationID(rawValue: Int64(invocation.command[after] ?? 0))
        let store = try await invocation.openExistingStore()
        return try await closing(store) {
            var devices: [Registration] = []
            var isComplete = true
            try await store.forEachPage(of: filters, after: start) { page in
                devices += page.prefix(limit - devices.count)
                isComplete = devices.count < limit || page.isEmpty
                return isComplete
            }
            try show(devices, invocation)
            if !isComplete, let last = devices.last {
                try invocation.note(
                    "The first \(counted(devices.count, "device")); --after \(last.id.rawValue) shows the next.")
            }
            return .success
        }
    }

    private static func show(_ devices: [Registration], _ invocation: Invocation) throws {
        guard invocation.options.format == .text else {
            try invocation.print(
                .array(
                    devices.map { device in
                        var object: JSONObject = ["id": .int(device.id.rawValue)]
                        for member in RegistrationEncoder.object(device) { object[member.key] = member.value }
                        return .object(object)
                    }))
            return
        }
        guard !devices.isEmpty else {
            try invocation.note("No devices.")
            return
        }
        var table = TextTable([
            ("id", .right), ("platform", .left), ("app", .left), ("user", .left), ("locale", .left), ("tags", .left),
            ("token", .left),
        ])
        for device in devices {
            table.append([
                "\(device.id.rawValue)", device.platform.rawValue, device.appID ?? "-", device.userID ?? "-",
                device.locale ?? "-", device.tags.isEmpty ? "-" : device.tags.joined(separator: " "),
                shortened(device.token),
            ])
        }
        try invocation.print(table)
    }
}

/// The beginning and the end of a long token.
func shortened(_ token: String) -> String {
    token.count <= 20 ? token : "\(token.prefix(8))…\(token.suffix(8))"
}
