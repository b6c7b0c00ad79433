import JSON
import Testing

@Suite struct JSONWriterTests {
    @Test func `what is written piece by piece is one value`() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("aps")
        writer.beginObject()
        writer.key("badge")
        writer.int(0)
        writer.key("list")
        writer.beginArray()
        writer.string("a")
        writer.double(0.5)
        writer.bool(false)
        writer.null()
        writer.raw(Array("{\"x\":[]}".utf8))
        writer.endArray()
        writer.key("empty")
        writer.beginArray()
        writer.endArray()
        writer.endObject()
        writer.key("z")
        writer.value(["k": 1])
        writer.endObject()
        let text = #"{"aps":{"badge":0,"list":["a",0.5,false,null,{"x":[]}],"empty":[]},"z":{"k":1}}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
        writer.newline()
        writer.int(1)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text + "\n1")
        writer.removeAll()
        writer.beginArray()
        writer.endArray()
        #expect(writer.bytes == Array("[]".utf8))
    }

    @Test func `quotes, backslashes and control characters are escaped, nothing else`() {
        var every = ""
        for code in 0..<0x20 as Range<UInt8> { every.unicodeScalars.append(Unicode.Scalar(code)) }
        #expect(
            JSON.string(every).serialized()
                == #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\t\n\u000b\u000c\r\u000e\u000f"#
                + #"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f""#)
        #expect(JSON.string("\"\\/é😀\u{7F}\u{2028}").serialized() == "\"\\\"\\\\/é😀\u{7F}\u{2028}\"")
    }

    @Test(
        arguments: [
            (0.1, "0.1"), (100, "100.0"), (1e21, "1e+21"), (1.0e-7, "1e-07"), (.leastNonzeroMagnitude, "5e-324"),
            (-0.0, "-0.0"),
            (1.7976931348623157e308, "1.7976931348623157e+308"), (.infinity, "null"), (.nan, "null"),
        ] as [(Double, String)])
    func `a double is written with the fewest digits that read back`(_ number: Double, _ text: String) throws {
        #expect(JSON.double(number).serialized() == text)
        if number.isFinite { #expect(try JSON(parsing: text).doubleValue == number) }
    }

    @Test func `pretty text has a line for each member and element`() {
        let value: JSON = ["a": [1, []], "b": [:], "c": ["d": .null]]
        #expect(
            value.serialized(pretty: true) == """
                {
                  "a": [
                    1,
                    []
                  ],
                  "b": {},
                  "c": {
                    "d": null
                  }
                }
                """)
    }

    @Test func `accessors answer for their own kind alone`() {
        #expect(JSON.double(3).intValue == 3)
        #expect(JSON.double(3.5).intValue == nil)
        #expect(JSON.double(1e300).intValue == nil)
        #expect(JSON.int(3).doubleValue == 3)
        #expect(JSON.bool(true).intValue == nil)
        #expect(JSON.string("3").intValue == nil)
        #expect(JSON.null.isNull && JSON.null["a"] == nil)
        #expect((["a": [true]] as JSON)["a"]?.arrayValue?.first?.boolValue == true)
        #expect(
            [JSON.null, true, 1, 1.5, "", [], [:]].map(\.kindDescription)
                == ["null", "a boolean", "a number", "a number", "a string", "an array", "an object"])
    }
}
