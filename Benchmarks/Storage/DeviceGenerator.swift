import FoundationEssentials
import Push

/// SplitMix64: small, fast, and the same on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Devices that resemble those of a mid-sized app: two apps, three platforms, three of 200 tags each, of which two are
/// on about half of the devices and the others are even.
struct DeviceGenerator {
    private var random: SeededGenerator
    private var position = 0
    private let hexadecimal = Array("0123456789abcdef".utf8)
    private let base64 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private let locales = ["en-US", "en-GB", "de-DE", "de-AT", "fr-FR", "es-ES", "ja-JP"]
    private let zones = ["Europe/Berlin", "Europe/London", "America/New_York", "Asia/Tokyo"]

    static let tags = ["marketing", "digest"] + (0..<198).map { "interest-\($0)" }

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func next() -> Registration {
        position += 1
        let platform: Platform =
            switch random.next() % 10 {
            case 0..<5: .iOS
            case 5..<9: .android
            default: .web
            }
        let token =
            switch platform {
            case .iOS, .macOS: text(64, hexadecimal)
            case .android, .windows: "\(text(22, base64)):APA91b\(text(134, base64))"
            case .web: "https://push.example.com/send/\(text(152, base64))"
            }
        return Registration(
            token: token,
            platform: platform,
            appID: random.next() % 2 == 0 ? "consumer" : "driver",
            environment: random.next() % 500 == 0 ? .sandbox : .production,
            deviceID: text(36, hexadecimal),
            userID: "user-\(random.next() % 700_000)",
            tags: tags(),
            topics: random.next() % 10 == 0 ? ["news"] : [],
            locale: locales[Int(random.next() % 7)],
            timeZone: zones[Int(random.next() % 4)],
            appVersion: "5.\(random.next() % 20).0",
            data: random.next() % 10 == 0 ? ["name": "Ann", "plan": "pro", "isPaying": true] : [:],
            registeredAt: Date(timeIntervalSince1970: 1_796_000_000 + Double(position)))
    }

    mutating func batch(_ count: Int) -> [Registration] {
        (0..<count).map { _ in next() }
    }

    private mutating func tags() -> [String] {
        var chosen: [String] = []
        if random.next() % 10 < 5 { chosen.append(Self.tags[0]) }
        if random.next() % 10 < 4 { chosen.append(Self.tags[1]) }
        while chosen.count < 3 {
            let tag = Self.tags[2 + Int(random.next() % 198)]
            if !chosen.contains(tag) { chosen.append(tag) }
        }
        return chosen
    }

    private mutating func text(_ length: Int, _ alphabet: [UInt8]) -> String {
        unsafe String(unsafeUninitializedCapacity: length) { buffer in
            var bits: UInt64 = 0
            for index in 0..<length {
                if index % 8 == 0 { bits = random.next() }
                unsafe buffer[index] = alphabet[Int(bits & 0xFF) % alphabet.count]
                bits >>= 8
            }
            return length
        }
    }
}
