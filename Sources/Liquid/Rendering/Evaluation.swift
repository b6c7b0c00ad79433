extension Renderer {
    mutating func value(ofExpression number: Int32) throws(LiquidError) -> LiquidValue {
        let expression = template.pools.expressions[Int(number)]
        var value = try value(of: expression.value)
        for index in expression.filters { value = try apply(index, to: value) }
        return value
    }

    private mutating func apply(_ index: Int, to input: LiquidValue) throws(LiquidError) -> LiquidValue {
        let filter = template.pools.filters[index]
        try countSteps(1 + input.shallowSize / 256)
        var arguments = FilterArguments(count: filter.argumentCount)
        if filter.argumentCount > 0 { arguments.first = try value(of: filter.first) }
        if filter.argumentCount > 1 { arguments.second = try value(of: filter.second) }
        for (name, operand) in filter.keywords { arguments.keywords.append((name, try value(of: operand))) }
        do throws(FilterFailure) {
            let result = try filter.function(input, arguments, filterContext)
            try countMade(result)
            return result
        } catch {
            throw self.error(error.limit.map(LiquidError.Kind.limit) ?? .value, error.message, at: filter.offset)
        }
    }

    private mutating func countMade(_ value: LiquidValue) throws(FilterFailure) {
        let size = value.shallowSize
        guard size > 64 else { return }
        assignedBytes += size
        if assignedBytes > template.limits.assignedBytes {
            throw .tooLarge(template.limits.assignedBytes)
        }
    }

    mutating func holds(_ number: Int32) throws(LiquidError) -> Bool {
        let test = template.pools.tests[Int(number)]
        let left = try value(of: test.left)
        guard let relation = test.relation else { return left.isTruthy }
        let right = try value(of: test.right)
        try countSteps(left.shallowSize / 256)
        do throws(IncomparableValues) {
            return try LiquidValue.compare(left, relation, right)
        } catch {
            throw self.error(.value, error.message, at: test.offset)
        }
    }

    mutating func value(of operand: Operand) throws(LiquidError) -> LiquidValue {
        switch operand {
        case .constant(let number): template.pools.constants[Int(number)]
        case .path(let number): try value(ofPath: Int(number))
        case .range(let number): try range(template.pools.ranges[Int(number)])
        }
    }

    private mutating func range(_ range: CompiledRange) throws(LiquidError) -> LiquidValue {
        let first = try value(of: range.first)
        let last = try value(of: range.last)
        guard let first = first.rangeBound, let last = last.rangeBound else {
            let wrong = first.rangeBound == nil ? first : last
            throw error(.value, "a range cannot begin or end with \(wrong.kindName)", at: range.offset)
        }
        return .range(first, last)
    }

    // MARK: Paths

    private mutating func value(ofPath number: Int) throws(LiquidError) -> LiquidValue {
        let path = template.pools.paths[number]
        var segments = path.segments
        var current: LiquidValue
        switch path.root {
        case .symbol(let symbol):
            switch slots[slotBase + Int(symbol)] {
            case .value(let value): current = value
            case .loop(let loop):
                if let first = segments.first, let property = loopProperty(template.pools.segments[first], of: loop) {
                    current = property
                    segments = segments.dropFirst()
                } else {
                    current = loopValue(loop)
                }
            case .unbound: current = try provided(symbol, path)
            }
        case .computed(let operand):
            let name = try value(of: operand).text
            guard let value = variable(named: name) else {
                try refuseMissing(name, path, isRoot: true)
                return .null
            }
            current = value
        }
        for index in segments {
            guard let value = try step(from: current, template.pools.segments[index]) else {
                try refuseMissing(text(of: template.pools.segments[index]), path, isRoot: false)
                return .null
            }
            current = value
        }
        return current
    }

    /// A variable that the template has not set: a counter, or what the context provides.
    private func provided(_ symbol: Int32, _ path: CompiledPath) throws(LiquidError) -> LiquidValue {
        if !registers.counters.isEmpty, let count = registers.counters[symbol] { return .int(count) }
        let name = template.pools.symbols[Int(symbol)]
        if let value = context.overlay?.value(forKey: name) ?? context.variables.value(forKey: name) { return value }
        try refuseMissing(name, path, isRoot: true)
        return .null
    }

    /// Any variable by its name.
    func variable(named name: String) -> LiquidValue? {
        if let symbol = template.pools.symbols.firstIndex(where: { $0.hasSameBytes(as: name) }) {
            switch slots[slotBase + symbol] {
            case .value(let value): return value
            case .loop(let loop): return loopValue(loop)
            case .unbound: break
            }
            if let count = registers.counters[Int32(truncatingIfNeeded: symbol)] { return .int(count) }
        }
        return context.overlay?.value(forKey: name) ?? context.variables.value(forKey: name)
    }

    private func refuseMissing(_ name: String, _ path: CompiledPath, isRoot: Bool) throws(LiquidError) {
        guard template.refusesUnknownVariables, isRoot || !path.mayBeMissing else { return }
        let message = isRoot ? "nothing provides the variable \"\(name)\"" : "there is no \"\(name)\" here"
        throw error(.unknownVariable(name), message, at: path.offset)
    }

    private func text(of segment: CompiledSegment) -> String {
        switch segment {
        case .name(let name, _): name
        case .key(let key): key
        case .index(let index): String(index)
        case .computed: "[…]"
        }
    }

    /// The value one segment further, or `nil` where there is none.
    private mutating func step(
        from value: LiquidValue, _ segment: CompiledSegment
    ) throws(LiquidError) -> LiquidValue? {
        switch segment {
        case .name(let name, let command):
            if case .object(let object) = value, let found = object.value(forKey: name) { return found }
            guard let command else { return nil }
            if case .string(let text) = value { try countSteps(text.utf8.count / 1024) }
            return value.property(command)
        case .key(let key): return value.element(key)
        case .index(let index): return value.element(at: index)
        case .computed(let operand):
            switch try self.value(of: operand) {
            case .int(let index): return value.element(at: index)
            case .string(let key): return value.element(key)
            default: return nil
            }
        }
    }
}

extension LiquidValue {
    func element(_ key: String) -> LiquidValue? {
        if case .object(let object) = self { object.value(forKey: key) } else { nil }
    }

    /// An element of an array; negative indices count from the end. There is no element outside, but that is no error.
    func element(at index: Int64) -> LiquidValue? {
        switch self {
        case .array(let elements):
            let position = index < 0 ? Int64(elements.count) &+ index : index
            return position >= 0 && position < elements.count ? elements[Int(position)] : .null
        case .object(let object): return object.value(forKey: String(index))
        default: return nil
        }
    }

    func property(_ command: PathCommand) -> LiquidValue? {
        switch (self, command) {
        case (.array(let elements), .size): .int(Int64(elements.count))
        case (.array(let elements), .first): elements.first ?? .null
        case (.array(let elements), .last): elements.last ?? .null
        case (.string(let text), .size): .int(Int64(text.scalarCount))
        case (.string(let text), .first): .string(text.unicodeScalars.first.map { String($0) } ?? "")
        case (.string(let text), .last): .string(text.unicodeScalars.last.map { String($0) } ?? "")
        case (.object(let object), .size): .int(Int64(object.keys.count))
        case (.object(let object), .first): LiquidValue.firstPair(of: object)
        case (.range(let first, let last), .size): .int(LiquidValue.rangeCount(first, last))
        case (.range(let first, _), .first): .int(first)
        case (.range(_, let last), .last): .int(last)
        default: nil
        }
    }

    static func firstPair(of object: any LiquidObject) -> LiquidValue {
        guard let key = object.keys.first else { return .null }
        return .array([.string(key), object.value(forKey: key) ?? .null])
    }

    /// Each key and its value as an array of two.
    static func pairs(of object: any LiquidObject) -> [LiquidValue] {
        object.keys.map { .array([.string($0), object.value(forKey: $0) ?? .null]) }
    }

    /// The numbers in a range.
    static func rangeCount(_ first: Int64, _ last: Int64) -> Int64 {
        guard first <= last else { return 0 }
        let (distance, overflow) = last.subtractingReportingOverflow(first)
        return overflow || distance == .max ? .max : distance + 1
    }

    /// The value as an end of a range: fractions are cut off, other text counts as what it begins with.
    var rangeBound: Int64? {
        switch self {
        case .int(let number): number
        case .double(let number): number.wholePart
        case .null, .empty, .blank: 0
        case .string(let text): LiquidNumber(text: text).truncated
        case .bool, .array, .object, .range: nil
        }
    }
}

extension LiquidNumber {
    /// The whole part, when it fits.
    var truncated: Int64? {
        switch self {
        case .int(let number): number
        case .decimal(let number): number.rounded(toPlaces: 0, number.significand < 0 ? .up : .down).int
        case .double(let number): number.wholePart
        }
    }
}
