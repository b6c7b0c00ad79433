/// Filters that change the whole of a text.
let textFilters: [LiquidFilter] = [
    LiquidFilter("append", arguments: 1...1) { input, arguments, _ in .string(input.text + arguments.first.text) },
    LiquidFilter("prepend", arguments: 1...1) { input, arguments, _ in .string(arguments.first.text + input.text) },
    LiquidFilter("upcase") { input, _, _ in .string(input.text.mapped(\.uppercaseMapping) { $0.uppercasedASCII }) },
    LiquidFilter("downcase") { input, _, _ in .string(input.text.mapped(\.lowercaseMapping) { $0.lowercasedASCII }) },
    LiquidFilter("capitalize") { input, _, _ in .string(input.text.capitalizedFirst) },
    LiquidFilter("strip") { input, _, _ in .string(input.text.stripped(start: true, end: true)) },
    LiquidFilter("lstrip") { input, _, _ in .string(input.text.stripped(start: true, end: false)) },
    LiquidFilter("rstrip") { input, _, _ in .string(input.text.stripped(start: false, end: true)) },
    LiquidFilter("squish") { input, _, _ in
        input.isNull
            ? .null
            : .string(
                String(bytes: Array(input.text.utf8.split(whereSeparator: \.isASCIISpace).joined(separator: [0x20]))))
    },
    LiquidFilter("strip_newlines") { input, _, _ in .string(input.text.replacingLineBreaks(with: [])) },
    LiquidFilter("slice", arguments: 1...2, slice),
    LiquidFilter("truncate", arguments: 0...2, truncate),
    LiquidFilter("truncatewords", arguments: 0...2, truncateWords),
    LiquidFilter("size") { input, _, _ in
        if case .int = input { return .int(8) }
        return input.property(.size) ?? .int(0)
    },
    LiquidFilter("default", arguments: 0...1, keywords: ["allow_false"]) { input, arguments, _ in
        let fallback = arguments.count > 0 ? arguments.first : .string("")
        let allowsFalse = arguments.keyword("allow_false")?.isTruthy ?? false
        if allowsFalse ? input.isNull : !input.isTruthy { return fallback }
        return input.isEmpty ? fallback : input
    },
]

private func slice(
    _ input: LiquidValue, _ arguments: FilterArguments, _ context: FilterContext
) throws(FilterFailure) -> LiquidValue {
    let offset = try arguments.first.integer("the offset of slice")
    let length = arguments.second.isTruthy ? try arguments.second.integer("the length of slice") : 1
    if case .array(let elements) = input {
        return .array(sliceRange(offset, length, of: elements.count).map { Array(elements[$0]) } ?? [])
    }
    let text = input.text
    guard let range = sliceRange(offset, length, of: text.scalarCount) else { return .string("") }
    let start = text.utf8Offset(ofScalar: range.lowerBound)
    return .string(text.slice(utf8: start..<text.utf8Offset(ofScalar: range.upperBound)))
}

private func sliceRange(_ offset: Int, _ length: Int, of count: Int) -> Range<Int>? {
    let start = offset < 0 ? count &+ offset : offset
    guard start >= 0, start <= count, length >= 0 else { return nil }
    return start..<(length > count - start ? count : start + length)
}

private func truncate(
    _ input: LiquidValue, _ arguments: FilterArguments, _ context: FilterContext
) throws(FilterFailure) -> LiquidValue {
    if input.isNull { return .null }
    let length = arguments.count > 0 ? try arguments.first.integer("the length of truncate") : 50
    let ellipsis = arguments.count > 1 ? arguments.second.text : "..."
    let text = input.text
    guard text.utf8.count > length, text.scalarCount > length else { return .string(text) }
    let kept = max(0, length - ellipsis.scalarCount)
    return .string(text.slice(utf8: 0..<text.utf8Offset(ofScalar: kept)) + ellipsis)
}

private func truncateWords(
    _ input: LiquidValue, _ arguments: FilterArguments, _ context: FilterContext
) throws(FilterFailure) -> LiquidValue {
    if input.isNull { return .null }
    let wanted = max(1, arguments.count > 0 ? try arguments.first.integer("the number of words") : 15)
    let ellipsis = arguments.count > 1 ? arguments.second.text : "..."
    let text = input.text
    let bytes = Array(text.utf8)
    var words: [ArraySlice<UInt8>] = []
    var position = 0
    while words.count < wanted {
        while position < bytes.count, bytes[position].isASCIISpace { position += 1 }
        let start = position
        while position < bytes.count, !bytes[position].isASCIISpace { position += 1 }
        if start == position { return .string(text) }
        words.append(bytes[start..<position])
    }
    if position == bytes.count { return .string(text) }
    return .string(String(bytes: Array(words.joined(separator: [0x20]))) + ellipsis)
}

extension UInt8 {
    var uppercasedASCII: UInt8 { self >= 0x61 && self <= 0x7A ? self & 0xDF : self }
    var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

extension String {
    /// The text with each scalar replaced; ASCII text takes the faster way.
    func mapped(
        _ mapping: (Unicode.Scalar.Properties) -> String, ascii: (UInt8) -> UInt8
    ) -> String {
        if isASCII { return String(bytes: utf8.map(ascii)) }
        return unicodeScalars.map { mapping($0.properties) }.joined()
    }

    /// The first scalar as at the beginning of a title, all others small.
    var capitalizedFirst: String {
        guard let first = unicodeScalars.first else { return self }
        if isASCII {
            var bytes = utf8.map(\.lowercasedASCII)
            bytes[0] = bytes[0].uppercasedASCII
            return String(bytes: bytes)
        }
        return first.properties.titlecaseMapping
            + unicodeScalars.dropFirst().map(\.properties.lowercaseMapping).joined()
    }

    func stripped(start: Bool, end: Bool) -> String {
        var rest = utf8[...]
        if start { while let first = rest.first, first.isTrimmed { rest = rest.dropFirst() } }
        if end { while let last = rest.last, last.isTrimmed { rest = rest.dropLast() } }
        return rest.count == utf8.count ? self : String(bytes: rest)
    }

    /// Replaces line feeds, together with a carriage return before them.
    func replacingLineBreaks(with replacement: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(utf8.count)
        for byte in utf8 {
            if byte == 0x0A {
                if result.last == 0x0D { result.removeLast() }
                result.append(contentsOf: replacement)
            } else {
                result.append(byte)
            }
        }
        return String(bytes: result)
    }
}
