import FoundationEssentials
import HTTPClient
import Push
import Testing

@testable import Providers

struct RehearsalProviderTests {
    private func message(_ platform: Platform, app: String? = nil) -> PushMessage {
        PushMessage(
            notification: PushNotification(title: "Hello", timeToLive: .seconds(60)),
            registration: Registration(
                token: "abcdef0123456789abcdef0123456789", platform: platform, appID: app,
                registeredAt: Date(timeIntervalSince1970: 0)),
            messageID: "00000000-0000-4000-8000-000000000000")
    }

    private let clock = WallClock.fixed(Date(timeIntervalSince1970: 1_000))

    @Test func `it builds the request of APNs without a key`() throws {
        let provider = RehearsalProvider.apns(appID: nil, bundleID: "com.example.app", clock: clock)
        let request = try provider.previewRequest(for: message(.iOS))
        #expect(provider.identifier == "apns")
        #expect(request.origin == "https://api.push.apple.com")
        #expect(request.path == "/3/device/abcdef0123456789abcdef0123456789")
        #expect(request.headers.contains(.init("apns-topic", "com.example.app")))
        #expect(request.headers.contains(.init("apns-expiration", "1060")))
        #expect(request.headers.contains(.init("authorization", "<redacted>")))
    }

    @Test(arguments: [("real", "real"), (nil, RehearsalProvider.unknownProject)])
    func `it builds the request of FCM, and a project that only the account names is left open`(
        _ project: String?, _ shown: String
    ) throws {
        let provider = RehearsalProvider.fcm(
            appID: "consumer", projectID: project, endpoint: HTTPOrigin(scheme: "https", host: "localhost", port: 8443))
        let request = try provider.previewRequest(for: message(.android, app: "consumer"))
        #expect(provider.identifier == "fcm:consumer")
        #expect(request.origin == "https://localhost:8443")
        #expect(request.path == "/v1/projects/\(shown)/messages:send")
    }

    @Test func `it serves the devices that the real provider serves`() {
        let apns = RehearsalProvider.apns(appID: "a", bundleID: "b")
        let fcm = RehearsalProvider.fcm(appID: "a", projectID: "p")
        for platform in Platform.allCases {
            let isApple = platform == .iOS || platform == .macOS
            #expect(apns.canDeliver(to: message(platform, app: "a").registration) == isApple)
            #expect(fcm.canDeliver(to: message(platform, app: "a").registration) == (platform == .android))
            #expect(!apns.canDeliver(to: message(platform).registration))
        }
    }

    @Test func `it refuses to send`() async throws {
        let provider = RehearsalProvider.apns(appID: nil, bundleID: "b")
        let outcomes = try await provider.send([message(.iOS), message(.iOS)])
        #expect(outcomes.map(\.status) == [.configurationError, .configurationError])
    }
}
