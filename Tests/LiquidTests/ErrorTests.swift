import Liquid
import Testing

struct ErrorTests {
    @Test(arguments: [
        ("a\nb {{ x | upcas }}", 2, 10, "there is no filter \"upcas\", did you mean \"upcase\"?"),
        ("{% iff x %}", 1, 1, "there is no tag \"iff\", did you mean \"if\"?"),
        ("é\u{1F600}{{ x", 1, 3, "this {{ is never closed by }}"),
        ("{% if x", 1, 1, "this {% is never closed by %}"),
        ("x\n  {% for a in b %}", 2, 3, "this for is never closed by endfor"),
        ("{% if a %}{% endfor %}", 1, 11, "endfor closes nothing that is open here"),
        ("{% else %}", 1, 1, "else stands outside of if, unless, case or for"),
        ("{{ 'abc }}", 1, 4, "this string is never closed"),
        ("{{ a b }}", 1, 6, "unexpected \"b\""),
        ("{{ a | }}", 1, 8, "expected a filter name but found the end of the tag"),
        ("{% if %}x{% endif %}", 1, 6, "expected a value but found the end of the tag"),
        ("{% for x of y %}{% endfor %}", 1, 10, "expected \"in\" but found \"of\""),
        ("{{ a & b }}", 1, 6, "unexpected character \"&\""),
        ("{{ 'a' | append }}", 1, 10, "the filter \"append\" takes 1 argument, not 0"),
        ("{{ 'a' | upcase: 1 }}", 1, 10, "the filter \"upcase\" takes no arguments, not 1"),
        ("{{ 'a' | slice: 1, 2, 3 }}", 1, 10, "the filter \"slice\" takes 1 to 2 arguments, not 3"),
        ("{{ 'a' | default: 'b', allow: true }}", 1, 10, "the filter \"default\" has no argument \"allow\""),
        ("{% comment %}{% comment %}{% endcomment %}", 1, 1, "this comment is never closed by endcomment"),
        ("{% render 'missing' %}", 1, 1, "there is no partial \"missing\""),
        ("{% case 'a' %}{% when 'a' and 'b' %}{% endcase %}", 1, 27, "unexpected \"and\""),
    ])
    func `a template that cannot be parsed is refused with its place`(
        template: String, line: Int, column: Int, message: String
    ) {
        let error = failure(template)
        #expect(error?.message == message)
        #expect(error?.line == line)
        #expect(error?.column == column)
    }

    @Test(arguments: [
        ("ab\n{{ 1 | divided_by: 0 }}", 2, 8, "divided by 0"),
        ("{% if 'a' < 1 %}{% endif %}", 1, 7, "a string has no order against a number"),
        ("x {% for i in (1..4) limit: 'foo' %}{% endfor %}", 1, 3, "limit must be a whole number, not a string"),
        ("{{ 5 | base64_decode }}", 1, 8, "the input of base64_decode is not Base64"),
        ("{% assign x = 'a' | slice: 'b' %}", 1, 21, "the offset of slice must be a whole number, not a string"),
    ])
    func `an error while rendering has its place too`(template: String, line: Int, column: Int, message: String) {
        let error = failure(template)
        #expect(error?.message == message)
        #expect(error?.line == line)
        #expect(error?.column == column)
    }

    @Test func `the offset is in UTF-8 bytes`() {
        #expect(failure("é\u{1F600}{{ x | nope }}")?.utf8Offset == 13)
    }

    @Test func `an error in a partial names it and its place there`() {
        let partials = ["p": "ok\n{{ 1 | modulo: 0 }}", "broken": "\n{% if %}"]
        let rendering = failure("{% render 'p' %}", options: TemplateOptions(partials: partials))
        #expect(rendering?.description == "partial \"p\", line 2, column 8: divided by 0")
        let parsing = failure("{% render 'broken' %}", options: TemplateOptions(partials: partials))
        #expect(parsing?.partial == "broken")
        #expect(parsing?.line == 2)
    }

    @Test func `the buffer is as it was after an error`() throws {
        let template = try Template(parsing: "some text {{ 1 | modulo: 0 }}")
        var buffer = Array("before".utf8)
        #expect(throws: LiquidError.self) { try template.render(context(), into: &buffer) }
        #expect(String(decoding: buffer, as: UTF8.self) == "before")
        try Template(parsing: " after").render(context(), into: &buffer)
        #expect(String(decoding: buffer, as: UTF8.self) == "before after")
    }
}

struct StrictnessTests {
    static let strict = TemplateOptions(unknownVariables: .refused)

    @Test(arguments: [
        ("{{ nme }}", "nme", 4), ("{{ device.nme }}", "nme", 4), ("{% if nme %}{% endif %}", "nme", 7),
        ("{{ nme | default: 'x' }}", "nme", 4), ("{{ device.data.x | upcase }}", "x", 4),
        ("{% for x in nme %}{% endfor %}", "nme", 13), ("{{ device.user.nme }}", "nme", 4),
    ])
    func `an unknown variable is an error at its place`(template: String, name: String, column: Int) {
        let error = failure(template, ["device": ["user": "u", "data": [:]]], options: Self.strict)
        #expect(error?.kind == .unknownVariable(name))
        #expect(error?.column == column)
    }

    @Test(arguments: [
        ("{% if device.data.x %}y{% else %}n{% endif %}", "n"), ("{{ device.data.x | default: 'd' }}", "d"),
        ("{% if device.data.x == 'a' %}y{% else %}n{% endif %}", "n"), ("{{ device.nothing }}", ""),
        ("{% assign a = 1 %}{{ a }}", "1"),
        ("{% for i in (1..2) %}{{ i }}{{ forloop.last }}{% endfor %}", "1false2true"),
        ("{% increment n %}{{ n }}", "01"), ("{{ list[9] }}", ""), ("{{ list.first }}{{ list.size }}", "11"),
        ("{% case device.data.x %}{% when 'a' %}a{% else %}n{% endcase %}", "n"),
    ])
    func `what is tested or has a default may be missing`(template: String, expected: String) throws {
        let data: LiquidValue = ["device": ["nothing": nil, "data": [:]], "list": [1]]
        #expect(try render(template, data, options: Self.strict) == expected)
    }

    @Test func `an unknown filter can be let through`() throws {
        #expect(
            try render("{{ 'a' | nope: 1, x: 2 | upcase }}", options: TemplateOptions(unknownFilters: .ignored)) == "A")
    }
}
