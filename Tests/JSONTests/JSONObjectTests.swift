import JSON
import Testing

@Suite struct JSONObjectTests {
    @Test func `the last of two equal keys wins and keeps the first one's place`() throws {
        let object = try #require(JSON(parsing: #"{"a":1,"b":2,"\u0061":3}"#).objectValue)
        #expect(object.keys == ["a", "b"])
        #expect(object["a"] == 3)
    }

    @Test func `keys keep their order`() throws {
        let text = #"{"z":1,"a":{"y":2,"b":3},"m":[]}"#
        #expect(try JSON(parsing: text).serialized() == text)
    }

    @Test func `two spellings of one character are two keys`() throws {
        let object = try #require(JSON(parsing: #"{"\u00e9":1,"e\u0301":2}"#).objectValue)
        #expect(object.count == 2)
        #expect(object["\u{e9}"] == 1)
        #expect(object["e\u{301}"] == 2)
    }

    @Test(arguments: [3, 12, 13, 500])
    func `members are found, changed and removed at any size`(_ count: Int) {
        var object = JSONObject((0..<count).map { ("key \($0)", JSON.int(Int64($0))) })
        for number in 0..<count { #expect(object["key \(number)"] == .int(Int64(number))) }
        #expect(object["key"] == nil)
        object["key 1"] = "changed"
        object["key 0"] = nil
        object["key 0"] = nil
        object["new"] = nil
        object["last"] = true
        #expect(object.count == count)
        #expect(object["key 0"] == nil)
        #expect(object["key 1"] == "changed")
        #expect(object["key 2"] == 2)
        #expect(object.keys.last == "last")
    }

    @Test func `order does not matter to equality, values do`() throws {
        let one = try JSON(parsing: #"{"a":1,"b":[2]}"#)
        let other = try JSON(parsing: #"{"b":[2],"a":1}"#)
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(one != ["a": 1, "b": [3]])
        #expect(one != ["a": 1])
    }
}
