/// A command line that was understood: the verb, and the values of its options and arguments.
package struct ParsedCommand: Sendable {
    /// The names that lead to the verb: `["devices", "import"]`.
    package let path: [String]
    private let options: [String: [any Sendable]]
    private let arguments: [String: [any Sendable]]

    init(path: [String], options: [String: [any Sendable]], arguments: [String: [any Sendable]]) {
        self.path = path
        self.options = options
        self.arguments = arguments
    }

    /// Whether an option of any kind was given.
    package func isGiven(_ option: any OptionDeclaration) -> Bool { options[option.definition.name] != nil }

    /// Whether the flag was given.
    package subscript(flag: Flag) -> Bool { options[flag.definition.name] != nil }

    /// The value that was given last.
    package subscript<Value>(option: Option<Value>) -> Value? {
        options[option.definition.name]?.last as? Value
    }

    /// All values in the order given.
    package subscript<Value>(option: RepeatedOption<Value>) -> [Value] {
        (options[option.definition.name] ?? []).compactMap { $0 as? Value }
    }

    /// The words of an argument in the order given.
    package subscript<Value>(argument: Argument<Value>) -> [Value] {
        (arguments[argument.definition.placeholder] ?? []).compactMap { $0 as? Value }
    }

    /// The value of an argument that must be there.
    package func require<Value>(_ argument: Argument<Value>) throws(UsageError) -> Value {
        guard let value = self[argument].first else { throw error("\(argument.definition.placeholder) is missing") }
        return value
    }

    /// A usage error of this verb.
    package func error(_ message: String) -> UsageError { UsageError(message, path: path) }
}
