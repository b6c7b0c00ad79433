/// The command line cannot be understood, or asks for what does not go together.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence without a full stop.
    package var message: String
    /// The verb it was meant for, as names; empty for the program itself.
    package var path: [String]

    package init(_ message: String, path: [String] = []) {
        self.message = message
        self.path = path
    }

    package var description: String { message }
}
