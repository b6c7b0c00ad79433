/// How much a file may ask of the reader. A file that goes over is refused at once, with its place.
package struct YAMLLimits: Sendable, Hashable {
    /// The size of the file.
    package var bytes: Int
    /// How deep lists and mappings may stand in one another.
    package var depth: Int
    /// How many nodes all aliases and merges together may add to what is written out.
    package var aliasedNodes: Int

    package init(bytes: Int = 1 << 20, depth: Int = 64, aliasedNodes: Int = 10_000) {
        self.bytes = bytes
        self.depth = depth
        self.aliasedNodes = aliasedNodes
    }

    package static let standard = YAMLLimits()
}
