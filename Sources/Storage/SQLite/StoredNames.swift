internal import JSON

/// Tags and topics as they stand in their column: a JSON array of strings, NULL when there are none.
enum StoredNames {
    /// Reads the names of a column that this store wrote.
    static func decode(_ bytes: Span<UInt8>) -> [String] {
        guard bytes.count > 2 else { return [] }
        if let names = decodePlain(bytes) { return names }
        guard let json = try? JSON(parsing: bytes), let values = json.arrayValue else { return [] }
        return values.compactMap(\.stringValue)
    }

    /// The usual case, `["a","b"]` without escapes or spaces, which every row of an audience pays for.
    private static func decodePlain(_ bytes: Span<UInt8>) -> [String]? {
        let quote = UInt8(ascii: "\"")
        var names: [String] = []
        names.reserveCapacity(4)
        var position = 1
        while position < bytes.count {
            guard bytes[position] == quote else { return nil }
            let start = position + 1
            var end = start
            while end < bytes.count, bytes[end] != quote {
                if bytes[end] == UInt8(ascii: "\\") { return nil }
                end += 1
            }
            guard end + 1 < bytes.count else { return nil }
            names.append(text(bytes.extracting(start..<end)))
            // A comma and the next name, or the bracket and the end.
            guard bytes[end + 1] == UInt8(ascii: ",") else { return names }
            position = end + 2
        }
        return nil
    }

    private static func text(_ bytes: Span<UInt8>) -> String {
        unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Writes the names into a buffer that is used again and again; `nil` when there are none.
    static func encode(_ names: [String], into writer: inout JSONWriter) -> [UInt8]? {
        guard !names.isEmpty else { return nil }
        writer.removeAll()
        writer.beginArray()
        for name in names { writer.string(name) }
        writer.endArray()
        return writer.bytes
    }
}
