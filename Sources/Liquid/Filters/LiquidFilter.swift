/// A filter: its name, what it takes, and what it does.
package struct LiquidFilter: Sendable {
    package typealias Function =
        @Sendable (_ input: LiquidValue, _ arguments: FilterArguments, _ context: FilterContext)
        throws(FilterFailure) -> LiquidValue

    package var name: String
    /// How many positional arguments it takes, at most two.
    package var arguments: ClosedRange<Int>
    /// The keyword arguments it knows; `nil` when it takes any.
    package var keywords: [String]?
    package var function: Function

    package init(
        _ name: String, arguments: ClosedRange<Int> = 0...0, keywords: [String]? = [], _ function: @escaping Function
    ) {
        self.name = name
        self.arguments = arguments.clamped(to: 0...2)
        self.keywords = keywords
        self.function = function
    }

    /// What is wrong with the arguments of a use of this filter.
    func problem(with use: FilterSyntax) -> String? {
        if let keywords, let unknown = use.keywords.first(where: { !keywords.contains($0.name) }) {
            return "the filter \"\(name)\" has no argument \"\(unknown.name)\""
        }
        if arguments.contains(use.arguments.count) { return nil }
        let wanted =
            arguments.count == 1
            ? "\(arguments.lowerBound == 0 ? "no" : String(arguments.lowerBound))"
            : "\(arguments.lowerBound) to \(arguments.upperBound)"
        let noun = arguments.upperBound == 1 ? "argument" : "arguments"
        return "the filter \"\(name)\" takes \(wanted) \(noun), not \(use.arguments.count)"
    }
}

/// What a filter is given after the colon.
package struct FilterArguments: Sendable {
    /// The number of positional arguments.
    package var count: Int
    package var first: LiquidValue = .null
    package var second: LiquidValue = .null
    package var keywords: [(name: String, value: LiquidValue)] = []

    package init(count: Int) { self.count = count }

    package func keyword(_ name: String) -> LiquidValue? { keywords.last { $0.name == name }?.value }
}

/// What a filter may use beside its input.
package struct FilterContext: Sendable {
    package var now: LiquidInstant
    package var zone: LiquidTimeZone
    /// The longest text that a filter may make.
    package var maximumBytes: Int
    /// The longest range that a filter may turn into an array.
    package var maximumRange: Int
}

/// A filter cannot do what it is told with the values at hand.
package struct FilterFailure: Error, Sendable {
    /// Without a full stop.
    package var message: String
    package var limit: LiquidLimits.Name?

    package init(_ message: String) { self.message = message }

    static func tooLarge(_ bytes: Int) -> FilterFailure {
        var failure = FilterFailure("the template makes more than \(bytes) bytes of values")
        failure.limit = .assignedBytes
        return failure
    }

    static func rangeTooLong(_ count: Int) -> FilterFailure {
        var failure = FilterFailure("the range holds more than \(count) numbers")
        failure.limit = .rangeSize
        return failure
    }
}

/// Filters by name.
package struct FilterLibrary: Sendable {
    private var filters: [String: LiquidFilter] = [:]

    package init(_ filters: [LiquidFilter]) {
        for filter in filters { self.filters[filter.name] = filter }
    }

    /// The filters of the Liquid language.
    package static let standard = FilterLibrary(
        textFilters + searchFilters + markupFilters + encodingFilters + numberFilters + arrayFilters + selectionFilters
            + [dateFilter])

    /// These filters and others, which replace those of the same name.
    package func adding(_ more: [LiquidFilter]) -> FilterLibrary {
        var library = self
        for filter in more { library.filters[filter.name] = filter }
        return library
    }

    package var names: [String] { filters.keys.sorted() }

    package subscript(name: String) -> LiquidFilter? { filters[name] }
}
