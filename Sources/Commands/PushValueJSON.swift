import JSON
import Push

extension PushValue {
    init(_ json: JSON) {
        self =
            switch json {
            case .null: .null
            case .bool(let value): .bool(value)
            case .int(let number): .int(number)
            case .double(let number): .double(number)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map { PushValue($0) })
            case .object(let object): .object(object.reduce(into: [:]) { $0[$1.key] = PushValue($1.value) })
            }
    }
}

extension JSON {
    /// Members of objects are sorted by their keys, since the order they came in is not kept.
    init(_ value: PushValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .int(let number): .int(number)
            case .double(let number): .double(number)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map { JSON($0) })
            case .object(let members):
                .object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, JSON($0.value)) }))
            }
    }
}
