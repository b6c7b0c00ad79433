import Foundation
import TestSupport
import Testing

@testable import Campaigns

/// The reference pages say what the program does.
@Suite struct ReferenceTests {
    private func page(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: Repository.path("docs/\(name).md"))), as: UTF8.self)
    }

    /// The first YAML block of a page.
    private func sample(_ page: String) throws -> String {
        let start = try #require(page.range(of: "```yaml\n"))
        let rest = page[start.upperBound...]
        let end = try #require(rest.range(of: "```\n"))
        return String(rest[..<end.lowerBound])
    }

    @Test func `the sample campaign is valid`() throws {
        let folder = Repository.path("campaigns")
        let file = CampaignFile(
            path: folder + "/weekly-digest.yaml", bytes: Array(try sample(try page("campaign-file")).utf8), root: folder
        )
        #expect(file.diagnostics.map(\.description) == [])
        #expect(file.campaign?.id == "weekly-digest")
    }

    @Test func `the sample configuration is valid`() throws {
        let bytes = Array(try sample(try page("configuration")).utf8)
        let file = ConfigurationFile(path: "carillon.yaml", bytes: bytes)
        #expect(file.diagnostics.map(\.description) == [])
        #expect(file.configuration?.engine == EngineSettings())
    }

    @Test func `every key is on its page`() throws {
        let campaign = try page("campaign-file")
        let campaignKeys =
            [
                CampaignDecoder.keys, CampaignDecoder.scheduleKeys, CampaignDecoder.filterKeys,
                CampaignDecoder.notificationKeys, CampaignDecoder.appleKeys, CampaignDecoder.androidKeys,
                CampaignDecoder.webKeys, CampaignDecoder.windowsKeys,
            ].flatMap(\.keys) + CampaignDecoder.platforms.map(\.0) + CampaignDecoder.pushTypes
        for key in campaignKeys { #expect(campaign.contains("`\(key)`"), "\(key)") }
        for name in CampaignDecoder.interceptorNames { #expect(campaign.contains("`\(name)"), "\(name)") }
        let configuration = try page("configuration")
        let configurationKeys = [
            ConfigurationDecoder.appKeys, ConfigurationDecoder.apnsKeys, ConfigurationDecoder.fcmKeys,
            ConfigurationDecoder.engineKeys,
        ].flatMap(\.keys)
        for key in configurationKeys { #expect(configuration.contains("`\(key)`"), "\(key)") }
    }
}
