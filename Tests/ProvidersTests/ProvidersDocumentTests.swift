import Foundation
import Push
import TestSupport
import Testing

@testable import Providers

@Suite struct ProvidersDocumentTests {
    private let document = Result {
        String(
            decoding: try Data(contentsOf: URL(fileURLWithPath: Repository.path("docs/providers.md"))), as: UTF8.self)
    }

    @Test(arguments: APNsReasons.all + FCMReasons.all)
    func `docs/providers.md has the row of every reason`(_ row: ProviderReason) throws {
        let statuses = row.httpStatuses.map(String.init).joined(separator: ", ")
        let retries: [ProviderReason.Retry: String] = [
            .never: "no", .later: "later", .onceWithNewCredential: "once, with a new credential",
        ]
        let retry = try #require(retries[row.retry])
        let line = "| \(statuses) | `\(row.name)` | `\(row.status.rawValue)` | \(retry) | \(row.advice) |"
        #expect(try document.get().contains(line), "\(line)")
    }
}
