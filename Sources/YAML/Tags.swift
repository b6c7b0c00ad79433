/// Which YAML tags a file may use: those of the core schema, which name what the value is anyway.
enum Tags {
    private static let prefix = "tag:yaml.org,2002:"

    static func value(
        of text: String, style: YAMLScalar.Style, tag: String?, at range: SourceRange, in source: SourceText
    ) throws(YAMLError) -> YAMLValue {
        guard let tag else { return style == .plain ? YAMLValue(plain: text) : .string }
        let value = YAMLValue(plain: text)
        switch (tag, value) {
        case ("!", _), (prefix + "str", _): return .string
        case (prefix + "null", .null), (prefix + "bool", .bool), (prefix + "int", .int), (prefix + "float", .double):
            return value
        case (prefix + "float", .int(let whole)):
            return .double(Double(whole))
        case (prefix + "null", _), (prefix + "bool", _), (prefix + "int", _), (prefix + "float", _):
            throw YAMLError(
                .tag, "!!\(tag.dropFirst(prefix.count)) does not fit the value \"\(text)\"", source: source,
                range: range)
        default:
            throw unknown(tag, at: range, in: source)
        }
    }

    static func checkCollection(
        _ tag: String?, isMapping: Bool, at range: SourceRange, in source: SourceText
    ) throws(YAMLError) {
        guard let tag, tag != "!", tag != prefix + (isMapping ? "map" : "seq") else { return }
        throw unknown(tag, at: range, in: source)
    }

    private static func unknown(_ tag: String, at range: SourceRange, in source: SourceText) -> YAMLError {
        let shown = tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
        return YAMLError(
            .tag, "the tag \(shown) means nothing here; leave it out", source: source,
            range: SourceRange(start: range.start, end: range.start + 1))
    }
}
