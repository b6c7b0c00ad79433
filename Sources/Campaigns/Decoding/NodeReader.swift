internal import Schedules
import Spelling
internal import YAML

/// Reads values from the nodes of one file and collects everything that is wrong with them.
///
/// Every method that returns an optional has reported why where it returns nil.
struct NodeReader {
    /// After this many problems in one file the rest are only counted.
    private static let shownProblems = 100

    let source: SourceText
    private(set) var diagnostics: [Diagnostic] = []
    private var hidden = 0
    private var reported = 0
    private(set) var hasErrors = false

    init(_ source: SourceText) { self.source = source }

    /// How many problems were reported so far, those that are not shown too.
    var problemCount: Int { reported }

    // MARK: Reporting

    mutating func report(
        _ code: DiagnosticCode, _ message: String, at range: SourceRange, suggestion: String? = nil,
        note: (message: String, range: SourceRange)? = nil
    ) {
        add(
            Diagnostic(
                .error, code, message, at: Diagnostic.Place(range, in: source), suggestion: suggestion,
                note: note.map { Diagnostic.Note(message: $0.message, place: .init($0.range, in: source)) }))
    }

    mutating func warn(_ code: DiagnosticCode, _ message: String, at range: SourceRange, suggestion: String? = nil) {
        add(
            Diagnostic(
                .warning, code, message, at: Diagnostic.Place(range, in: source), suggestion: suggestion))
    }

    mutating func add(_ diagnostic: Diagnostic) {
        reported += 1
        if diagnostic.severity == .error { hasErrors = true }
        guard diagnostics.count < Self.shownProblems else {
            hidden += 1
            return
        }
        // What stands behind an anchor is read once for each of its aliases.
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }

    /// Everything that was reported, in the order of the file, with a last line about what is not shown.
    func finished() -> [Diagnostic] {
        var sorted = diagnostics.enumerated().sorted { left, right in
            let (a, b) = (left.element.place, right.element.place)
            return (a.file, a.line, a.column, left.offset) < (b.file, b.line, b.column, right.offset)
        }.map(\.element)
        if hidden > 0, let last = sorted.last {
            let problems = hidden == 1 ? "1 more problem is" : "\(hidden) more problems are"
            sorted.append(Diagnostic(.error, .moreProblems, "\(problems) not shown", at: last.place))
        }
        return sorted
    }

    // MARK: Mappings

    /// The known entries of a mapping; unknown keys are reported. Nil when the node is no mapping.
    mutating func entries(of node: YAMLNode, _ table: KeyTable) -> MappingEntries? {
        guard let mapping = node.mapping else {
            report(.wrongType, "\(table.owner) takes a mapping of keys, not \(node.kindName)", at: token(node))
            return nil
        }
        var known = [String: YAMLMapping.Entry]()
        var namesLater = false
        for entry in mapping.entries {
            if table.keys.contains(entry.key) {
                known[entry.key] = entry
            } else if table.later.contains(entry.key) {
                namesLater = true
                report(.notAvailable, "\"\(entry.key)\" is not available in this version", at: entry.keyRange)
            } else if !(table.allowsExtensions && entry.key.hasPrefix("x-")) {
                reportUnknownKey(entry, table)
            }
        }
        let range = mapping.entries.first?.keyRange ?? token(node)
        return MappingEntries(entries: known, range: range, isEmpty: mapping.entries.isEmpty, namesLater: namesLater)
    }

    private mutating func reportUnknownKey(_ entry: YAMLMapping.Entry, _ table: KeyTable) {
        if let place = table.elsewhere[entry.key] {
            report(.unknownKey, "\"\(entry.key)\" belongs under \(place), not in \(table.owner)", at: entry.keyRange)
            return
        }
        let nearest = problemCount < Self.shownProblems ? nearestName(to: entry.key, among: table.keys) : nil
        var message = "unknown key \"\(entry.key)\" in \(table.owner)"
        if nearest == nil { message += "; it takes " + table.keys.joined(separator: ", ") }
        report(.unknownKey, message, at: entry.keyRange, suggestion: nearest)
    }

    // MARK: Scalars

    /// Any single value as text, just as it is written: a plain `no` is "no" and `012` is "012".
    mutating func scalar(_ entry: YAMLMapping.Entry, _ what: String = "text") -> YAMLScalar? {
        scalar(entry.value, key: entry.key, keyRange: entry.keyRange, what)
    }

    mutating func scalar(_ node: YAMLNode, key: String, keyRange: SourceRange, _ what: String = "text") -> YAMLScalar? {
        guard let scalar = node.scalar else {
            report(.wrongType, "\(key) takes \(what), not \(node.kindName)", at: token(node))
            return nil
        }
        guard scalar.value != .null else {
            report(
                .wrongType, "\(key) has no value; it takes \(what)",
                at: scalar.text.isEmpty ? keyRange : node.range)
            return nil
        }
        return scalar
    }

    /// A text that is not empty.
    mutating func name(_ entry: YAMLMapping.Entry, _ what: String = "text") -> String? {
        guard let scalar = scalar(entry, what) else { return nil }
        guard !scalar.text.isEmpty else {
            report(.outOfRange, "\(entry.key) is empty", at: entry.value.range)
            return nil
        }
        return scalar.text
    }

    mutating func bool(_ entry: YAMLMapping.Entry) -> Bool? {
        guard let scalar = scalar(entry, "true or false") else { return nil }
        if case .bool(let value) = scalar.value { return value }
        let meant: String? =
            switch scalar.text.lowercased() {
            case "yes", "on", "y", "1", "true": "true"
            case "no", "off", "n", "0", "false": "false"
            default: nil
            }
        report(
            .wrongType, "\(entry.key) takes true or false, not \(shown(scalar))", at: entry.value.range,
            suggestion: meant)
        return nil
    }

    mutating func integer(_ entry: YAMLMapping.Entry, in range: ClosedRange<Int>) -> Int? {
        guard let scalar = scalar(entry, "a whole number") else { return nil }
        guard let number = wholeNumber(scalar.value) else {
            report(.wrongType, "\(entry.key) takes a whole number, not \(shown(scalar))", at: entry.value.range)
            return nil
        }
        guard range.contains(number) else {
            let bounds =
                range.upperBound == .max
                ? "\(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
            report(.outOfRange, "\(entry.key) must be \(bounds)", at: entry.value.range)
            return nil
        }
        return number
    }

    /// The number where a value is a whole one; `1.0` is, as it is for JSON Schema.
    func wholeNumber(_ value: YAMLValue) -> Int? {
        switch value {
        case .int(let number): Int(exactly: number)
        case .double(let number): Int(exactly: number)
        default: nil
        }
    }

    mutating func number(_ entry: YAMLMapping.Entry, in range: ClosedRange<Double>) -> Double? {
        guard let scalar = scalar(entry, "a number") else { return nil }
        let number: Double
        switch scalar.value {
        case .int(let whole): number = Double(whole)
        case .double(let value): number = value
        default:
            report(.wrongType, "\(entry.key) takes a number, not \(shown(scalar))", at: entry.value.range)
            return nil
        }
        guard range.contains(number) else {
            report(
                .outOfRange, "\(entry.key) must be from \(range.lowerBound) to \(range.upperBound)",
                at: entry.value.range)
            return nil
        }
        return number
    }

    /// One of a few words.
    mutating func word<Value>(_ entry: YAMLMapping.Entry, _ words: [(String, Value)]) -> Value? {
        word(entry.value, key: entry.key, keyRange: entry.keyRange, words)
    }

    mutating func word<Value>(
        _ node: YAMLNode, key: String, keyRange: SourceRange, _ words: [(String, Value)]
    ) -> Value? {
        let names = words.map(\.0)
        let list =
            names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        guard let scalar = scalar(node, key: key, keyRange: keyRange, list) else { return nil }
        if let match = words.first(where: { $0.0 == scalar.text }) { return match.1 }
        report(
            .unknownValue, "\(key) takes \(list), not \(shown(scalar))", at: node.range,
            suggestion: nearestName(to: scalar.text, among: names))
        return nil
    }

    /// One of an enumeration's words.
    mutating func word<Value: RawRepresentable<String> & CaseIterable>(
        _ entry: YAMLMapping.Entry, _ type: Value.Type
    ) -> Value? {
        word(entry, Value.allCases.map { ($0.rawValue, $0) })
    }

    /// A length of time within bounds.
    mutating func timeSpan(_ entry: YAMLMapping.Entry, from least: Int64 = 0, to most: TimeSpan) -> TimeSpan? {
        guard let scalar = scalar(entry, "a length of time such as 90s, 5m or 12h") else { return nil }
        let span: TimeSpan
        do {
            span = try TimeSpan(parsing: scalar.text)
        } catch {
            report(.invalidDuration, error, in: entry.value, scalar)
            return nil
        }
        guard span.seconds >= least else {
            report(.outOfRange, "\(entry.key) must be \(TimeSpan(seconds: least)) or longer", at: entry.value.range)
            return nil
        }
        guard span.seconds <= most.seconds else {
            report(.outOfRange, "\(entry.key) must be \(most) or shorter", at: entry.value.range)
            return nil
        }
        return span
    }

    /// Reports what is wrong inside a scalar's text at the place of that part.
    mutating func report(_ code: DiagnosticCode, _ error: TextError, in node: YAMLNode, _ scalar: YAMLScalar) {
        let place = TextPlace(source: source, scalar: scalar, range: node.range)
            .place(ofTextOffset: error.offset, length: error.length)
        add(Diagnostic(.error, code, "\(error.problem); \(error.remedy)", at: place))
    }

    // MARK: Lists

    /// The items of a list that must have at least one.
    mutating func list(_ entry: YAMLMapping.Entry, of what: String, emptyMeans: String) -> [YAMLNode]? {
        guard let items = entry.value.sequence else {
            if entry.value.isNull {
                report(.wrongType, "\(entry.key) has no value; it takes a list of \(what)", at: entry.keyRange)
            } else {
                let hint = entry.value.scalar.map { "; write [\($0.text)]" } ?? ""
                report(
                    .wrongType, "\(entry.key) takes a list of \(what), not \(entry.value.kindName)\(hint)",
                    at: token(entry.value))
            }
            return nil
        }
        guard !items.isEmpty else {
            report(.emptyList, "\(entry.key) is an empty list, \(emptyMeans)", at: entry.value.range)
            return nil
        }
        return items
    }

    /// A list of at least one text, none of them empty.
    mutating func names(_ entry: YAMLMapping.Entry, of what: String, emptyMeans: String) -> [String]? {
        guard let items = list(entry, of: what, emptyMeans: emptyMeans) else { return nil }
        var names = [String]()
        for item in items {
            guard let scalar = scalar(item, key: "an item of \(entry.key)", keyRange: item.range) else { continue }
            if scalar.text.isEmpty {
                report(.outOfRange, "an item of \(entry.key) is empty", at: item.range)
            } else {
                names.append(scalar.text)
            }
        }
        return names.count == items.count ? names : nil
    }

    // MARK: Words of messages

    /// A value as a message quotes it, cut when it is long.
    func shown(_ scalar: YAMLScalar) -> String {
        let line = scalar.text.prefix { !$0.isNewline }
        let isCut = line.count > 40 || line.count < scalar.text.count
        return "\"\(line.prefix(40))\(isCut ? "…" : "")\""
    }

    /// What is underlined for a value: the whole of a scalar, the first character of a list or mapping.
    func token(_ node: YAMLNode) -> SourceRange {
        guard node.scalar == nil else { return node.range }
        return SourceRange(start: node.range.start, end: min(node.range.start + 1, node.range.end))
    }
}

/// The known entries of a mapping.
struct MappingEntries {
    private let entries: [String: YAMLMapping.Entry]
    /// Where to report that something is missing: the mapping's first key.
    let range: SourceRange
    let isEmpty: Bool
    /// Whether a key of a later version was refused, which may be the one that is missing.
    let namesLater: Bool

    init(entries: [String: YAMLMapping.Entry], range: SourceRange, isEmpty: Bool, namesLater: Bool) {
        self.entries = entries
        self.range = range
        self.isEmpty = isEmpty
        self.namesLater = namesLater
    }

    subscript(key: String) -> YAMLMapping.Entry? { entries[key] }

    /// Which of these keys are set, in their order in the file.
    func present(_ keys: [String]) -> [YAMLMapping.Entry] {
        keys.compactMap { entries[$0] }.sorted { $0.keyRange.start < $1.keyRange.start }
    }
}
