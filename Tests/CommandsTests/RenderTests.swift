import Testing

@testable import Commands

struct RenderTests {
    @Test(arguments: [
        (["-e", "Hello {{ name | capitalize }}", "--set", "name=ada"], "Hello Ada"),
        (["-e", "{{ n | plus: 1 }}{{ list[1] }}", "--set", "n=3", "--set", "list=[1,2]"], "42"),
        (["template.liquid", "--data", "data.json"], "Ada and <p>Ada</p>\n"),
        (["template.liquid", "--data", "data.json", "--set", "name=Bob"], "Bob and <p>Bob</p>\n"),
        (["--template", "{{ nothing }}."], "."),
        (["-e", "{{ 'now' | date: '%F' }}", "--now", "2026-12-07"], "2026-12-07"),
    ])
    func `a template is rendered`(_ words: [String], _ output: String) async throws {
        let harness = try CommandHarness()
        try harness.write("template.liquid", "{{ name }} and {% render 'tag', text: name %}\n")
        try harness.write("data.json", #"{"name": "Ada"}"#)
        try harness.write("partials/tag.liquid", "<p>{{ text }}</p>")
        let result = await harness.run(["render", "--partials", "partials"] + words)
        #expect(result.output == output)
        #expect(result.errors == "")
        #expect(result.exitCode == .success)
    }

    @Test func `the template comes from the standard input too`() async throws {
        #expect(try await CommandHarness().run("render", "-", input: "{{ 1 | plus: 1 }}").output == "2")
    }

    @Test(arguments: [
        (["render"], "TEMPLATE or --template is missing"),
        (["render", "x", "-e", "y"], "TEMPLATE and --template exclude each other"),
        (["render", "none.liquid"], "none.liquid cannot be read: no such file or directory"),
        (
            ["render", "-e", "{{ x | upcsae }}"],
            "line 1, column 8: there is no filter \"upcsae\", did you mean \"upcase\"?"
        ),
        (["render", "--strict", "-e", "a {{ x }}"], "line 1, column 6: nothing provides the variable \"x\""),
        (["render", "-e", "x", "--data", "bad.json"], "bad.json:2:1: a value is expected here"),
        (["render", "-e", "x", "--data", "list.json"], "list.json must hold a JSON object"),
        (["render", "-e", "x", "--partials", "none"], "The folder none cannot be read."),
        (["render", "-e", "x", "--set", "=1"], "--set cannot be '=1': write it like KEY=VALUE"),
    ])
    func `what cannot be rendered says why, with exit code 2`(_ words: [String], _ message: String) async throws {
        let harness = try CommandHarness()
        try harness.write("bad.json", "{\"a\":\n}")
        try harness.write("list.json", "[]")
        let result = await harness.run(words)
        #expect(result.exitCode == .usage)
        #expect(result.errors.hasPrefix("error: \(message)"), "\(result.errors)")
        #expect(result.output == "")
    }

    @Test(arguments: [
        (#"{"template":"{{ x }}-{{ y.z }}","data":{"x":[1,2.5,"é"],"y":{"z":null}}}"#, #"{"result":"12.5é-"}"#),
        (#"{"template":"{% render 'p', v: 3 %}","templates":{"p":"<{{ v }}>"}}"#, #"{"result":"<3>"}"#),
        (#"{"template":"{{ x }}","strict":false}"#, #"{"result":""}"#),
        (
            #"{"template":"{{ x }}","strict":true}"#,
            #"{"error":"line 1, column 4: nothing provides the variable \"x\""}"#
        ),
        (#"{"template":"{{ 'a' | nope }}"}"#, #"{"result":"a"}"#),
        (
            #"{"template":"{{ 'a' | nope }}","strict":true}"#,
            #"{"error":"line 1, column 10: there is no filter \"nope\""}"#
        ),
        (#"{"data":{}}"#, #"{"error":"'template' is missing"}"#),
        (#"{"template":1}"#, #"{"error":"'template' must be a string, not a number"}"#),
        (#"{"template":"","data":[]}"#, #"{"error":"'data' must be an object, not an array"}"#),
        (#"{"template":"","templates":{"p":1}}"#, #"{"error":"'templates' must hold strings"}"#),
        (#"{"template":"{% if"}"#, #"{"error":"line 1, column 1: this {% is never closed by %}"}"#),
    ])
    func `one line of JSON is answered by one`(_ line: String, _ answer: String) async throws {
        let result = try await CommandHarness().run("render", "--jsonl", input: line)
        #expect(result.output == answer + "\n")
        #expect(result.exitCode == .success)
    }

    @Test func `bad lines are answered in their place`() async throws {
        let result = try await CommandHarness().run(
            "render", "--jsonl", input: "{\"template\":\"1\"}\nnonsense\n\n{\"template\":\"3\"}\n")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first == #"{"result":"1"}"#)
        #expect(lines.dropFirst().first?.hasPrefix(#"{"error":"#) == true)
        #expect(lines.last == #"{"result":"3"}"#)
    }
}
