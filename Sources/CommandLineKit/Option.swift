/// An option as the parser, the help texts and the completions see it, whatever the type of its value.
package struct OptionDefinition: Sendable {
    package enum Kind: Sendable, Hashable {
        case flag
        case value
        /// May be given several times; every value counts.
        case repeatedValue
    }

    /// The long name without its dashes.
    package var name: String
    package var short: Character?
    package var kind: Kind
    /// Stands for the value in help texts; empty for a flag.
    package var placeholder: String
    package var summary: String
    /// What holds when the option is not given, for the help text.
    package var defaultText: String?
    package var completion: Completion
    let convert: @Sendable (String) throws(InvalidValue) -> any Sendable

    package var takesValue: Bool { kind != .flag }

    /// `-n, --count N`.
    var synopsis: String {
        let prefix = short.map { "-\($0), " } ?? ""
        return prefix + "--\(name)" + (takesValue ? " \(placeholder)" : "")
    }

    /// The summary with its default.
    var explanation: String {
        defaultText.map { "\(summary) (default: \($0))" } ?? summary
    }
}

/// Something that a command can list among its options.
package protocol OptionDeclaration: Sendable {
    var definition: OptionDefinition { get }
}

/// An option without a value: given or not.
package struct Flag: OptionDeclaration {
    package let definition: OptionDefinition

    package init(_ name: String, short: Character? = nil, _ summary: String) {
        definition = OptionDefinition(
            name: name, short: short, kind: .flag, placeholder: "", summary: summary, defaultText: nil,
            completion: .nothing
        ) { word throws(InvalidValue) in word }
    }
}

/// An option with one value; given twice, the last one holds.
package struct Option<Value: Sendable>: OptionDeclaration {
    package let definition: OptionDefinition

    package init(
        _ name: String, short: Character? = nil, _ parser: ValueParser<Value>, default defaultText: String? = nil,
        _ summary: String
    ) {
        definition = OptionDefinition(
            name: name, short: short, kind: .value, placeholder: parser.placeholder, summary: summary,
            defaultText: defaultText, completion: parser.completion
        ) { word throws(InvalidValue) in try parser.parse(word) }
    }
}

/// An option that may be given several times, each with one value.
package struct RepeatedOption<Value: Sendable>: OptionDeclaration {
    package let definition: OptionDefinition

    package init(_ name: String, short: Character? = nil, _ parser: ValueParser<Value>, _ summary: String) {
        definition = OptionDefinition(
            name: name, short: short, kind: .repeatedValue, placeholder: parser.placeholder, summary: summary,
            defaultText: nil, completion: parser.completion
        ) { word throws(InvalidValue) in try parser.parse(word) }
    }
}
