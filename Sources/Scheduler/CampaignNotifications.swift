package import Campaigns
package import Schedules

/// The notifications that a campaign's file describes.
package struct CampaignNotifications: NotificationSource {
    package init() {}

    package func content(of campaign: Campaign, at occurrence: Occurrence) async throws -> RunContent {
        switch try RunRenderer.prepare(campaign, at: occurrence) {
        case .nothing(let reason): .nothing(reason: reason)
        case .ready(let renderer):
            .notifications(make: { try renderer.notification(for: $0) }, interceptors: renderer.interceptors)
        }
    }
}
