internal import JSON
internal import Push

/// A registration's data as it stands in its column: a JSON object with sorted keys, NULL when it is empty.
enum StoredData {
    static func decode(_ bytes: Span<UInt8>) -> [String: PushValue] {
        guard !bytes.isEmpty, let json = try? JSON(parsing: bytes), let object = json.objectValue else { return [:] }
        return members(of: object)
    }

    private static func members(of object: JSONObject) -> [String: PushValue] {
        var members: [String: PushValue] = [:]
        members.reserveCapacity(object.count)
        for member in object { members[member.key] = value(of: member.value) }
        return members
    }

    private static func value(of json: JSON) -> PushValue {
        switch json {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let number): .int(number)
        case .double(let number): .double(number)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(value(of:)))
        case .object(let object): .object(members(of: object))
        }
    }

    /// Writes the data into a buffer that is used again and again; `nil` when there is none.
    static func encode(_ data: [String: PushValue], into writer: inout JSONWriter) -> [UInt8]? {
        guard !data.isEmpty else { return nil }
        writer.removeAll()
        write(.object(data), to: &writer)
        return writer.bytes
    }

    private static func write(_ value: PushValue, to writer: inout JSONWriter) {
        switch value {
        case .null: writer.null()
        case .bool(let value): writer.bool(value)
        case .int(let number): writer.int(number)
        case .double(let number): writer.double(number)
        case .string(let text): writer.string(text)
        case .array(let elements):
            writer.beginArray()
            for element in elements { write(element, to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                writer.key(key)
                write(member, to: &writer)
            }
            writer.endObject()
        }
    }
}
