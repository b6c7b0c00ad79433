/// A setting of the engine that cannot work.
public struct PushConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    public var setting: String
    public var value: String
    /// What the setting may be.
    public var rule: String

    init(setting: String, value: some CustomStringConvertible, rule: String) {
        self.setting = setting
        self.value = value.description
        self.rule = rule
    }

    public var description: String { "\(setting) is \(value), but it must be \(rule)." }
}
