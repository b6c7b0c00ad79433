/// Why a notification cannot be sent to any device through a provider. It is found before anything is sent.
package struct NotificationRejection: Error, Sendable, Hashable, CustomStringConvertible {
    /// The field at fault, as a campaign file names it: `collapse_id`, `data.from`, `apple.relevance_score`.
    package var field: String
    /// What is wrong and what to do, after the field's name: `is 71 bytes long; APNs takes at most 64`.
    package var problem: String

    package init(_ field: String, _ problem: String) {
        self.field = field
        self.problem = problem
    }

    package var description: String { "\(field) \(problem)." }
}
