/// What a save or an import did with the registrations that it was given.
package struct SaveCounts: Sendable, Hashable {
    /// Registrations that the store did not know.
    package var new = 0
    /// Registrations that it knew, or whose token it knew.
    package var renewed = 0

    package init(new: Int = 0, renewed: Int = 0) {
        self.new = new
        self.renewed = renewed
    }

    package static func + (left: SaveCounts, right: SaveCounts) -> SaveCounts {
        SaveCounts(new: left.new + right.new, renewed: left.renewed + right.renewed)
    }
}
