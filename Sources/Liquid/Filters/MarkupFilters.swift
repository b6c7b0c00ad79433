/// Filters for HTML.
let markupFilters: [LiquidFilter] = [
    LiquidFilter("escape", escape),
    LiquidFilter("h", escape),
    LiquidFilter("escape_once") { input, _, _ in
        input.isNull ? .null : .string(escaped(input.text, keepsEntities: true))
    },
    LiquidFilter("newline_to_br") { input, _, _ in
        .string(input.text.replacingLineBreaks(with: Array("<br />\n".utf8)))
    },
    LiquidFilter("strip_html") { input, _, _ in .string(withoutTags(input.text)) },
]

private func escape(_ input: LiquidValue, _: FilterArguments, _: FilterContext) -> LiquidValue {
    input.isNull ? .null : .string(escaped(input.text, keepsEntities: false))
}

private func escaped(_ text: String, keepsEntities: Bool) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
        switch byte {
        case UInt8(ascii: "&"):
            let isEntity = keepsEntities && beginsEntity(bytes[(index + 1)...])
            result.append(contentsOf: isEntity ? "&".utf8 : "&amp;".utf8)
        case UInt8(ascii: "<"): result.append(contentsOf: "&lt;".utf8)
        case UInt8(ascii: ">"): result.append(contentsOf: "&gt;".utf8)
        case UInt8(ascii: "\""): result.append(contentsOf: "&quot;".utf8)
        case UInt8(ascii: "'"): result.append(contentsOf: "&#39;".utf8)
        default: result.append(byte)
        }
    }
    return String(bytes: result)
}

/// Whether letters, or `#` and digits, and a semicolon follow.
private func beginsEntity(_ rest: ArraySlice<UInt8>) -> Bool {
    let isNumber = rest.first == UInt8(ascii: "#")
    let body = isNumber ? rest.dropFirst() : rest
    guard let end = body.firstIndex(where: { isNumber ? !$0.isASCIIDigit : !$0.isASCIILetter }) else { return false }
    return end > body.startIndex && body[end] == UInt8(ascii: ";")
}

/// The text without scripts, styles, comments and tags.
private func withoutTags(_ text: String) -> String {
    var bytes = Array(text.utf8)
    bytes = removing(bytes, from: "<script", through: "</script>", or: [("<!--", "-->"), ("<style", "</style>")])
    bytes = removing(bytes, from: "<", through: ">", or: [])
    return String(bytes: bytes)
}

private func removing(
    _ bytes: [UInt8], from opener: String, through closer: String, or others: [(String, String)]
) -> [UInt8] {
    // A pair whose end was not found once has none further on either.
    var pairs = ([(opener, closer)] + others).map { (opener: Array($0.0.utf8), closer: Array($0.1.utf8)) }
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
        if bytes[position] == UInt8(ascii: "<"),
            let index = pairs.firstIndex(where: { bytes[position...].starts(with: $0.opener) })
        {
            let pair = pairs[index]
            if let end = ByteSearch(for: pair.closer).firstRange(in: bytes, from: position + pair.opener.count) {
                position = end.upperBound
                continue
            }
            pairs.remove(at: index)
        }
        result.append(bytes[position])
        position += 1
    }
    return result
}
