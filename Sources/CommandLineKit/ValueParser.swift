import Spelling

/// Why a word on the command line is no value of the wanted kind, as the end of a sentence: `expected a whole number`.
package struct InvalidValue: Error, Sendable, Hashable {
    package var reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// What a shell offers where a value is typed.
package enum Completion: Sendable, Hashable {
    case nothing
    case files
    case directories
    case choices([String])
}

/// How one word becomes a value, and how it is called in help texts.
package struct ValueParser<Value: Sendable>: Sendable {
    /// The word that stands for the value in help texts: `FILE`.
    package var placeholder: String
    package var completion: Completion
    package var parse: @Sendable (String) throws(InvalidValue) -> Value

    package init(
        placeholder: String, completion: Completion = .nothing,
        parse: @escaping @Sendable (String) throws(InvalidValue) -> Value
    ) {
        self.placeholder = placeholder
        self.completion = completion
        self.parse = parse
    }
}

extension ValueParser where Value == String {
    package static func text(_ placeholder: String) -> ValueParser {
        ValueParser(placeholder: placeholder) { word throws(InvalidValue) in word }
    }

    package static func file(_ placeholder: String = "FILE") -> ValueParser {
        ValueParser(placeholder: placeholder, completion: .files, parse: nonempty)
    }

    package static func directory(_ placeholder: String = "DIR") -> ValueParser {
        ValueParser(placeholder: placeholder, completion: .directories, parse: nonempty)
    }

    @Sendable
    private static func nonempty(_ word: String) throws(InvalidValue) -> String {
        guard !word.isEmpty else { throw InvalidValue("a path cannot be empty") }
        return word
    }
}

extension ValueParser where Value == Int {
    /// A whole number within a range.
    package static func number(_ placeholder: String = "N", in range: ClosedRange<Int>) -> ValueParser {
        ValueParser(placeholder: placeholder) { word throws(InvalidValue) in
            guard let number = Int(word), range.contains(number) else {
                throw InvalidValue("expected a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }
}

extension ValueParser where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of the raw values of an enumeration; they stand in the help text as `a|b|c` unless a placeholder is given.
    package static func choice(_ placeholder: String? = nil) -> ValueParser {
        let names = Value.allCases.map(\.rawValue)
        return ValueParser(placeholder: placeholder ?? names.joined(separator: "|"), completion: .choices(names)) {
            word throws(InvalidValue) in
            guard let value = Value(rawValue: word) else {
                let suggestion = nearestName(to: word, among: names).map { "; did you mean '\($0)'?" } ?? ""
                throw InvalidValue("expected \(listed(names))\(suggestion)")
            }
            return value
        }
    }
}

/// `a`, `a or b`, `a, b or c`.
package func listed(_ names: [String]) -> String {
    guard let last = names.last else { return "" }
    return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " or " + last
}
