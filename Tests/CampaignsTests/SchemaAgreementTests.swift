import Foundation
import JSON
import TestSupport
import Testing

@testable import Campaigns

/// One table of files goes to the decoder and to check-jsonschema, which is other people's code.
///
/// The folder says the verdict: `valid`, `invalid`, and `beyond-schema` for what a schema cannot judge.
@Suite struct SchemaAgreementTests {
    enum Verdict: String, CaseIterable {
        case valid
        case invalid
        case beyondSchema = "beyond-schema"
    }

    private func files(_ schema: FileSchema, _ verdict: Verdict) throws -> [String] {
        let folder = Repository.path("Tests/CampaignsTests/SchemaTable/\(schema.rawValue)/\(verdict.rawValue)")
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { folder + "/" + $0 }
    }

    private func refusedByDecoder(_ path: String, _ schema: FileSchema) throws -> Bool {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        switch schema {
        case .campaign:
            let folder = (path as NSString).deletingLastPathComponent
            return CampaignFile(path: path, bytes: bytes, root: folder).campaign == nil
        case .configuration:
            return ConfigurationFile(path: path, bytes: bytes).configuration == nil
        }
    }

    /// The files that check-jsonschema refuses, of all files in one run.
    private func refusedBySchema(_ paths: [String], _ schema: FileSchema) throws -> Set<String> {
        let result = try ChildProcess.run(
            Repository.path(".venv/bin/check-jsonschema"),
            ["--schemafile", Repository.path("schemas/\(schema.rawValue).schema.json"), "-o", "JSON"] + paths)
        let report = try JSON(parsing: Array(result.standardOutput.utf8))
        let problems = (report["errors"]?.arrayValue ?? []) + (report["parse_errors"]?.arrayValue ?? [])
        #expect(result.status == (problems.isEmpty ? 0 : 1))
        return Set(problems.compactMap { $0["filename"]?.stringValue })
    }

    @Test(arguments: FileSchema.allCases)
    func `the decoder and the schema give the same verdicts`(schema: FileSchema) throws {
        let table = try Verdict.allCases.map { ($0, try files(schema, $0)) }
        let refused = try refusedBySchema(table.flatMap(\.1), schema)
        for (verdict, paths) in table {
            for path in paths {
                #expect(refused.contains(path) == (verdict == .invalid), "the schema's verdict on \(path)")
                #expect(try refusedByDecoder(path, schema) == (verdict != .valid), "the decoder's verdict on \(path)")
            }
        }
    }

    @Test func `the table is large`() throws {
        #expect(try files(.campaign, .valid).count >= 15)
        #expect(try files(.campaign, .invalid).count >= 40)
        #expect(try files(.campaign, .beyondSchema).count >= 20)
        #expect(try files(.configuration, .invalid).count >= 25)
    }

    @Test func `the sample campaigns are valid to both`() throws {
        let folder = Repository.path("campaigns")
        let samples = try CampaignDirectory.load(folder)
        #expect(samples.diagnostics.map(\.description) == [])
        #expect(samples.campaigns.count >= 6)
        #expect(try refusedBySchema(samples.files.map(\.path), .campaign) == [])
        let configuration = Repository.path("carillon.yaml")
        #expect(try refusedBySchema([configuration], .configuration) == [])
        #expect(ConfigurationFile.read(configuration).diagnostics.map(\.description) == [])
    }

    @Test(arguments: FileSchema.allCases)
    func `the program carries the schemas of the repository`(schema: FileSchema) throws {
        let file = Repository.path("schemas/\(schema.rawValue).schema.json")
        #expect(schema.text == String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self))
    }

    private func keys(_ schema: FileSchema, _ path: [String]) throws -> Set<String> {
        var node = try JSON(parsing: Array(schema.text.utf8))
        for key in path { node = try #require(node[key], "\(key) of \(path)") }
        return Set(node["properties"]?.objectValue?.keys ?? [])
    }

    @Test func `the schemas have the keys of the decoder, and the merge key`() throws {
        let campaign: [(KeyTable, [String])] = [
            (CampaignDecoder.keys, []), (CampaignDecoder.scheduleKeys, ["definitions", "schedule"]),
            (CampaignDecoder.filterKeys, ["definitions", "filter"]),
            (CampaignDecoder.notificationKeys, ["definitions", "notification"]),
            (KeyTable("", CampaignDecoder.fieldKeys), ["definitions", "fields"]),
            (CampaignDecoder.appleKeys, ["definitions", "fields", "properties", "apple"]),
            (CampaignDecoder.androidKeys, ["definitions", "fields", "properties", "android"]),
            (CampaignDecoder.webKeys, ["definitions", "fields", "properties", "web"]),
            (CampaignDecoder.windowsKeys, ["definitions", "fields", "properties", "windows"]),
            (CampaignDecoder.dataSourceKeys, ["properties", "data", "additionalProperties"]),
        ]
        for (table, path) in campaign { #expect(try keys(.campaign, path) == Set(table.keys + ["<<"]), "\(path)") }
        let app = ["definitions", "app"]
        let configuration: [(KeyTable, [String])] = [
            (ConfigurationDecoder.keys, []), (ConfigurationDecoder.appKeys, app),
            (ConfigurationDecoder.apnsKeys, app + ["properties", "apns"]),
            (ConfigurationDecoder.fcmKeys, app + ["properties", "fcm"]),
            (ConfigurationDecoder.logKeys, app + ["properties", "log"]),
            (ConfigurationDecoder.secretKeys, ["definitions", "secret"]),
            (ConfigurationDecoder.engineKeys, ["properties", "engine"]),
            (ConfigurationDecoder.defaultsKeys, ["properties", "defaults"]),
        ]
        for (table, path) in configuration {
            #expect(try keys(.configuration, path) == Set(table.keys + ["<<"]), "\(path)")
        }
    }

    /// Every schema under `properties`, wherever it stands, with its path.
    private func properties(_ node: JSON, _ path: String) -> [(path: String, schema: JSON)] {
        var found = [(path: String, schema: JSON)]()
        for member in node["properties"]?.objectValue?.members ?? [] {
            found.append((path + "." + member.key, member.value))
        }
        for member in node.objectValue?.members ?? [] {
            // Conditions restate keys that are described elsewhere.
            if ["anyOf", "oneOf", "then", "if", "not", "examples"].contains(member.key) { continue }
            found += properties(member.value, path + "." + member.key)
        }
        return found
    }

    @Test(arguments: FileSchema.allCases)
    func `every key has a description and an example, and no mapping is open`(schema: FileSchema) throws {
        let root = try JSON(parsing: Array(schema.text.utf8))
        let all = properties(root, "$")
        #expect(all.count > 15)
        for (path, key) in all {
            var key = key
            // A reference is described where it points to.
            while let target = key["$ref"]?.stringValue {
                var node = root
                for part in target.dropFirst(2).split(separator: "/") { node = try #require(node[String(part)]) }
                key = node
            }
            #expect(key["description"] != nil, "\(path)")
            #expect(key["examples"]?.arrayValue?.isEmpty == false || path.hasSuffix(".engine"), "\(path)")
            if key["type"] == "object" { #expect(key["additionalProperties"] != nil, "\(path)") }
        }
    }
}
