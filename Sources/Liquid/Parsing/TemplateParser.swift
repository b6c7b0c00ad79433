/// Turns the text of a template into its syntax tree.
struct TemplateParser {
    let source: SourceText
    let options: TemplateOptions
    var scanner: TemplateScanner
    private var depth = 0

    init(_ source: SourceText, options: TemplateOptions) throws(LiquidError) {
        self.source = source
        self.options = options
        let limit = options.limits.templateBytes
        guard source.bytes.count <= limit else {
            throw LiquidError(
                .limit(.templateBytes), "the template is longer than \(limit) bytes", at: 0, in: source)
        }
        scanner = TemplateScanner(source)
    }

    mutating func template() throws(LiquidError) -> BlockSyntax {
        try block(of: nil, until: []).block
    }

    /// Reads nodes up to one of the tags named, or to the end when there is no opening tag.
    mutating func block(
        of opener: TemplateScanner.Tag?, until terminators: [String]
    ) throws(LiquidError) -> (block: BlockSyntax, terminator: TemplateScanner.Tag) {
        try deepen(at: opener?.offset ?? scanner.position)
        defer { depth -= 1 }
        var block = BlockSyntax()
        while let piece = try scanner.next() {
            switch piece {
            case .text(let range):
                block.nodes.append(NodeSyntax(kind: .text(range), offset: range.lowerBound))
                if block.isBlank { block.isBlank = source.bytes[range].allSatisfy(\.isASCIISpace) }
            case .output(let markup, let offset):
                var cursor = try cursor(markup)
                let value = try cursor.filtered()
                try cursor.expectEnd()
                block.nodes.append(NodeSyntax(kind: .output(value), offset: offset))
                block.isBlank = false
            case .tag(let tag):
                if terminators.contains(tag.name) { return (block, tag) }
                try append(tag, to: &block)
            }
        }
        if let opener {
            throw LiquidError(
                .syntax, "this \(opener.name) is never closed by end\(opener.name)", at: opener.offset, in: source)
        }
        return (block, TemplateScanner.Tag(name: "", markup: 0..<0, offset: scanner.position))
    }

    private mutating func deepen(at offset: Int) throws(LiquidError) {
        depth += 1
        let limit = options.limits.nesting
        guard depth <= limit else {
            throw LiquidError(.limit(.nesting), "tags may not stand more than \(limit) deep", at: offset, in: source)
        }
    }

    func cursor(_ markup: Range<Int>) throws(LiquidError) -> MarkupCursor {
        try MarkupCursor(source, markup, nestingLimit: options.limits.nesting)
    }

    private mutating func append(_ tag: TemplateScanner.Tag, to block: inout BlockSyntax) throws(LiquidError) {
        switch tag.name {
        case "#": try checkInlineComment(tag)
        case "comment": try scanner.skipComment(opened: tag.offset)
        case "doc": try skipDoc(tag)
        case "liquid": try appendLines(tag, to: &block)
        case "raw":
            try checkNoMarkup(tag)
            let range = try scanner.verbatim(tag: "raw", opened: tag.offset)
            if !range.isEmpty {
                block.nodes.append(NodeSyntax(kind: .text(range), offset: range.lowerBound))
                block.isBlank = false
            }
        default:
            let (kind, isBlank) = try node(tag)
            block.nodes.append(NodeSyntax(kind: kind, offset: tag.offset))
            if !isBlank { block.isBlank = false }
        }
    }

    /// The lines of a `liquid` tag, each a tag, become nodes of the block around it.
    private mutating func appendLines(_ tag: TemplateScanner.Tag, to block: inout BlockSyntax) throws(LiquidError) {
        let outer = scanner
        scanner = TemplateScanner(source, range: tag.markup, mode: .lines)
        let inner = try self.block(of: nil, until: []).block
        scanner = outer
        block.nodes += inner.nodes
        if !inner.isBlank { block.isBlank = false }
    }

    private func checkInlineComment(_ tag: TemplateScanner.Tag) throws(LiquidError) {
        let lines = source.bytes[tag.markup].split(separator: 0x0A, omittingEmptySubsequences: false)
        for line in lines.dropFirst() {
            if let first = line.first(where: { !$0.isASCIISpace }), first != UInt8(ascii: "#") {
                throw LiquidError(
                    .syntax, "every line of a comment that begins with # must begin with #", at: line.startIndex,
                    in: source)
            }
        }
    }

    private mutating func skipDoc(_ tag: TemplateScanner.Tag) throws(LiquidError) {
        try checkNoMarkup(tag)
        let range = try scanner.verbatim(tag: "doc", opened: tag.offset)
        var inner = TemplateScanner(source, range: range, mode: scanner.mode)
        while let name = try? inner.nextTagName() {
            if name == "doc" {
                throw LiquidError(.syntax, "a doc may not stand in a doc", at: tag.offset, in: source)
            }
        }
    }

    private func checkNoMarkup(_ tag: TemplateScanner.Tag) throws(LiquidError) {
        if !tag.markup.isEmpty {
            throw LiquidError(
                .syntax, "\(tag.name) takes no arguments", at: tag.markup.lowerBound, in: source)
        }
    }
}

extension TemplateScanner {
    /// The name of the next tag; text and outputs are passed over.
    mutating func nextTagName() throws(LiquidError) -> String? {
        while let piece = try next() {
            if case .tag(let tag) = piece { return tag.name }
        }
        return nil
    }
}
