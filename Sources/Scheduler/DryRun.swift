package import Campaigns
package import Push
package import Schedules

/// What an occurrence would do, found without sending or recording anything.
package struct DryRunReport: Sendable, Hashable {
    package var campaign: String
    package var occurrence: Occurrence
    /// Devices that the filter selects.
    package var audience = 0
    package var wouldSend = 0
    /// Messages by the provider that would get them.
    package var byProvider: [String: Int] = [:]
    /// Devices that would be left out, by reason.
    package var skipped: [String: Int] = [:]
    /// Devices that would fail before anything is sent, by reason.
    package var failed: [String: Int] = [:]
    /// Why nothing at all would be sent, where that is so.
    package var nothing: String?
}

/// Takes an occurrence through everything but the sending: the same code that a run goes through.
package struct DryRun: Sendable {
    private let registrations: any RegistrationRepository
    private let notifications: any NotificationSource
    private let pipeline: PushPipeline
    private let pageSize: Int

    package init(
        registrations: any RegistrationRepository, notifications: any NotificationSource, pipeline: PushPipeline,
        pageSize: Int = 1_000
    ) {
        self.registrations = registrations
        self.notifications = notifications
        self.pipeline = pipeline
        self.pageSize = pageSize
    }

    package func report(_ campaign: Campaign, at occurrence: Occurrence) async throws -> DryRunReport {
        var report = DryRunReport(campaign: campaign.id, occurrence: occurrence)
        switch try await notifications.content(of: campaign, at: occurrence) {
        case .nothing(let reason):
            report.nothing = reason
        case .notifications(let make, let interceptors):
            let pipeline = pipeline.with(interceptors: interceptors)
            var audience = FilteredAudience(campaign.filter, in: registrations, pageSize: pageSize)
            while true {
                let page = try await audience.nextPage()
                guard !page.isEmpty else { break }
                report.add(
                    await pipeline.prepare(page, batchID: "dry-run", notification: make), providers: pipeline.providers)
            }
        }
        return report
    }
}

extension DryRunReport {
    fileprivate mutating func add(_ page: PreparedPage, providers: [any PushProvider]) {
        audience += page.devices.count
        for device in page.devices {
            switch device.settled {
            case nil:
                wouldSend += 1
                if let provider = device.providerIndex { byProvider[providers[provider].identifier, default: 0] += 1 }
            case let outcome? where outcome.status == .skipped:
                Self.count(outcome.reason, in: &skipped)
            case let outcome?:
                Self.count(outcome.reason ?? outcome.status.rawValue, in: &failed)
            }
        }
    }

    /// Reasons may name the device, so that only so many different ones are kept.
    private static func count(_ reason: String?, in reasons: inout [String: Int]) {
        let reason = reason ?? "no reason was given"
        let isKept = reasons[reason] != nil || reasons.count < 20
        reasons[isKept ? reason : "other reasons", default: 0] += 1
    }
}
