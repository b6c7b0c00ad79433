/// Filters that look for a part of a text.
let searchFilters: [LiquidFilter] = [
    LiquidFilter("replace", arguments: 1...2) { input, arguments, context throws(FilterFailure) in
        try replaceAll(input.text, arguments.first.text, arguments.second.text, context)
    },
    LiquidFilter("replace_first", arguments: 1...2) { input, arguments, _ in
        replaceOne(input.text, arguments.second.text) {
            ByteSearch(for: arguments.first.bytes).firstRange(in: $0)
        }
    },
    LiquidFilter("replace_last", arguments: 2...2) { input, arguments, _ in
        replaceOne(input.text, arguments.second.text) { ByteSearch.lastRange(of: arguments.first.bytes, in: $0) }
    },
    LiquidFilter("remove", arguments: 1...1) { input, arguments, context throws(FilterFailure) in
        try replaceAll(input.text, arguments.first.text, "", context)
    },
    LiquidFilter("remove_first", arguments: 1...1) { input, arguments, _ in
        replaceOne(input.text, "") { ByteSearch(for: arguments.first.bytes).firstRange(in: $0) }
    },
    LiquidFilter("remove_last", arguments: 1...1) { input, arguments, _ in
        replaceOne(input.text, "") { ByteSearch.lastRange(of: arguments.first.bytes, in: $0) }
    },
    LiquidFilter("split", arguments: 1...1) { input, arguments, _ in
        .array(split(input.text, by: arguments.first.text))
    },
]

private func replaceAll(
    _ text: String, _ part: String, _ replacement: String, _ context: FilterContext
) throws(FilterFailure) -> LiquidValue {
    let bytes = Array(text.utf8)
    let part = Array(part.utf8)
    let replacement = Array(replacement.utf8)
    if part.isEmpty { return try surroundScalars(of: bytes, with: replacement, context) }
    let search = ByteSearch(for: part)
    guard var found = search.firstRange(in: bytes) else { return .string(text) }
    var result: [UInt8] = []
    var position = 0
    while true {
        result.append(contentsOf: bytes[position..<found.lowerBound])
        result.append(contentsOf: replacement)
        guard result.count <= context.maximumBytes else { throw .tooLarge(context.maximumBytes) }
        position = found.upperBound
        guard let next = search.firstRange(in: bytes, from: position) else { break }
        found = next
    }
    result.append(contentsOf: bytes[position...])
    return .string(String(bytes: result))
}

/// Nothing is found before, between and after all scalars.
private func surroundScalars(
    of bytes: [UInt8], with insertion: [UInt8], _ context: FilterContext
) throws(FilterFailure) -> LiquidValue {
    var result: [UInt8] = []
    for byte in bytes {
        if byte & 0xC0 != 0x80 { result.append(contentsOf: insertion) }
        result.append(byte)
        guard result.count <= context.maximumBytes else { throw .tooLarge(context.maximumBytes) }
    }
    return .string(String(bytes: result + insertion))
}

private func replaceOne(_ text: String, _ replacement: String, find: ([UInt8]) -> Range<Int>?) -> LiquidValue {
    let bytes = Array(text.utf8)
    guard let range = find(bytes) else { return .string(text) }
    return .string(String(bytes: bytes[..<range.lowerBound] + Array(replacement.utf8) + bytes[range.upperBound...]))
}

/// Parts without the empty ones at the end. A single space separates at any white space, nothing at every scalar.
private func split(_ text: String, by separator: String) -> [LiquidValue] {
    if separator.utf8.isEmpty { return text.unicodeScalars.map { .string(String($0)) } }
    let bytes = Array(text.utf8)
    if separator.hasSameBytes(as: " ") {
        return bytes.split(whereSeparator: \.isASCIISpace).map { .string(String(bytes: $0)) }
    }
    let search = ByteSearch(for: Array(separator.utf8))
    var parts: [LiquidValue] = []
    var filled = 0
    var position = 0
    while true {
        let found = search.firstRange(in: bytes, from: position)
        let part = bytes[position..<(found?.lowerBound ?? bytes.count)]
        parts.append(.string(String(bytes: part)))
        if !part.isEmpty { filled = parts.count }
        guard let found else { break }
        position = found.upperBound
    }
    return Array(parts[..<filled])
}

extension LiquidValue {
    fileprivate var bytes: [UInt8] { Array(text.utf8) }
}
