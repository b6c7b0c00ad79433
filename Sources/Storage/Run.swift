package import FoundationEssentials
package import Push
package import Schedules

/// The number that the store gives a run.
package struct RunID: RawRepresentable, Sendable, Hashable, Comparable {
    package var rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package static func < (left: RunID, right: RunID) -> Bool { left.rawValue < right.rawValue }
}

/// How far a run has come.
package enum RunState: String, Sendable, Hashable, CaseIterable {
    /// Claimed and being sent; a run in this state that nobody works on is resumed at its cursor.
    case sending
    /// Every selected device was sent to or skipped.
    case succeeded
    /// Some devices failed.
    case partial
    /// It stopped before its end, or every device failed; `reason` says why.
    case failed
    /// Nothing was to be sent; `reason` says why.
    case skipped
    /// Somebody stopped it.
    case cancelled

    package var isFinished: Bool { self != .sending }
}

/// What the scheduler did for one occurrence of a campaign.
package struct Run: Sendable, Hashable {
    package var id: RunID
    package var campaign: String
    /// The scheduled instant; together with the campaign it identifies the run.
    package var occurrence: Instant
    package var state: RunState
    package var reason: String?
    package var batchID: String
    package var counts: PushCounts
    /// The last registration whose page is recorded; the run goes on after it.
    package var cursor: RegistrationID
    package var startedAt: Date
    package var finishedAt: Date?

    package init(
        id: RunID, campaign: String, occurrence: Instant, state: RunState, reason: String? = nil, batchID: String,
        counts: PushCounts = PushCounts(), cursor: RegistrationID = .unsaved, startedAt: Date, finishedAt: Date? = nil
    ) {
        self.id = id
        self.campaign = campaign
        self.occurrence = occurrence
        self.state = state
        self.reason = reason
        self.batchID = batchID
        self.counts = counts
        self.cursor = cursor
        self.startedAt = startedAt
        self.finishedAt = finishedAt
    }
}

/// Whether an occurrence may be worked on.
package enum RunClaim: Sendable, Hashable {
    /// The occurrence was new and is now ours.
    case opened(Run)
    /// It was begun and not finished; it is ours to go on with.
    case resumed(Run)
    /// Another process is sending it at this moment, and will finish it.
    case heldByAnother(Run)
    /// It has its run already.
    case alreadyFinished(Run)
}

/// One row of history: the outcome for one registration in one run.
package struct Delivery: Sendable, Hashable {
    package var registrationID: RegistrationID
    package var status: PushDeliveryStatus
    package var provider: String?
    package var reason: String?
    package var providerMessageID: String?

    package init(
        registrationID: RegistrationID, status: PushDeliveryStatus, provider: String? = nil, reason: String? = nil,
        providerMessageID: String? = nil
    ) {
        self.registrationID = registrationID
        self.status = status
        self.provider = provider
        self.reason = reason
        self.providerMessageID = providerMessageID
    }
}

/// Everything that one page of a run changes, recorded in one transaction.
package struct PageRecord: Sendable {
    package var deliveries: [Delivery]
    package var tokenChanges: [TokenChange]
    /// The counts of this page. `tokensRemoved` is filled in by the store, from the removals that were really made.
    package var counts: PushCounts
    package var cursor: RegistrationID

    package init(deliveries: [Delivery], tokenChanges: [TokenChange], counts: PushCounts, cursor: RegistrationID) {
        self.deliveries = deliveries
        self.tokenChanges = tokenChanges
        self.counts = counts
        self.cursor = cursor
    }
}

/// How far the scheduler has looked at a campaign's schedule.
package struct CampaignProgress: Sendable, Hashable {
    package var campaign: String
    /// A fingerprint of the schedule; when it differs from the file's, the schedule was edited.
    package var scheduleFingerprint: String
    /// Occurrences up to and including this instant are dealt with.
    package var consideredUntil: Instant

    package init(campaign: String, scheduleFingerprint: String, consideredUntil: Instant) {
        self.campaign = campaign
        self.scheduleFingerprint = scheduleFingerprint
        self.consideredUntil = consideredUntil
    }
}
