import Liquid
import Testing

struct LimitTests {
    static let limits = LiquidLimits(
        templateBytes: 400, nesting: 5, steps: 300, iterations: 50, outputBytes: 100, assignedBytes: 2000,
        partialDepth: 3,
        rangeSize: 20)
    static let options = TemplateOptions(
        limits: limits, partials: ["self": "x{% render 'self' %}", "again": "{% include 'again' %}", "ok": "k"])

    @Test(arguments: [
        (String(repeating: "x", count: 401), LiquidLimits.Name.templateBytes),
        (String(repeating: "{% if a %}", count: 6), .nesting),
        ("{{ a[a[a[a[a[a[a]]]]]] }}", .nesting),
        ("{{ ((((((1..2)..2)..2)..2)..2)..2) }}", .nesting),
        (
            "{% for i in (1..40) %}{% assign a = i | plus: 1 | plus: 1 | plus: 1 | plus: 1 | plus: 1 | plus: 1 %}{% endfor %}",
            .steps
        ),
        ("{% for i in (1..51) %}{% endfor %}", .iterations),
        ("{% for i in (1..9223372036854775807) %}{% endfor %}", .iterations),
        ("{% for i in (1..20) %}123456{% endfor %}", .outputBytes),
        ("{% capture x %}{% for i in (1..20) %}123456{% endfor %}{% endcapture %}", .outputBytes),
        ("{% tablerow i in (1..20) %}{% endtablerow %}", .outputBytes),
        (
            "{% assign a = '0123456789' %}{% for i in (1..30) %}{% assign a = a | append: a %}{% endfor %}",
            .assignedBytes
        ),
        ("{{ 'aaaaaaaaaaaaaaaaaaaa' | replace: 'a', x | replace: 'a', x | replace: 'a', x }}", .assignedBytes),
        ("{{ 'aaaaaaaaaaaaaaaaaaaa' | replace: '', x | replace: '', x | size }}", .assignedBytes),
        ("{{ list | join: x | split: '' | join: x | size }}", .assignedBytes),
        ("{{ (1..21) | join: '' }}", .rangeSize),
        ("{{ (1..9223372036854775807) | sum }}", .rangeSize),
        ("{% render 'self' %}", .partialDepth),
        ("{% include 'again' %}", .partialDepth),
    ])
    func `a template that costs too much is stopped by name`(template: String, limit: LiquidLimits.Name) {
        let data: LiquidValue = [
            "x": .string(String(repeating: "a", count: 90)), "list": .array(Array(repeating: "b", count: 15)),
        ]
        #expect(failure(template, data, options: Self.options)?.kind == .limit(limit))
    }

    @Test(arguments: [
        (String(repeating: "x", count: 100), 100), ("{% for i in (1..50) %}{{ '1' }}{% endfor %}", 50),
        ("{{ (1..20) | join: '' }}", 31), ("{% render 'ok' %}{% include 'ok' %}", 2),
        (String(repeating: "{% if true %}", count: 4) + "y" + String(repeating: "{% endif %}", count: 4), 1),
    ])
    func `what stays within the limits is rendered`(template: String, length: Int) throws {
        #expect(try render(template, options: Self.options).utf8.count == length)
    }

    @Test func `comparisons and searches in long values count as many steps`() {
        let long = LiquidValue.string(String(repeating: "a", count: 20_000))
        for template in [
            "{% for i in (1..40) %}{% if long contains part %}{% endif %}{% endfor %}",
            "{% for i in (1..40) %}{% if long == other %}{% endif %}{% endfor %}",
            "{% for i in (1..40) %}{% if long.size > 1 %}{% endif %}{% endfor %}",
            "{% for i in (1..40) %}{% if long.size > 1 %}{% if object.first %}{% endif %}{% endif %}{% endfor %}",
            "{% for i in (1..40) %}{% for pair in object limit: 1 %}{% break %}{% endfor %}{% endfor %}",
        ] {
            let object = LiquidMap((0..<400).map { ("k\($0)", 1) })
            let data: LiquidValue = ["long": long, "other": long, "part": "aab", "object": .object(object)]
            #expect(failure(template, data, options: Self.options)?.kind == .limit(.steps))
        }
    }

    @Test func `the same template costs the same every time`() throws {
        let template = "{% for i in (1..60) %}{{ i | plus: 1 }}{% endfor %}"
        let errors = (0..<3).map { _ in failure(template, options: Self.options) }
        #expect(errors[0] != nil)
        #expect(Set(errors).count == 1)
    }

    @Test func `deeply nested data is printed and compared without exhausting the stack`() throws {
        var deep: LiquidValue = "x"
        for _ in 0..<5000 { deep = .array([deep]) }
        var map: LiquidValue = "x"
        for _ in 0..<5000 { map = .object(LiquidMap([("k", map)])) }
        let text = try render(
            "{{ a | join }}{{ m }}{% if a == b %}{% endif %}", ["a": deep, "b": deep, "m": map],
            options: TemplateOptions(limits: .document))
        #expect(!text.isEmpty)
    }
}
