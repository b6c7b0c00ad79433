/// A file that holds one YAML document.
package struct YAMLDocument: Sendable {
    package let source: SourceText
    package let root: YAMLNode

    /// Reads a file's bytes; `file` is the name that messages show.
    package init(parsing bytes: [UInt8], file: String, limits: YAMLLimits = .standard) throws(YAMLError) {
        try self.init(SourceText(file: file, bytes: bytes), limits: limits)
    }

    package init(_ source: SourceText, limits: YAMLLimits = .standard) throws(YAMLError) {
        try SourceChecks.run(on: source, limits: limits)
        var composer = Composer(source, limits: limits)
        self.source = source
        self.root = try composer.compose()
    }
}
