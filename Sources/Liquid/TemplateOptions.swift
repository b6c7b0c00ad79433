/// How a template is parsed.
package struct TemplateOptions: Sendable {
    /// What happens to a filter that does not exist.
    package enum UnknownFilters: Sendable {
        case refused
        /// The value goes on unchanged.
        case ignored
    }

    /// What happens to a variable that nothing provides.
    package enum UnknownVariables: Sendable {
        case refused
        /// It is nil.
        case empty
    }

    package var unknownFilters: UnknownFilters
    package var unknownVariables: UnknownVariables
    /// Refuses `{% when 'a' and 'b' %}`, of which a lenient parser silently ignores all after the first value.
    package var refusesExtraWords: Bool
    package var limits: LiquidLimits
    package var filters: FilterLibrary
    package var partials: any LiquidPartials

    package init(
        unknownFilters: UnknownFilters = .refused, unknownVariables: UnknownVariables = .empty,
        refusesExtraWords: Bool = true, limits: LiquidLimits = .pushField, filters: FilterLibrary = .standard,
        partials: any LiquidPartials = NoPartials()
    ) {
        self.unknownFilters = unknownFilters
        self.unknownVariables = unknownVariables
        self.refusesExtraWords = refusesExtraWords
        self.limits = limits
        self.filters = filters
        self.partials = partials
    }
}

/// Where `render` and `include` find other templates. They are read and compiled while the template is parsed.
package protocol LiquidPartials: Sendable {
    /// The names of all partials. They are compiled when an `include` computes its name.
    var names: [String] { get }

    /// The text of a partial, or `nil` where there is none of that name.
    func source(ofPartial name: String) -> String?
}

/// No partials at all.
package struct NoPartials: LiquidPartials {
    package init() {}
    package var names: [String] { [] }
    package func source(ofPartial name: String) -> String? { nil }
}

extension Dictionary: LiquidPartials where Key == String, Value == String {
    package var names: [String] { keys.sorted() }
    package func source(ofPartial name: String) -> String? { self[name] }
}
