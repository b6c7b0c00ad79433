internal import Liquid
internal import Push

/// The variable `device`: one registration, of which a template converts only what it reads.
final class DeviceVariables: LiquidObject {
    private let registration: Registration

    init(_ registration: Registration) { self.registration = registration }

    let keys = [
        "platform", "app_id", "environment", "user", "device_id", "tags", "topics", "locale", "timezone", "app_version",
        "data",
    ]

    func value(forKey key: String) -> LiquidValue? {
        switch key {
        case "platform": .string(registration.platform.rawValue)
        case "app_id": text(registration.appID)
        case "environment": .string(registration.environment.rawValue)
        case "user": text(registration.userID)
        case "device_id": text(registration.deviceID)
        case "tags": .array(registration.tags.map { .string($0) })
        case "topics": .array(registration.topics.map { .string($0) })
        case "locale": text(registration.locale)
        case "timezone": text(registration.timeZone)
        case "app_version": text(registration.appVersion)
        case "data": .object(RegistrationData(registration.data))
        default: nil
        }
    }

    private func text(_ value: String?) -> LiquidValue { value.map { .string($0) } ?? .null }
}

/// What a template sees of the device that it is rendered for, beside the variables of the run.
final class DeviceScope: LiquidObject {
    private let device: DeviceVariables

    init(_ registration: Registration) { device = DeviceVariables(registration) }

    let keys = [DeviceScope.root]

    func value(forKey key: String) -> LiquidValue? { key == DeviceScope.root ? .object(device) : nil }

    static let root = "device"
}
