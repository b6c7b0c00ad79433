import TestSupport
import Testing

@testable import Liquid

struct SearchTests {
    /// Every place, found one by one.
    private func slowRange(of part: [UInt8], in bytes: [UInt8], from start: Int) -> Range<Int>? {
        guard start + part.count <= bytes.count else { return nil }
        for position in start...(bytes.count - part.count)
        where Array(bytes[position..<position + part.count]) == part {
            return position..<position + part.count
        }
        return nil
    }

    @Test func `a part is found where looking at every place finds it`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                UInt8.random(in: 0...1, using: &generator)
            }
            let part = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                UInt8.random(in: 0...1, using: &generator)
            }
            let start = Int.random(in: 0...bytes.count, using: &generator)
            let expected = slowRange(of: part, in: bytes, from: start)
            #expect(ByteSearch(for: part).firstRange(in: bytes, from: start) == expected)
            var last: Range<Int>?
            var position = 0
            while let next = slowRange(of: part, in: bytes, from: position) {
                last = next
                position = next.lowerBound + 1
            }
            #expect(ByteSearch.lastRange(of: part, in: bytes) == last)
        }
    }

    @Test func `nothing is found at the start and at the end`() {
        #expect(ByteSearch(for: []).firstRange(in: [1, 2], from: 1) == 1..<1)
        #expect(ByteSearch.lastRange(of: [], in: [1, 2]) == 2..<2)
        #expect(ByteSearch(for: [1]).firstRange(in: []) == nil)
    }
}

struct UniqTests {
    @Test(arguments: [
        ("{{ a | uniq | size }}", "5"), ("{{ o | uniq | size }}", "2"), ("{{ o | uniq: 'k' | size }}", "2"),
        ("{{ n | uniq | size }}", "2"),
    ])
    func `equal values are kept once`(template: String, expected: String) throws {
        let data: LiquidValue = [
            "a": [1, 1.0, 1, "1", nil, nil, true, "1"], "o": [["k": 1, "l": 2], ["l": 2, "k": 1], ["k": 1.5]],
            "n": [["k": [1, 2]], ["k": [1.0, 2]], ["k": [2, 1]]],
        ]
        #expect(try render(template, data) == expected)
    }
}
