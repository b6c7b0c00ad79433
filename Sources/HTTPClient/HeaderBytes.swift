/// A field that cannot be sent, because it would end its line or is no field at all.
struct InvalidHeader: Error {
    var name: String
}

extension UInt8 {
    /// A byte of a token (RFC 9110 section 5.6.2).
    var isHeaderName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// A byte of a field value (RFC 9110 section 5.5): no control character but the tab.
    var isHeaderValue: Bool { (self >= 0x20 && self != 0x7F) || self == 0x09 }
}
