package import Campaigns
package import Push
package import Scheduler
package import Schedules

/// What one occurrence of a campaign would send to some devices.
package struct CampaignPreview: Sendable {
    package var campaign: String
    package var occurrence: Occurrence
    /// Why nothing would be sent at all, where that is so.
    package var nothing: String?
    /// In the order in which the devices were given.
    package var devices: [DevicePreview]
}

/// Makes previews with the code that sends: the same notifications, interceptors, providers and request builders.
package struct Previewer: Sendable {
    private let notifications: any NotificationSource
    private let pipeline: PushPipeline

    package init(notifications: any NotificationSource, pipeline: PushPipeline) {
        self.notifications = notifications
        self.pipeline = pipeline
    }

    /// - Parameter devices: Whom to preview for; they need not be in the campaign's audience.
    package func preview(
        _ campaign: Campaign, at occurrence: Occurrence, for devices: [Registration]
    ) async throws -> CampaignPreview {
        var preview = CampaignPreview(campaign: campaign.id, occurrence: occurrence, nothing: nil, devices: [])
        switch try await notifications.content(of: campaign, at: occurrence) {
        case .nothing(let reason):
            preview.nothing = reason
        case .notifications(let make, let interceptors):
            let pipeline = pipeline.with(interceptors: interceptors)
            let page = await pipeline.prepare(devices, batchID: Self.batchID, notification: make)
            preview.devices = page.devices.map {
                DevicePreview($0, providers: pipeline.providers, messageID: Self.messageID)
            }
        }
        return preview
    }

    /// A real send makes new ids; a preview has to be the same each time it is made.
    private static let batchID = "preview"
    private static let messageID = "00000000-0000-4000-8000-000000000000"
}
