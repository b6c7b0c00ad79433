import FoundationEssentials
import JSON
import Liquid
import TestSupport
import Testing

/// Templates that nobody would write, by count and not by time, and the same ones every run.
struct FuzzTests {
    static let limits = LiquidLimits(
        templateBytes: 1 << 16, nesting: 20, steps: 5_000, iterations: 500, outputBytes: 1 << 14,
        assignedBytes: 1 << 16,
        partialDepth: 8, rangeSize: 200)

    /// The templates of the golden part and the files of Corpus/.
    static func seeds() throws -> [[UInt8]] {
        let folder = Repository.path("Tests/LiquidTests/Corpus")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let corpus = try files.map { Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))) }
        return try corpus + GoldenCase.all().map { Array($0.template.utf8) }
    }

    /// Parses and renders; whatever happens must be a result or an error within the limits.
    private func run(_ bytes: [UInt8], _ data: LiquidValue) {
        let text = String(decoding: bytes, as: UTF8.self)
        let options = TemplateOptions(
            unknownFilters: .ignored, refusesExtraWords: false, limits: Self.limits,
            partials: ["p": "{{ x }}{% break %}", "q": text])
        do throws(LiquidError) {
            let template = try Template(parsing: text, options: options)
            #expect(try template.render(context(data)).utf8.count <= Self.limits.outputBytes)
        } catch {
            #expect(error.line >= 1 && error.column >= 1)
        }
    }

    static let data: LiquidValue = [
        "a": [1, 2.5, "x", nil, [true, ["k": "v"]]], "product": ["title": "T", "tags": ["s", "g"]],
        "s": "h\u{E9}llo \u{1F600}",
        "x": "1", "n": nil, "big": 9_223_372_036_854_775_807, "f": -0.0, "e": [:],
    ]

    @Test func `every seed is handled`() throws {
        for seed in try Self.seeds() { run(seed, Self.data) }
    }

    @Test(arguments: 0..<8)
    func `mutated templates neither crash nor hang`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let seeds = try Self.seeds()
        for _ in 0..<1_000 {
            var template = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
            for _ in 0..<Int.random(in: 1...6, using: &generator) { generator.mutate(&template, seeds) }
            run(template, Self.data)
        }
    }

    @Test(arguments: 0..<4)
    func `random runs of tokens neither crash nor hang`(seed: UInt64) {
        var generator = SeededGenerator(seed: 1000 + seed)
        for _ in 0..<1_000 {
            var template: [UInt8] = []
            for _ in 0..<Int.random(in: 1...40, using: &generator) { template += generator.token() }
            run(template, Self.data)
        }
    }
}

extension SeededGenerator {
    static let tokens = [
        "{{", "}}", "{%", "%}", "{%-", "-%}", "{{-", "-}}", " ", "\n", "if ", "endif", "unless ", "endunless", "else",
        "elsif ",
        "case ", "when ", "endcase", "for ", "endfor", " in ", "(1..9)", "limit:", "offset:", "continue", "reversed",
        "break",
        "assign ", "=", "capture ", "endcapture", "cycle ", "increment ", "render 'p'", "include 'q'", "include x",
        "tablerow ",
        "endtablerow", "ifchanged", "endifchanged", "raw", "endraw", "comment", "endcomment", "liquid ", "echo ", "doc",
        "enddoc",
        "#", "|", ":", ",", ".", "..", "[", "]", "(", ")", "'", "\"", "==", "!=", "<", ">=", "contains", "and", "or",
        "a", "x",
        "product.title", "s", "big", "f", "nil", "true", "blank", "empty", "-1", "0", "9223372036854775807", "1.5",
        "'a'", "''",
        "forloop", "date: '%s'", "split: ''", "join", "sort", "slice: -1, 9", "truncate: 3", "plus: big", "times: big",
        "divided_by: f", "replace: '', s", "where: 'k'", "sum", "uniq", "concat: a", "map: 'k'", "round: -9",
        "\u{1F600}", "\u{0}",
    ]

    mutating func token() -> [UInt8] {
        Array(Self.tokens[Int.random(in: 0..<Self.tokens.count, using: &self)].utf8)
    }

    mutating func mutate(_ bytes: inout [UInt8], _ seeds: [[UInt8]]) {
        let place = Int.random(in: 0...bytes.count, using: &self)
        switch Int.random(in: 0..<6, using: &self) {
        case 0: bytes.insert(contentsOf: token(), at: place)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &self), at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...8, using: &self)))
        case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
        case 4:
            let other = seeds[Int.random(in: 0..<seeds.count, using: &self)]
            bytes = Array(bytes[..<place]) + other.suffix(Int.random(in: 0...other.count, using: &self))
        default:
            let end = min(bytes.count, place + Int.random(in: 0...20, using: &self))
            bytes.insert(contentsOf: bytes[place..<end], at: place)
        }
    }
}
