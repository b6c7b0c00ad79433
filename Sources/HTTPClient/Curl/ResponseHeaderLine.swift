/// The lines of a response's head, as libcurl hands them over.
enum ResponseHeaderLine {
    /// The status of `HTTP/2 200`; 0 where there is none.
    static func status(_ line: UnsafeRawBufferPointer) -> Int {
        guard let space = unsafe line.firstIndex(of: UInt8(ascii: " ")) else { return 0 }
        var status = 0
        for index in space + 1..<min(space + 4, line.count) {
            let byte = unsafe line[index]
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return 0 }
            status = status * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return status
    }

    /// The field of `name: value`; `nil` for the empty line at the end.
    static func field(_ line: UnsafeRawBufferPointer) -> HTTPHeader? {
        guard let colon = unsafe line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return nil }
        var name = unsafe String(decoding: line[..<colon], as: UTF8.self)
        // HTTP/2 names are in lower case already (RFC 9113 section 8.2).
        if name.utf8.contains(where: { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }) {
            name = name.lowercased()
        }
        var start = colon + 1
        var end = line.count
        while start < end, unsafe isBlank(line[start]) { start += 1 }
        while end > start, unsafe isBlank(line[end - 1]) { end -= 1 }
        return unsafe HTTPHeader(name, String(decoding: line[start..<end], as: UTF8.self))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
}
