/// What is wrong with a short text such as a cron expression, and where.
package struct TextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where the wrong part begins, in UTF-8 bytes from the start of the text.
    package var offset: Int
    /// How many UTF-8 bytes the wrong part has; 0 where something is missing.
    package var length: Int
    package var problem: String
    /// What to write instead.
    package var remedy: String

    package init(offset: Int, length: Int, problem: String, remedy: String) {
        self.offset = offset
        self.length = length
        self.problem = problem
        self.remedy = remedy
    }

    package var description: String { "At byte \(offset): \(problem); \(remedy)." }
}
