import FoundationEssentials
import JSON
import Push

enum Messages {
    static func message(
        _ notification: PushNotification, token: String = "00fc13adff78512", platform: Platform = .iOS,
        app: String? = nil, environment: PushEnvironment = .production, kind: TokenKind = .device, number: Int = 1,
        data: [String: PushValue] = [:]
    ) -> PushMessage {
        PushMessage(
            notification: notification,
            registration: Registration(
                id: RegistrationID(rawValue: Int64(number)), token: token, platform: platform, tokenKind: kind,
                appID: app, environment: environment, data: data, registeredAt: Date(timeIntervalSince1970: 0)),
            messageID: "00000000-0000-4000-8000-\(String(1_000_000_000_000 + number).dropFirst())")
    }

    /// A page whose devices share one notification.
    static func page(
        _ count: Int, _ notification: PushNotification = PushNotification(title: "Hello"), platform: Platform = .iOS
    ) -> [PushMessage] {
        (0..<count).map { number in
            message(notification, token: "ab\(1_000_000 + number)", platform: platform, number: number)
        }
    }
}

extension [UInt8] {
    var json: JSON? { try? JSON(parsing: self) }
}
