import JSON
import Testing

@Suite struct JSONParserTests {
    @Test(
        arguments: [
            ("null", .null), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("42", 42),
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)),
            ("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
            ("18446744073709551617", .double(18_446_744_073_709_551_616)),
            ("1.5", 1.5), ("1e2", .double(100)), ("1E+2", .double(100)), ("25e-1", 2.5),
            ("5e-324", .double(.leastNonzeroMagnitude)),
            ("\"\"", ""), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{C}\n\r\tz"), (#""\u00e9\u20AC""#, "é€"),
            (#""\ud83d\ude00""#, "😀"), (#""\u0000""#, "\0"), ("\"é😀\"", "é😀"),
            ("[]", []), (" [ 1 , [ ] , { } ] ", [1, [], [:]]),
            (#"{"a":1,"b":[true,null]}"#, ["a": 1, "b": [true, .null]]),
            ("\r\n\t{ \"a\" :\n1 } ", ["a": 1]),
        ] as [(String, JSON)])
    func `a text becomes its value`(_ text: String, _ value: JSON) throws {
        #expect(try JSON(parsing: text) == value)
    }

    @Test(
        arguments: [
            ("", 1, 1, "it ends where a value is expected"),
            ("  ", 1, 3, "it ends where a value is expected"),
            ("1 2", 1, 3, "something follows after the end of the value"),
            ("{\"a\":1}x", 1, 8, "something follows after the end of the value"),
            ("[1,]", 1, 4, "a value is expected here"),
            ("{\"a\":1,}", 1, 8, "a member's name in double quotes is expected here"),
            ("{a:1}", 1, 2, "a member's name in double quotes is expected here"),
            ("{\n  \"ä\": 1\n  \"b\": 2\n}", 3, 3, "a comma or } is expected after a member"),
            ("{\"ä\" 1}", 1, 6, "a colon is expected after the name"),
            ("[1 2]", 1, 4, "a comma or ] is expected after an element"),
            ("[1", 1, 3, "a comma or ] is expected after an element"),
            ("01", 1, 1, "a number must not start with a zero"),
            ("-01", 1, 2, "a number must not start with a zero"),
            ("-", 1, 2, "a digit is expected here"), ("+1", 1, 1, "a value is expected here"),
            (".5", 1, 1, "a value is expected here"), ("1.", 1, 3, "a digit is expected here"),
            ("1e", 1, 3, "a digit is expected here"), ("1e+", 1, 4, "a digit is expected here"),
            ("[1e400]", 1, 2, "this number is too large for a 64-bit float"),
            ("NaN", 1, 1, "a value is expected here"), ("tru", 1, 1, "a value is expected here; did you mean true?"),
            ("nul", 1, 1, "a value is expected here; did you mean null?"),
            ("\"a", 1, 3, "it ends inside a string"), ("\"a\\", 1, 3, "it ends inside a string"),
            ("\"a\tb\"", 1, 3, "a control character inside a string must be written as an escape"),
            ("\"\\x41\"", 1, 2, "there is no such escape; a backslash itself is written \\\\"),
            ("\"\\u12\"", 1, 2, "\\u needs four hexadecimal digits"),
            ("\"\\u12g4\"", 1, 2, "\\u needs four hexadecimal digits"),
            ("\"ab\\ud83d\"", 1, 4, "this escape is half of a surrogate pair, which is no character"),
            ("\"\\ude00\"", 1, 2, "this escape is half of a surrogate pair, which is no character"),
            ("\"\\ud83d\\u0041\"", 1, 2, "this escape is half of a surrogate pair, which is no character"),
            ("\u{FEFF}{}", 1, 1, "it starts with a byte order mark; save it as UTF-8 without one"),
            ("// no\n1", 1, 1, "a value is expected here"),
        ] as [(String, Int, Int, String)])
    func `a text that is not JSON is refused with its place`(
        _ text: String, _ line: Int, _ column: Int, _ message: String
    ) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.message == message)
        #expect(error?.description == "not JSON at line \(line), column \(column): \(message)")
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0x5C, 0x6E, 0x80, 0x22],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are refused`(_ bytes: [UInt8]) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: bytes) }
        #expect(error?.message == "this string is not valid UTF-8")
    }

    @Test func `a part of a buffer is read in place`() throws {
        let line = Array("x{\"a\":1}y".utf8)
        #expect(try JSON(parsing: line[1..<8].span) == ["a": 1])
    }

    @Test func `nesting is bounded`() throws {
        let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(throws: Never.self) { try JSON(parsing: deepest) }
        for tooDeep in [String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000)] {
            let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: tooDeep) }
            #expect(error?.message == "arrays and objects are nested more than 512 deep")
        }
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: "[[1]]", maximumDepth: 1) }
    }
}
