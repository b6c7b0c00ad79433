/// A frame as it travels (RFC 9113 section 4.1), so that tests of a session can play the server to the byte.
struct HTTP2Frame: Equatable, CustomStringConvertible {
    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    static let endStream: UInt8 = 0x1
    static let acknowledgement: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4

    var kind: Kind
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    var description: String { "\(kind) of \(stream), flags \(flags), \(payload.count) bytes" }

    var bytes: [UInt8] {
        let count = UInt32(payload.count)
        return Array(Self.bigEndian(count).dropFirst()) + [kind.rawValue, flags] + Self.bigEndian(stream) + payload
    }

    /// The frames that a client sent, its preface left out.
    static func frames(in bytes: [UInt8]) -> [HTTP2Frame] {
        var rest = bytes[...]
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        if rest.starts(with: preface) { rest = rest.dropFirst(preface.count) }
        var frames: [HTTP2Frame] = []
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            let stream = head[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard let kind = Kind(rawValue: head[3]), rest.count >= 9 + length else { return frames }
            frames.append(
                HTTP2Frame(
                    kind: kind, flags: head[4], stream: stream, payload: Array(rest.dropFirst(9).prefix(length))))
            rest = rest.dropFirst(9 + length)
        }
        return frames
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }

    // MARK: A server's frames

    static func settings(_ values: (id: UInt16, value: UInt32)...) -> HTTP2Frame {
        let payload = values.flatMap { bigEndian(UInt32($0.id)).dropFirst(2) + bigEndian($0.value) }
        return HTTP2Frame(kind: .settings, payload: payload)
    }

    static func streams(_ limit: UInt32) -> HTTP2Frame { settings((3, limit)) }

    /// A head with a status, and fields whose names and values are plain literals (RFC 7541 section 6.2.2).
    static func head(
        _ stream: UInt32, status: Int?, _ fields: [(String, String)] = [], endsStream: Bool = false
    ) -> HTTP2Frame {
        var payload: [UInt8] = status.map { [0x08, 3] + Array(String($0).utf8) } ?? []
        for (name, value) in fields {
            payload += [0, UInt8(name.utf8.count)] + name.utf8 + [UInt8(value.utf8.count)] + value.utf8
        }
        let flags = endHeaders | (endsStream ? endStream : 0)
        return HTTP2Frame(kind: .headers, flags: flags, stream: stream, payload: payload)
    }

    static func answer(_ stream: UInt32) -> HTTP2Frame { head(stream, status: 200, endsStream: true) }

    static func data(_ stream: UInt32, _ count: Int, endsStream: Bool) -> HTTP2Frame {
        HTTP2Frame(
            kind: .data, flags: endsStream ? endStream : 0, stream: stream, payload: Array(repeating: 120, count: count)
        )
    }

    static func reset(_ stream: UInt32, code: UInt32) -> HTTP2Frame {
        HTTP2Frame(kind: .reset, stream: stream, payload: bigEndian(code))
    }

    static func goAway(last: UInt32, code: UInt32 = 0, _ text: String = "") -> HTTP2Frame {
        HTTP2Frame(kind: .goAway, payload: bigEndian(last) + bigEndian(code) + text.utf8)
    }

    static func windowUpdate(_ stream: UInt32, by count: UInt32) -> HTTP2Frame {
        HTTP2Frame(kind: .windowUpdate, stream: stream, payload: bigEndian(count))
    }
}
