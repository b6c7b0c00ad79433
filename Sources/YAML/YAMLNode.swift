/// A value in a YAML document and where it stands.
///
/// A value that is reached through an alias has the place of the text behind the anchor.
package struct YAMLNode: Sendable {
    package indirect enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        case mapping(YAMLMapping)
    }

    package var content: Content
    /// From the first character of the value (anchor and tag left out) to behind its last.
    package var range: SourceRange

    package init(_ content: Content, range: SourceRange) {
        self.content = content
        self.range = range
    }

    package var scalar: YAMLScalar? { if case .scalar(let scalar) = content { scalar } else { nil } }
    package var sequence: [YAMLNode]? { if case .sequence(let nodes) = content { nodes } else { nil } }
    package var mapping: YAMLMapping? { if case .mapping(let mapping) = content { mapping } else { nil } }

    /// Whether this is a plain `null`, `~` or nothing at all.
    package var isNull: Bool { scalar?.value == .null }

    /// What a person calls this kind of value.
    package var kindName: String {
        switch content {
        case .scalar(let scalar): scalar.value.kindName
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// A single value: its text as written (escapes and folding undone), and what YAML 1.2's core schema makes of it.
package struct YAMLScalar: Sendable, Hashable {
    package enum Style: Sendable, Hashable {
        case plain, singleQuoted, doubleQuoted, literal, folded
    }

    package var text: String
    package var style: Style
    package var value: YAMLValue

    package init(text: String, style: Style, value: YAMLValue) {
        self.text = text
        self.style = style
        self.value = value
    }
}

/// The keys and values of a mapping in file order; keys that came in by `<<` follow the mapping's own.
package struct YAMLMapping: Sendable {
    package struct Entry: Sendable {
        package var key: String
        package var keyRange: SourceRange
        package var value: YAMLNode

        package init(key: String, keyRange: SourceRange, value: YAMLNode) {
            self.key = key
            self.keyRange = keyRange
            self.value = value
        }
    }

    package var entries: [Entry]

    package init(entries: [Entry]) { self.entries = entries }

    package subscript(key: String) -> YAMLNode? { entry(key)?.value }

    package func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }
}
