/// An argument as the parser and the help texts see it, whatever the type of its value.
package struct ArgumentDefinition: Sendable {
    package enum Arity: Sendable, Hashable {
        case required
        case optional
        /// Any number of words, none included; only the last argument of a command may be so.
        case repeated
    }

    package var placeholder: String
    package var arity: Arity
    package var summary: String
    package var completion: Completion
    let convert: @Sendable (String) throws(InvalidValue) -> any Sendable

    /// `FILE`, `[FILE]` or `[FILE...]`.
    var synopsis: String {
        switch arity {
        case .required: placeholder
        case .optional: "[\(placeholder)]"
        case .repeated: "[\(placeholder)...]"
        }
    }
}

/// Something that a command can list among its arguments.
package protocol ArgumentDeclaration: Sendable {
    var definition: ArgumentDefinition { get }
}

/// A word after the verb that is no option. Its place in the command's list is its place on the command line.
package struct Argument<Value: Sendable>: ArgumentDeclaration {
    package let definition: ArgumentDefinition

    package init(_ parser: ValueParser<Value>, _ arity: ArgumentDefinition.Arity, _ summary: String) {
        definition = ArgumentDefinition(
            placeholder: parser.placeholder, arity: arity, summary: summary, completion: parser.completion
        ) { word throws(InvalidValue) in try parser.parse(word) }
    }
}
