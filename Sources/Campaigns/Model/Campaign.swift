package import Push
package import Schedules
package import YAML

/// One campaign file, read and checked.
package struct Campaign: Sendable {
    package var id: String
    /// The file's text, which also knows its path.
    package var source: SourceText
    package var description: String?
    package var owner: String?
    /// A campaign that is not enabled is checked and previewed, and never fires.
    package var isEnabled: Bool
    package var schedule: CampaignSchedule
    package var catchUp: CatchUp
    package var overlap: RunOverlap
    package var filter: PushFilter
    package var data: [DataSource]
    /// Nothing is sent for an occurrence at which it does not hold.
    package var condition: CampaignCondition?
    package var notification: NotificationTemplate
    /// In the order in which they run.
    package var interceptors: [InterceptorDeclaration]

    package init(
        id: String, source: SourceText, description: String? = nil, owner: String? = nil, isEnabled: Bool = true,
        schedule: CampaignSchedule, catchUp: CatchUp = CatchUp(), overlap: RunOverlap = .skip, filter: PushFilter,
        data: [DataSource] = [], condition: CampaignCondition? = nil, notification: NotificationTemplate,
        interceptors: [InterceptorDeclaration] = []
    ) {
        self.id = id
        self.source = source
        self.description = description
        self.owner = owner
        self.isEnabled = isEnabled
        self.schedule = schedule
        self.catchUp = catchUp
        self.overlap = overlap
        self.filter = filter
        self.data = data
        self.condition = condition
        self.notification = notification
        self.interceptors = interceptors
    }

    /// The path of the file, as the directory was named.
    package var file: String { source.file }
}

/// What becomes of occurrences that passed while nothing was running.
package struct CatchUp: Sendable, Hashable {
    package enum Runs: String, Sendable, Hashable, CaseIterable {
        /// Only the latest of them runs.
        case latest
        case all
        case none
    }

    package var runs: Runs
    /// Occurrences that are longer ago are missed for good.
    package var within: TimeSpan

    /// What holds where the campaign does not say how far back to look.
    package static let defaultWithin = TimeSpan(seconds: 3_600)
    package static let longestWithin = TimeSpan(seconds: 366 * 86_400)

    package init(runs: Runs = .latest, within: TimeSpan = CatchUp.defaultWithin) {
        self.runs = runs
        self.within = within
    }
}

/// What becomes of an occurrence that falls while the campaign's run before is still sending.
package enum RunOverlap: String, Sendable, Hashable, CaseIterable {
    case skip, queue, allow
}
