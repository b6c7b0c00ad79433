internal import Liquid
import Spelling
internal import YAML

extension CampaignDecoder {
    /// A text that may hold Liquid, compiled.
    mutating func template(_ entry: YAMLMapping.Entry?) -> TemplateText? {
        guard let entry, let scalar = reader.scalar(entry) else { return nil }
        let place = TextPlace(source: reader.source, scalar: scalar, range: entry.value.range)
        do {
            let template = try Template(parsing: scalar.text)
            for reference in template.referencedVariables { check(reference, place) }
            let isConstant = !Self.holdsLiquid(scalar.text)
            return TemplateText(place: place, template: template, constant: isConstant ? scalar.text : nil)
        } catch {
            report(error, place)
            return nil
        }
    }

    /// Whether a text has a mark that Liquid acts on.
    private static func holdsLiquid(_ text: String) -> Bool {
        let brace = UInt8(ascii: "{")
        return zip(text.utf8, text.utf8.dropFirst()).contains { first, second in
            first == brace && (second == brace || second == UInt8(ascii: "%"))
        }
    }

    /// The expression of `when`.
    mutating func condition(_ entry: YAMLMapping.Entry) -> CampaignCondition? {
        guard let scalar = reader.scalar(entry, "a condition such as \"stories.size > 0\"") else { return nil }
        for mark in ["{{", "{%", "%}", "}}"] where scalar.text.contains(mark) {
            reader.report(
                .invalidTemplate, "when takes a bare condition such as \"stories.size > 0\", without \(mark)",
                at: entry.value.range)
            return nil
        }
        let place = TextPlace(source: reader.source, scalar: scalar, range: entry.value.range)
        do {
            let condition = try Condition(parsing: scalar.text)
            for reference in condition.referencedVariables { check(reference, place) }
            return CampaignCondition(place: place, condition: condition)
        } catch {
            report(error, place)
            return nil
        }
    }

    private mutating func report(_ error: LiquidError, _ place: TextPlace) {
        let suggestion: String? =
            switch error.kind {
            case .unknownTag(_, let nearest), .unknownFilter(_, let nearest): nearest
            default: nil
            }
        // The suggestion is a part of its own of a diagnostic; Liquid puts it into the sentence.
        let message = suggestion.map { error.message.replacing(", did you mean \"\($0)\"?", with: "") } ?? error.message
        let length = Self.wordLength(in: place.text, at: error.utf8Offset)
        reader.add(
            Diagnostic(
                .error, .invalidTemplate, message,
                at: place.place(ofTextOffset: error.utf8Offset, length: length), suggestion: suggestion))
    }

    // MARK: Variables

    /// What templates may ask of the variables that every campaign has. `size` and its like work on any value.
    private static let members: [String: [String]] = [
        "device": [
            "platform", "app_id", "environment", "user", "device_id", "tags", "topics", "locale", "timezone",
            "app_version", "data",
        ],
        "campaign": ["id", "description", "owner"],
    ]

    /// A variable that nothing provides would render to nothing, for every device alike.
    private mutating func check(_ reference: VariableReference, _ place: TextPlace) {
        guard !reference.mayBeLocal, reference.partial == nil else { return }
        guard variables.contains(reference.root) else {
            let known = variables.sorted()
            reportVariable(
                "templates know no \"\(reference.root)\"; there are \(known.joined(separator: ", ")), and what data names",
                at: reference.utf8Offset, place, suggestion: nearestName(to: reference.root, among: known))
            return
        }
        guard let members = Self.members[reference.root], let member = reference.path.first, !members.contains(member)
        else { return }
        let nearest = nearestName(to: member, among: members)
        let hint = reference.root == "device" ? "; what a registration carries itself is in device.data" : ""
        reportVariable(
            "\(reference.root) has no \"\(member)\"\(hint)", at: Self.memberOffset(reference, in: place.text), place,
            suggestion: nearest)
    }

    private mutating func reportVariable(
        _ message: String, at offset: Int, _ place: TextPlace, suggestion: String?
    ) {
        let length = Self.wordLength(in: place.text, at: offset)
        reader.add(
            Diagnostic(
                .error, .unknownVariable, message, at: place.place(ofTextOffset: offset, length: length),
                suggestion: suggestion))
    }

    /// Where the member of `root.member` begins, or the root where it is written another way.
    private static func memberOffset(_ reference: VariableReference, in text: String) -> Int {
        let prefix = reference.root + "."
        let written = text.utf8.dropFirst(reference.utf8Offset)
        return reference.utf8Offset + (written.starts(with: prefix.utf8) ? prefix.utf8.count : 0)
    }

    /// How many bytes the word has that begins at an offset; a template's error names only where it begins.
    private static func wordLength(in text: String, at offset: Int) -> Int {
        let rest = text.utf8.dropFirst(max(0, offset))
        let word = rest.prefix { byte in
            byte >= 0x80 || byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        if !word.isEmpty { return word.count }
        return rest.starts(with: "{{".utf8) || rest.starts(with: "{%".utf8) ? 2 : 1
    }
}
