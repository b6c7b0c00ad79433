extension PushFilter {
    /// Whether the filter selects the registration. Repositories that translate the filter select the same ones.
    public func matches(_ registration: Registration) -> Bool {
        registration.tokenKind == tokenKind
            && holds(platforms) { $0.contains(registration.platform) }
            && holds(environment) { $0 == registration.environment }
            && holds(app) { $0.matches(registration.appID) }
            && holds(users) { users in registration.userID.map(users.contains) ?? false }
            && holds(tokens) { $0.contains(registration.token) }
            && holds(topic) { registration.topics.contains($0) }
            && holds(tags) { matches($0, registration.tags) }
            && holds(excludeTags) { !$0.contains(where: registration.tags.contains) }
            && holds(locales) { locales in
                registration.locale.map { locale in
                    locales.contains { LanguageRange($0).matches(LanguageRange(locale)) }
                } ?? false
            }
    }

    private func holds<Clause>(_ clause: Clause?, _ test: (Clause) -> Bool) -> Bool {
        clause.map(test) ?? true
    }

    private func matches(_ wanted: [String], _ tags: [String]) -> Bool {
        guard !wanted.isEmpty else { return false }
        return switch tagMatch {
        case .any: wanted.contains(where: tags.contains)
        case .all: wanted.allSatisfy(tags.contains)
        }
    }
}

extension PushFilter.AppClause {
    func matches(_ appID: String?) -> Bool {
        switch self {
        case .defaultApp: appID == nil
        case .id(let id): id == appID
        }
    }
}

/// A language tag, cut into subtags in lower case, for prefix matching as in RFC 4647, section 3.3.1 (basic filtering).
struct LanguageRange: Sendable, Hashable {
    private let subtags: [Substring]

    init(_ tag: String) {
        subtags = tag.lowercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    }

    func matches(_ other: LanguageRange) -> Bool { other.subtags.starts(with: subtags) }
}
