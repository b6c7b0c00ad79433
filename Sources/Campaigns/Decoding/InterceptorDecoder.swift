import Spelling
internal import YAML

extension CampaignDecoder {
    static let interceptorNames = ["skip_tagged", "localize", "set"]
    static let laterInterceptors = ["quiet_hours", "frequency_cap", "experiment"]

    mutating func interceptors(_ entry: YAMLMapping.Entry) -> [InterceptorDeclaration] {
        guard let items = entry.value.sequence else {
            reader.report(
                .wrongType, "interceptors takes a list, such as - skip_tagged: [opted-out]",
                at: entry.value.isNull ? entry.keyRange : reader.token(entry.value))
            return []
        }
        return items.compactMap { interceptor($0) }
    }

    private mutating func interceptor(_ node: YAMLNode) -> InterceptorDeclaration? {
        if let scalar = node.scalar, scalar.value != .null {
            return bareInterceptor(scalar, node)
        }
        guard let mapping = node.mapping, let entry = mapping.entries.first else {
            reader.report(
                .wrongType, "an interceptor is its name and what it takes, such as skip_tagged: [opted-out]",
                at: reader.token(node))
            return nil
        }
        if mapping.entries.count > 1 {
            reader.report(
                .conflictingKeys,
                "one item holds one interceptor; begin \"\(mapping.entries[1].key)\" with a dash of its own",
                at: mapping.entries[1].keyRange, note: ("the item begins here", entry.keyRange))
            return nil
        }
        guard checkInterceptorName(entry.key, at: entry.keyRange), let kind = kind(entry) else { return nil }
        return InterceptorDeclaration(kind, place: .init(entry.keyRange, in: reader.source))
    }

    private mutating func kind(_ entry: YAMLMapping.Entry) -> InterceptorDeclaration.Kind? {
        switch entry.key {
        case "skip_tagged":
            return reader.names(entry, of: "tags", emptyMeans: "which skips nobody").map { .skipTagged($0) }
        case "localize":
            guard entry.value.isNull else {
                reader.report(
                    .wrongType, "localize takes nothing; it uses the notification's locales",
                    at: reader.token(entry.value))
                return nil
            }
            return .localize
        default:
            return overlay(entry, "set").map { .set($0) }
        }
    }

    private mutating func bareInterceptor(_ scalar: YAMLScalar, _ node: YAMLNode) -> InterceptorDeclaration? {
        guard checkInterceptorName(scalar.text, at: node.range) else { return nil }
        guard scalar.text == "localize" else {
            reader.report(.wrongType, "\(scalar.text) needs a value behind a colon", at: node.range)
            return nil
        }
        return InterceptorDeclaration(.localize, place: .init(node.range, in: reader.source))
    }

    private mutating func checkInterceptorName(_ name: String, at range: SourceRange) -> Bool {
        if Self.interceptorNames.contains(name) { return true }
        if Self.laterInterceptors.contains(name) {
            reader.report(.notAvailable, "the interceptor \"\(name)\" is not available in this version", at: range)
            return false
        }
        let nearest = nearestName(to: name, among: Self.interceptorNames)
        let known = nearest == nil ? "; there are " + Self.interceptorNames.joined(separator: ", ") : ""
        reader.report(.unknownValue, "unknown interceptor \"\(name)\"\(known)", at: range, suggestion: nearest)
        return false
    }
}
