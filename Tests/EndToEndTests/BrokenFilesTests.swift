import Foundation
import TestSupport
import Testing

/// The broken files of the campaign tests, through the program itself.
@Suite(.timeLimit(.minutes(3)))
struct BrokenFilesTests {
    private static let folder = "Tests/CampaignsTests/Broken"

    private static let names: [String] =
        (try? FileManager.default.contentsOfDirectory(atPath: Repository.path(folder)))?
        .filter { $0.hasSuffix(".yaml") }.sorted() ?? []

    private func expectOneError(_ workspace: Workspace, _ name: String) throws {
        let result = try workspace.carillon("validate")
        #expect(result.status == 2, "\(result.standardError)")
        let errors = result.standardError.split(separator: "\n").filter { $0.contains(": error: ") }
        #expect(errors.count == 1, "\(result.standardError)")
        #expect(errors.first?.hasPrefix("campaigns/\(name):") == true, "\(errors)")
    }

    @Test(arguments: names)
    func `a broken file gives one error in that file and exit code 2`(_ name: String) throws {
        let workspace = try Workspace()
        let source = URL(fileURLWithPath: Repository.path("\(Self.folder)/\(name)"))
        try Data(contentsOf: source).write(to: URL(fileURLWithPath: workspace.path("campaigns/\(name)")))
        try expectOneError(workspace, name)
    }

    @Test func `a file of five megabytes gives one error and exit code 2`() throws {
        let workspace = try Workspace()
        try workspace.write(String(repeating: "# nothing\n", count: 500_000), to: "campaigns/large.yaml")
        try expectOneError(workspace, "large.yaml")
    }

    @Test func `all broken files together are told in one pass`() throws {
        #expect(Self.names.count > 40)
        let workspace = try Workspace()
        let result = try workspace.carillon("validate", "--campaigns", Repository.path(Self.folder))
        #expect(result.status == 2)
        for name in Self.names { #expect(result.standardError.contains("\(name):"), "\(name) is not told of") }
    }
}
