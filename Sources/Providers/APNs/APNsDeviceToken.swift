/// A device token as it may stand in a request's path.
///
/// Apple fixes neither the length nor the alphabet. Hexadecimal tokens are lower-cased and freed of the `<`, `>` and
/// spaces that `NSData.description` put around them. Anything else is Apple's to judge as long as it is safe in a path;
/// what is not, is refused here and the registration is kept, since nobody who knows has called the token dead.
struct APNsDeviceToken {
    /// Far above any token seen; it keeps nonsense out of the request line.
    private static let maximumLength = 512

    let text: String

    init?(_ raw: String) {
        // Nearly all tokens come in the right form, and cost nothing then.
        if !raw.isEmpty, raw.utf8.count <= Self.maximumLength, raw.utf8.allSatisfy(Self.isLowerCaseHexadecimal) {
            text = raw
            return
        }
        let bytes = raw.utf8.filter { $0 > 0x20 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
        guard !bytes.isEmpty, bytes.count <= Self.maximumLength, bytes.allSatisfy(Self.isSafeInPath) else { return nil }
        let token = String(decoding: bytes, as: UTF8.self)
        text = bytes.allSatisfy(Self.isHexadecimal) ? token.lowercased() : token
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isLowerCaseHexadecimal(byte) || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
    }

    private static func isLowerCaseHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }

    /// The unreserved characters of RFC 3986 section 2.3, without the dot, which could form a path segment of its own.
    private static func isSafeInPath(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
