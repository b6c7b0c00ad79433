import Liquid
import Testing

struct UnicodeTests {
    static let family = "Café\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}!"
    static let composed = "\u{E9}"
    static let decomposed = "e\u{301}"

    @Test(arguments: [
        ("{{ family | size }}", "10"),
        ("{{ family.size }}", "10"),
        ("{{ family | slice: 4 }}", "\u{1F468}"),
        ("{{ family | slice: -2, 2 }}", "\u{1F467}!"),
        ("{{ family | truncate: 8 }}", "Café\u{1F468}..."),
        ("{{ family | truncate: 6, '' }}", "Café\u{1F468}\u{200D}"),
        ("{{ family | split: '' | size }}", "10"),
        ("{{ decomposed | size }}{{ composed | size }}", "21"),
    ])
    func `text is counted and cut in Unicode scalars`(template: String, expected: String) throws {
        let data: LiquidValue = [
            "family": .string(Self.family), "composed": .string(Self.composed), "decomposed": .string(Self.decomposed),
        ]
        #expect(try render(template, data).isExactly(expected))
    }

    @Test(arguments: [
        ("{% if composed == decomposed %}same{% else %}different{% endif %}", "different"),
        ("{% if word contains composed %}yes{% else %}no{% endif %}", "no"),
        ("{{ both | uniq | size }}", "2"),
        ("{% case composed %}{% when decomposed %}yes{% else %}no{% endcase %}", "no"),
        ("{{ map[composed] }}{{ map[decomposed] }}", "12"),
        ("{{ word | replace: composed, 'x' }}", "ne\u{301}e"),
        ("{{ word | split: composed | size }}", "1"),
        ("{{ both | where: composed | size }}", "1"),
    ])
    func `text is equal only byte for byte`(template: String, expected: String) throws {
        let data: LiquidValue = [
            "composed": .string(Self.composed), "decomposed": .string(Self.decomposed),
            "word": .string("n" + Self.decomposed + "e"),
            "both": .array([.string(Self.composed), .string(Self.decomposed)]),
            "map": .object(LiquidMap([(Self.composed, 1), (Self.decomposed, 2)])),
        ]
        #expect(try render(template, data).isExactly(expected))
    }

    @Test(arguments: [
        ("{{ 'straße' | upcase }}", "STRASSE"), ("{{ 'ÉCOLE' | downcase }}", "école"),
        ("{{ 'éCOLE' | capitalize }}", "École"), ("{{ 'ǆ' | capitalize }}", "ǅ"), ("{{ '' | capitalize }}", ""),
    ])
    func `case changes reach beyond ASCII`(template: String, expected: String) throws {
        #expect(try render(template) == expected)
    }

    @Test(arguments: [
        ("{{ x | newline_to_br }}", "a<br />\nb<br />\nc\rd"), ("{{ x | strip_newlines }}", "abc\rd"),
        ("{{ x | split: lf | size }}", "3"), ("{{ x | size }}", "8"),
    ])
    func `a carriage return and a line feed are two scalars`(template: String, expected: String) throws {
        #expect(try render(template, ["x": "a\r\nb\nc\rd", "lf": "\n"]).isExactly(expected))
    }

    @Test func `white space control leaves a no-break space alone`() throws {
        #expect(try render("a\u{A0} {{- 'b' -}} \u{A0}c").isExactly("a\u{A0}b\u{A0}c"))
    }

    @Test(arguments: ["{{ caf\u{E9} }}", "{% assign \u{4E2D} = 1 %}", "{{ \u{1F600} }}"])
    func `names are ASCII`(template: String) {
        #expect(failure(template)?.kind == .syntax)
    }
}
