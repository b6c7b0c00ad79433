import FoundationEssentials
import JSON
import Liquid
import TestSupport
import Testing

/// The public Golden Liquid suite, as far as a part of it lies in Golden/.
struct GoldenTests {
    /// Cases that cannot pass, each with the reason.
    static let unreachable: [String: String] = [:]

    @Test(arguments: try GoldenCase.all())
    func `a case of the golden suite renders or fails as it says`(golden: GoldenCase) {
        let problem = golden.problem
        if GoldenTests.unreachable[golden.name] != nil {
            #expect(problem != nil, "this case passes now and must leave the table")
        } else {
            #expect(problem == nil)
        }
    }

    @Test func `the whole part is run`() throws {
        #expect(try GoldenCase.all().count == 522)
    }
}

struct GoldenCase: Sendable, CustomTestStringConvertible {
    var name: String
    var template: String
    var data: LiquidValue
    var partials: [String: String]
    /// Any of these is right; `nil` when the case must fail.
    var results: [String]?

    var testDescription: String { name }

    static func all() throws -> [GoldenCase] {
        let path = Repository.path("Tests/LiquidTests/Golden/golden_part.json")
        let file = try Data(contentsOf: URL(fileURLWithPath: path))
        return try #require(JSON(parsing: Array(file))["tests"]?.arrayValue).map(GoldenCase.init)
    }

    init(_ json: JSON) throws {
        name = try #require(json["name"]?.stringValue)
        template = try #require(json["template"]?.stringValue)
        data = LiquidValue(json["data"] ?? .object(JSONObject()))
        partials = [:]
        for member in json["templates"]?.objectValue?.members ?? [] {
            partials[member.key] = member.value.stringValue
        }
        if json["invalid"]?.boolValue == true { return }
        if let several = json["results"]?.arrayValue {
            results = several.compactMap(\.stringValue)
        } else {
            results = [try #require(json["result"]?.stringValue)]
        }
    }

    /// What is wrong with the outcome.
    var problem: String? {
        guard case .object(let variables) = data else { return "the data is no object" }
        let options = TemplateOptions(limits: .document, partials: partials)
        do throws(LiquidError) {
            let template = try Template(parsing: template, options: options)
            let text = try template.render(
                LiquidContext(variables: variables, now: LiquidInstant(seconds: 1_704_067_318)))
            guard let results else { return "expected an error, got \(text.debugDescription)" }
            let isRight = results.contains { $0.utf8.elementsEqual(text.utf8) }
            return isRight ? nil : "expected \(results), got \(text.debugDescription)"
        } catch {
            return results == nil ? nil : "expected \(results ?? []), failed with: \(error)"
        }
    }
}

extension LiquidValue {
    init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .int(let number): self = .int(number)
        case .double(let number): self = .double(number)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(LiquidValue.init))
        case .object(let object): self = .object(object.members.map { ($0.key, LiquidValue($0.value)) })
        }
    }
}
