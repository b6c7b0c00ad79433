/// Builds nodes from events. It keeps its own stack, so that deep nesting is an error and not a crash.
struct Composer {
    private enum Frame {
        case sequence([YAMLNode])
        case mapping(MappingBuilder)
    }

    private struct OpenCollection {
        var frame: Frame
        var range: SourceRange
        var anchor: String?
        var size = 1
        /// How many levels of lists and mappings stand in it.
        var height = 0
        /// Where its last value so far ends.
        var end: Int
    }

    private struct Key {
        var text: String
        var range: SourceRange
        var isMerge: Bool
    }

    private struct Anchor {
        var node: YAMLNode
        /// How many nodes an alias to it stands for.
        var size: Int
        /// How many levels of lists and mappings an alias to it adds.
        var height: Int
    }

    /// A mapping that is being read.
    private struct MappingBuilder {
        var entries = [YAMLMapping.Entry]()
        var pending: Key?
        /// Where the first entry of each key stands, once there are too many to look through.
        private var positions: [String: Int]?

        private static let scannedEntries = 16

        func first(_ key: String) -> YAMLMapping.Entry? {
            if let positions { return positions[key].map { entries[$0] } }
            return entries.first { $0.key == key }
        }

        mutating func append(_ entry: YAMLMapping.Entry) {
            if positions != nil {
                positions?[entry.key] = entries.count
            } else if entries.count == Self.scannedEntries {
                positions = Dictionary(
                    (entries + [entry]).enumerated().map { ($0.element.key, $0.offset) },
                    uniquingKeysWith: { first, _ in first })
            }
            entries.append(entry)
            pending = nil
        }
    }

    /// The mark of a `<<` entry until its mapping is complete; no key in a file can contain a NUL.
    private static let mergeKey = "\u{0}<<"

    private let source: SourceText
    private let limits: YAMLLimits
    private var stack = [OpenCollection]()
    private var anchors = [String: Anchor]()
    private var aliasedNodes = 0
    private var root: YAMLNode?

    init(_ source: SourceText, limits: YAMLLimits) {
        self.source = source
        self.limits = limits
    }

    mutating func compose() throws(YAMLError) -> YAMLNode {
        let parser = EventParser(source)
        var documents = 0
        while true {
            let event: Event
            switch parser.next() {
            case .success(let next): event = next
            case .failure(let error): throw ParserMessages.error(for: error.problem, in: source)
            }
            switch event.kind {
            case .streamStart, .documentEnd: continue
            case .streamEnd:
                guard let root else {
                    throw YAMLError(
                        .empty, "the file holds nothing but comments", source: source,
                        range: SourceRange(start: source.textStart, end: source.textStart))
                }
                return root
            case .documentStart:
                documents += 1
                guard documents == 1 else {
                    throw YAMLError(
                        .multipleDocuments,
                        "a second document begins here; a file holds one, so move it to its own file",
                        source: source, range: event.range)
                }
            case .alias(let name): try alias(name, event)
            case .scalar(let text, let style): try scalar(text, style, event)
            case .sequenceStart: try open(.sequence([]), event)
            case .mappingStart: try open(.mapping(MappingBuilder()), event)
            case .sequenceEnd, .mappingEnd: try close(event)
            }
        }
    }

    // MARK: Events

    private mutating func scalar(_ text: String, _ style: YAMLScalar.Style, _ event: Event) throws(YAMLError) {
        let start = event.anchor == nil && event.tag == nil ? event.range.start : contentStart(event.range)
        let range = SourceRange(start: start, end: event.range.end)
        let value = try Tags.value(of: text, style: style, tag: event.tag, at: event.range, in: source)
        let node = YAMLNode(.scalar(YAMLScalar(text: text, style: style, value: value)), range: range)
        try add(
            node, size: 1, height: 0, anchor: event.anchor,
            isMergeKey: style == .plain && text == "<<" && event.tag == nil)
    }

    private mutating func alias(_ name: String, _ event: Event) throws(YAMLError) {
        if let open = stack.first(where: { $0.anchor == name }) {
            throw YAMLError(
                .alias, "*\(name) stands inside the value of &\(name), which would never end", source: source,
                range: event.range, note: .init(message: "&\(name) begins here", range: firstByte(of: open.range)))
        }
        guard let anchor = anchors[name] else {
            let known = anchors.keys.sorted().prefix(5).map { "&" + $0 }.joined(separator: ", ")
            let hint = known.isEmpty ? "no anchor stands above it" : "above it there are \(known)"
            throw YAMLError(
                .alias, "*\(name) refers to an anchor that does not exist; \(hint)", source: source, range: event.range)
        }
        try count(anchor.size, at: event.range)
        guard stack.count + anchor.height <= limits.depth else { throw tooDeep(event.range) }
        try add(
            anchor.node, size: anchor.size, height: anchor.height, anchor: nil, isMergeKey: false,
            aliasRange: event.range)
    }

    private mutating func open(_ frame: Frame, _ event: Event) throws(YAMLError) {
        try Tags.checkCollection(
            event.tag, isMapping: { if case .mapping = frame { true } else { false } }(),
            at: event.range, in: source)
        guard stack.count < limits.depth else { throw tooDeep(firstByte(of: event.range)) }
        if case .mapping(let mapping)? = stack.last?.frame, mapping.pending == nil {
            let before = event.range.start - 1
            if before >= 0, source.bytes[before] == UInt8(ascii: "{"), source.bytes[before + 1] == UInt8(ascii: "{") {
                throw YAMLError(
                    .badKey, "{{ begins a mapping in YAML; put a value with a template in quotes", source: source,
                    range: SourceRange(start: before, end: before + 2))
            }
            throw badKey(firstByte(of: event.range))
        }
        let start = event.anchor == nil && event.tag == nil ? event.range.start : contentStart(event.range)
        stack.append(
            OpenCollection(
                frame: frame, range: SourceRange(start: start, end: event.range.end), anchor: event.anchor,
                end: event.range.end))
    }

    private mutating func close(_ event: Event) throws(YAMLError) {
        guard let open = stack.popLast() else { return }
        let content: YAMLNode.Content
        var size = open.size
        switch open.frame {
        case .sequence(let items): content = .sequence(items)
        case .mapping(let mapping):
            let merged = try merge(mapping)
            size += merged.count - mapping.entries.count
            content = .mapping(YAMLMapping(entries: merged))
        }
        // A flow collection ends with its bracket. A block collection ends with its last value: libyaml reports the
        // place of the next token instead, with comments and blank lines in between.
        let isFlow = event.range.end > event.range.start
        let range = SourceRange(start: open.range.start, end: isFlow ? event.range.end : open.end)
        try add(
            YAMLNode(content, range: range), size: max(size, 1), height: open.height + 1, anchor: open.anchor,
            isMergeKey: false)
    }

    // MARK: Building

    private mutating func add(
        _ node: YAMLNode, size: Int, height: Int, anchor: String?, isMergeKey: Bool, aliasRange: SourceRange? = nil
    ) throws(YAMLError) {
        if let anchor { anchors[anchor] = Anchor(node: node, size: size, height: height) }
        guard var top = stack.popLast() else {
            root = node
            return
        }
        top.size += size
        top.height = max(top.height, height)
        top.end = (aliasRange ?? node.range).end
        switch top.frame {
        case .sequence(var items):
            top.frame = .sequence([])
            items.append(node)
            top.frame = .sequence(items)
        case .mapping(var mapping):
            // Let go of the frame's copy, so that the entries are not copied for each new one.
            top.frame = .sequence([])
            if let pending = mapping.pending {
                let key = pending.isMerge ? Self.mergeKey : pending.text
                mapping.append(.init(key: key, keyRange: pending.range, value: node))
            } else {
                let key = try key(node, isMergeKey: isMergeKey, at: aliasRange ?? node.range)
                try checkDuplicate(key, in: mapping)
                mapping.pending = key
            }
            top.frame = .mapping(mapping)
        }
        stack.append(top)
    }

    private func key(_ node: YAMLNode, isMergeKey: Bool, at range: SourceRange) throws(YAMLError) -> Key {
        guard let scalar = node.scalar else { throw badKey(firstByte(of: range)) }
        guard !scalar.text.isEmpty else {
            throw YAMLError(.badKey, "the key before this colon is missing", source: source, range: range)
        }
        return Key(text: scalar.text, range: range, isMerge: isMergeKey)
    }

    private func tooDeep(_ range: SourceRange) -> YAMLError {
        YAMLError(
            .nesting, "lists and mappings stand more than \(limits.depth) deep here", source: source, range: range)
    }

    private func badKey(_ range: SourceRange) -> YAMLError {
        YAMLError(
            .badKey, "a key must be a word or a quoted text, not a list or a mapping", source: source, range: range)
    }

    private func checkDuplicate(_ key: Key, in mapping: MappingBuilder) throws(YAMLError) {
        let name = key.isMerge ? Self.mergeKey : key.text
        guard let first = mapping.first(name) else { return }
        let line = source.position(at: first.keyRange.start).line
        throw YAMLError(
            .duplicateKey, "the key \"\(key.text)\" stands here and in line \(line); one of them must go",
            source: source,
            range: key.range, note: .init(message: "the first \"\(key.text)\" is here", range: first.keyRange))
    }

    /// Replaces a `<<` entry by the entries it brings in: a mapping's own keys win, and of a list the earlier mappings.
    private mutating func merge(_ mapping: MappingBuilder) throws(YAMLError) -> [YAMLMapping.Entry] {
        let entries = mapping.entries
        guard let merge = mapping.first(Self.mergeKey) else { return entries }
        var result = entries.filter { $0.key != Self.mergeKey }
        var known = Set(result.map(\.key))
        let parts = merge.value.sequence ?? [merge.value]
        for part in parts {
            guard let mapping = part.mapping else {
                throw YAMLError(
                    .merge, "<< takes a mapping or a list of mappings, not \(part.kindName)", source: source,
                    range: merge.keyRange, note: .init(message: "the value is here", range: firstByte(of: part.range)))
            }
            try count(mapping.entries.count, at: merge.keyRange)
            for entry in mapping.entries where known.insert(entry.key).inserted { result.append(entry) }
        }
        return result
    }

    private mutating func count(_ nodes: Int, at range: SourceRange) throws(YAMLError) {
        aliasedNodes += nodes
        guard aliasedNodes <= limits.aliasedNodes else {
            throw YAMLError(
                .expansion, "aliases and merges up to here stand for more than \(limits.aliasedNodes) values",
                source: source, range: range)
        }
    }

    // MARK: Places

    /// libyaml's range begins with anchor and tag; the value begins behind them.
    private func contentStart(_ range: SourceRange) -> Int {
        var index = range.start
        while index < range.end {
            switch source.bytes[index] {
            case UInt8(ascii: "&"), UInt8(ascii: "!"):
                while index < range.end, !source.bytes[index].isBlankOrBreak { index += 1 }
            case UInt8(ascii: "#"):
                while index < range.end, !source.bytes[index].isBreak { index += 1 }
            case let byte where byte.isBlankOrBreak:
                index += 1
            default:
                return index
            }
        }
        return range.end
    }

    private func firstByte(of range: SourceRange) -> SourceRange {
        SourceRange(start: range.start, end: min(range.start + 1, source.bytes.count))
    }
}

extension UInt8 {
    var isBreak: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    var isBlankOrBreak: Bool { isBlank || isBreak }
}
