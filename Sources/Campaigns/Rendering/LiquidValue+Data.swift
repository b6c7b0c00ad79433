package import JSON
package import Liquid
internal import Push

extension LiquidValue {
    /// The value that templates see of a JSON value.
    package init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .int(let number): self = .int(number)
        case .double(let number): self = .double(number)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { LiquidValue($0) })
        case .object(let object):
            self = .object(LiquidMap(object.members.map { ($0.key, LiquidValue($0.value)) }))
        }
    }

    /// The value that templates see of what a registration carries.
    init(_ value: PushValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .int(let number): self = .int(number)
        case .double(let number): self = .double(number)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { LiquidValue($0) })
        case .object(let members): self = .object(RegistrationData(members))
        }
    }
}

/// What a registration carries itself. Its keys have no order of their own, so that loops visit them in alphabetical order.
final class RegistrationData: LiquidObject {
    private let members: [String: PushValue]

    init(_ members: [String: PushValue]) { self.members = members }

    var keys: [String] { members.keys.sorted() }

    func value(forKey key: String) -> LiquidValue? { members[key].map { LiquidValue($0) } }
}
