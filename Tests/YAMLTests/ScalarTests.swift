import Testing
import YAML

@Suite struct ScalarTests {
    @Test(arguments: [
        ("", YAMLValue.null), ("~", .null), ("null", .null), ("Null", .null), ("NULL", .null), ("nULL", .string),
        ("true", .bool(true)), ("True", .bool(true)), ("TRUE", .bool(true)), ("false", .bool(false)),
        ("no", .string), ("NO", .string), ("yes", .string), ("on", .string), ("off", .string), ("y", .string),
        ("0", .int(0)), ("-0", .int(0)), ("+12", .int(12)), ("012", .int(12)), ("08", .int(8)), ("-5", .int(-5)),
        ("0o17", .int(15)), ("0x1f", .int(31)), ("0xFF", .int(255)), ("0o8", .string), ("0x", .string),
        ("-0x1", .string),
        ("0x+1", .string), ("0o-7", .string),
        ("9223372036854775807", .int(.max)), ("9223372036854775808", .double(9_223_372_036_854_775_808)),
        ("1_000", .string), ("1.5", .double(1.5)), (".5", .double(0.5)), ("5.", .double(5)), ("1e3", .double(1000)),
        ("1E-2", .double(0.01)), ("-.5e+1", .double(-5)), ("1e", .string), ("1e+", .string), (".", .string),
        ("-", .string), ("+", .string), (".inf", .double(.infinity)), ("-.INF", .double(-.infinity)),
        ("-.nan", .string),
        ("08:30", .string), ("22:30", .string), ("22:30:00", .string), ("2026-12-01", .string), ("1.2.3", .string),
        ("0b11", .string), ("5m", .string), ("12a", .string), ("١٢", .string), ("nullx", .string), ("truely", .string),
    ])
    func `a plain scalar means what the core schema of YAML 1_2 says`(text: String, value: YAMLValue) {
        #expect(YAMLValue(plain: text) == value)
    }

    @Test func `not a number stays a number`() {
        guard case .double(let number) = YAMLValue(plain: ".nan") else {
            Issue.record(".nan is not a number value")
            return
        }
        #expect(number.isNaN)
    }

    @Test(arguments: ["'012'", "\"true\"", "|\n  null\n", ">\n  1\n", "!!str 12", "! 12", "!!str null"])
    func `a quoted, block or tagged scalar is a string`(written: String) throws {
        let document = try YAMLDocument(parsing: Array("a: \(written)\n".utf8), file: "a.yaml")
        #expect(document.root.mapping?["a"]?.scalar?.value == .string)
    }

    @Test func `a number keeps its text`() throws {
        let document = try YAMLDocument(parsing: Array("a: 012\nb: 0x1F\nc: 1.50\n".utf8), file: "a.yaml")
        #expect(document.root.mapping?.entries.map { $0.value.scalar?.text } == ["012", "0x1F", "1.50"])
    }
}
