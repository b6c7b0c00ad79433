import Liquid
import Testing

struct LanguageTests {
    @Test(arguments: [
        ("{% if false and false or true %}y{% else %}n{% endif %}", "n"),
        ("{% if true or false and false %}y{% else %}n{% endif %}", "y"),
        ("{% if 0 %}y{% endif %}{% if '' %}y{% endif %}{% if e %}y{% endif %}", "yyy"),
        ("{% if nil == blank %}y{% endif %}{% if nil == empty %}y{% else %}n{% endif %}", "yn"),
        ("{% if ' ' == blank %}y{% endif %}{% if ' ' == empty %}y{% else %}n{% endif %}", "yn"),
        ("{% if nil < 1 %}y{% else %}n{% endif %}{% if 1 < nil %}y{% else %}n{% endif %}", "nn"),
        ("{% if 1 == 1.0 %}y{% endif %}{% if '1' == 1 %}y{% else %}n{% endif %}", "yn"),
        ("{% if a contains 2 %}y{% endif %}{% if a contains '2' %}y{% else %}n{% endif %}", "yn"),
        ("{% if o contains 'k' %}y{% endif %}", "y"),
        ("{% case 1 %}{% when 1, 1 %}a{% when 1 %}b{% else %}c{% endcase %}", "aab"),
        ("{% if true %} {% assign x = 1 %} {% endif %}|", "|"),
        ("{% if true %} {% else %}x{% endif %}|", " |"),
    ])
    func `conditions hold as in the reference`(template: String, expected: String) throws {
        #expect(try render(template, ["e": [], "a": [1, 2], "o": ["k": 1]]) == expected)
    }

    @Test(arguments: [
        ("{% for q in a %}{% assign q = 'z' %}{{ q }}{% endfor %}{{ q }}", "12z"),
        ("{% assign q = 9 %}{% for q in a %}{{ q }}{% endfor %}{{ q }}", "129"),
        ("{% for q in a %}{% for q in a %}{{ q }}{% endfor %}{{ q }};{% endfor %}", "121;122;"),
        ("{% for q in a %}{% capture x %}{{ q }}{% break %}{% endcapture %}{% endfor %}[{{ x }}]", "[1]"),
        ("{% for q in a %}{% capture x %}{{ q }}{% continue %}{% endcapture %}n{% endfor %}[{{ x }}]", "[2]"),
        ("{% for q in a %}{% case q %}{% when 1 %}{% continue %}{% else %}e{% endcase %}{{ q }}{% endfor %}", "e2"),
        ("{% for q in a %}{% ifchanged %}{{ q }}{% break %}{% endifchanged %}{% endfor %}|", "1|"),
        ("a{% break %}b", "a"),
        ("{% for q in o %}{{ q[0] }}={{ q[1] }} {% endfor %}", "k=1 l=2 "),
        ("{% for q in 'text' limit: 0 %}{{ q }}{% endfor %}", "text"),
        (
            "{% for q in a %}{{ forloop.parentloop.index }}{% for r in a %}{{ forloop.parentloop.index }}{% endfor %}{% endfor %}",
            "1122"
        ),
        ("{% assign f = 1 %}{% for q in a %}{{ forloop['index'] }}{% endfor %}{{ forloop }}", "12"),
    ])
    func `loops keep their variables to themselves`(template: String, expected: String) throws {
        #expect(try render(template, ["a": [1, 2], "o": ["k": 1, "l": 2]]) == expected)
    }

    @Test(arguments: [
        ("{% render 'p', x: 1 %}{{ x }}", "[1||]"), ("{% assign x = 5 %}{% render 'p' %}", "[||]"),
        ("{% assign x = 5 %}{% include 'p' %}", "[5||]"), ("{% render 'p' with 2 as y %}", "[||2]"),
        ("{% render 'p' for a %}", "[|1|][|2|]"), ("{% include 'p' for a %}", "[|1|][|2|]"),
        ("{% render 'p' for nothing %}", "[||]"), ("{% render 'loop' for a %}", "1/2 2/2 "),
        ("{% for q in a %}{% render 'loop' %}{% endfor %}", "/ / "),
        ("{% for q in a %}{% include 'loop' %}{% endfor %}", "1/2 2/2 "),
        ("{% for q in a %}x{% include 'stop' %}y{% endfor %}z", "xsz"),
        ("{% for q in a %}x{% render 'stop' %}y{% endfor %}z", "xsyxsyz"),
        ("{% include name %}", "[||]"), ("{% increment c %}{% render 'count' %}{% include 'count' %}", "001"),
        ("{% include 'set' %}{{ v }}{% assign v = 0 %}{% render 'set' %}{{ v }}", "new0"),
        ("{% render 'provided' %}", "p"), ("{% include 'dir/deep' with 3 %}", "<3>"),
        ("{% for q in a %}{% for r in a %}{% include 'stop' %}{% endfor %}{{ q }}{% endfor %}", "s1s2"),
    ])
    func `partials see what their tag lets them see`(template: String, expected: String) throws {
        let partials = [
            "p": "[{{ x }}|{{ p }}|{{ y }}]", "loop": "{{ forloop.index }}/{{ forloop.length }} ",
            "stop": "s{% break %}t", "count": "{% increment c %}", "set": "{% assign v = 'new' %}",
            "provided": "{{ name }}", "dir/deep": "<{{ deep }}>",
        ]
        let data: LiquidValue = ["a": [1, 2], "name": "p"]
        #expect(try render(template, data, options: TemplateOptions(partials: partials)) == expected)
    }

    @Test func `a partial that is rendered may not include`() {
        let partials = ["outer": "{% include 'inner' %}", "inner": "x"]
        let error = failure("{% render 'outer' %}", options: TemplateOptions(partials: partials))
        #expect(error?.kind == .partial("inner"))
    }

    @Test func `a broken partial that a computed name might mean fails only when it is used`() throws {
        let options = TemplateOptions(partials: ["good": "g", "bad": "{% if %}"])
        #expect(try render("{% include name %}", ["name": "good"], options: options) == "g")
        #expect(failure("{% include name %}", ["name": "bad"], options: options)?.partial == "bad")
        #expect(failure("{% include name %}", ["name": "none"], options: options)?.kind == .partial("none"))
    }
}

struct AnalysisTests {
    @Test func `the variables that a template reads are listed with their places`() throws {
        let template = try Template(
            parsing:
                "{{ a.b[0]['c d'].e }}{% for x in list.items %}{{ x.name }}{{ forloop.index }}{% endfor %}{{ x }}{% assign y = z %}{{ y }}{{ q[w] }}"
        )
        let provided = template.referencedVariables.filter { !$0.mayBeLocal }
        #expect(provided.map(\.root) == ["a", "list", "x", "z", "q", "w"])
        #expect(provided.map(\.path) == [["b", "0", "c d", "e"], ["items"], [], [], [], []])
        #expect(provided.map(\.utf8Offset) == [3, 33, 92, 110, 124, 126])
    }

    @Test func `variables that partials read are listed too`() throws {
        let options = TemplateOptions(partials: ["p": "{{ device.user }}{{ given }}"])
        let template = try Template(parsing: "{% render 'p', given: 1 %}", options: options)
        #expect(template.referencedVariables.map(\.root) == ["device", "given"])
        #expect(template.referencedVariables.map(\.partial) == ["p", "p"])
        #expect(template.referencedVariables.map(\.mayBeLocal) == [false, true])
    }

    @Test(arguments: [
        ("plain", false), ("{{ campaign.id }}", false), ("{{ device.user }}", true), ("{{ ['device'].user }}", true),
        ("{% if device %}{% endif %}", true), ("{% for t in device.tags %}{% endfor %}", true), ("{{ [name] }}", true),
        ("{{ a | append: device.user }}", true), ("{% assign device = 1 %}", false), ("{% include 'device' %}", true),
        ("{% render 'uses' %}", true), ("{{ stories[device.data.i] }}", true), ("{{ devices }}", false),
    ])
    func `it is known whether a template depends on a variable`(text: String, expected: Bool) throws {
        let options = TemplateOptions(partials: ["device": "", "uses": "{{ device.user }}"])
        let template = try Template(parsing: text, options: options)
        #expect(template.dependsOn(roots: ["device"]) == expected)
    }
}

struct ConditionTests {
    @Test(arguments: [
        ("stories.size > 0", true), ("stories.size > 1 or nothing", false), ("stories", true), ("nothing", false),
        ("stories.first == 'a' and stories.size == 1", true), ("stories contains 'b'", false), (" true ", true),
    ])
    func `a condition holds or not`(text: String, expected: Bool) throws {
        #expect(try Condition(parsing: text).evaluate(context(["stories": ["a"]])) == expected)
    }

    @Test(arguments: ["", "a >", "a b", "a == 1 and", "{{ a }}", "a | size > 0", "a = 1"])
    func `what is no condition is refused`(text: String) {
        #expect(throws: LiquidError.self) { try Condition(parsing: text) }
    }

    @Test func `a condition tells what it reads`() throws {
        let condition = try Condition(parsing: "stories.size > 0 and device.user")
        #expect(condition.referencedVariables.map(\.root) == ["stories", "device"])
        #expect(condition.dependsOn(roots: ["device"]))
    }
}
