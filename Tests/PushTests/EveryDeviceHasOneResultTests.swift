import Push
import PushTestSupport
import TestSupport
import Testing

/// Whatever goes wrong in whatever mixture, every device of the audience has exactly one result, in order.
struct EveryDeviceHasOneResultTests {
    @Test(arguments: 0..<60)
    func `every device has one result`(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let repository = InMemoryRegistrationRepository()
        let devices = Int.random(in: 0...120, using: &random)
        await repository.save(
            (0..<devices).map { number in
                .test(
                    "token-\(number)", platform: Platform.allCases.randomElement(using: &random) ?? .iOS,
                    app: [nil, "consumer", "driver"].randomElement(using: &random) ?? nil)
            })
        let statuses = PushDeliveryStatus.allCases.filter { $0 != .configurationError }
        let providers = [
            RecordingProvider("apns", platforms: [.iOS, .macOS]) { message in
                let number = message.messageID.utf8.reduce(0) { Int($0) + Int($1) }
                return PushOutcome(statuses[number % statuses.count], updatedToken: number % 7 == 0 ? "new" : nil)
            },
            RecordingProvider("fcm", platforms: [.android], appID: "consumer") { message in
                if message.messageID.hasPrefix("0") { throw TestFailure() }
                return PushOutcome(.success)
            },
            RecordingProvider("web", platforms: [.web]),
        ]
        let interceptor = RecordingInterceptor { context in
            switch context.registration.token.utf8.last {
            case UInt8(ascii: "3"): return .skip(reason: "three")
            case UInt8(ascii: "5"): throw TestFailure()
            case UInt8(ascii: "7"): context.notification = PushNotification(title: "seven")
            default: break
            }
            return .proceed
        }
        let manager = try PushManager(
            repository: repository, providers: providers, interceptors: [interceptor],
            options: PushManagerOptions(
                pageSize: Int.random(in: 1...40, using: &random),
                maxConcurrency: Int.random(in: 1...50, using: &random), implausible: nil))
        let audience = await repository.page(of: .everyone, after: .unsaved, limit: 1_000)
        let result = await manager.broadcast(PushNotification(title: "all"))

        #expect(result.results.map(\.registrationID) == audience.map(\.id))
        #expect(result.results.map(\.token) == audience.map(\.token))
        #expect(result.total == devices && result.stoppedBecause == nil)
        #expect(result.sent == result.results.count { $0.status == .success })
        #expect(result.skipped == result.results.count { $0.status == .skipped })
        #expect(result.uncertain == result.results.count { $0.status == .uncertain })
        let left = await Set(repository.page(of: .everyone, after: .unsaved, limit: 1_000).map(\.id))
        #expect(result.tokensRemoved == result.results.count { $0.tokenRemoved })
        for removed in result.results where removed.tokenRemoved { #expect(!left.contains(removed.registrationID)) }
    }
}
