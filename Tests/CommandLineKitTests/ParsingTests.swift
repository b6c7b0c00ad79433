import CommandLineKit
import Testing

struct ParsingTests {
    @Test(arguments: [
        ["ring", "tenor", "--count", "3"], ["ring", "--count=3", "tenor"], ["ring", "-n", "3", "tenor"],
        ["ring", "-n3", "tenor"], ["ring", "tenor", "--count", "2", "--count", "3"],
    ])
    func `an option takes its value in every usual spelling, and the last one holds`(_ words: [String]) throws {
        guard case .run(let parsed) = try Sample.program.parse(words) else {
            Issue.record("not a command to run")
            return
        }
        #expect(parsed.path == ["ring"])
        #expect(parsed[Sample.count] == 3)
        #expect(try parsed.require(Sample.bell) == "tenor")
    }

    @Test func `an option that was not given has no value`() throws {
        let parsed = try Sample.run("ring", "tenor")
        #expect(parsed[Sample.count] == nil)
        #expect(parsed[Sample.tag] == [])
        #expect(parsed[Sample.quiet] == false)
        #expect(parsed[Sample.others] == [])
    }

    @Test func `a repeated option keeps every value in order`() throws {
        #expect(try Sample.run("ring", "--tag", "b", "x", "--tag=a", "--tag=").self[Sample.tag] == ["b", "a", ""])
    }

    @Test(arguments: [
        ["--format", "json", "-qv", "tower", "list"], ["tower", "--format=json", "list", "-q", "-v"],
        ["tower", "list", "--quiet", "--verbose", "--format", "json"],
    ])
    func `a global option stands before, between or after the verbs`(_ words: [String]) throws {
        guard case .run(let parsed) = try Sample.program.parse(words) else {
            Issue.record("not a command to run")
            return
        }
        #expect(parsed.path == ["tower", "list"])
        #expect(parsed[Sample.format] == .json)
        #expect(parsed[Sample.quiet] && parsed[Sample.verbose])
    }

    @Test func `what follows the terminator is an argument`() throws {
        let parsed = try Sample.run("ring", "--", "--count", "-x", "--")
        #expect(try parsed.require(Sample.bell) == "--count")
        #expect(parsed[Sample.others] == ["-x", "--"])
    }

    @Test func `a lone dash is an argument, and a value may begin with one`() throws {
        let parsed = try Sample.run("ring", "-", "--tag", "-5", "--tag=--count")
        #expect(try parsed.require(Sample.bell) == "-")
        #expect(parsed[Sample.tag] == ["-5", "--count"])
    }

    @Test(arguments: [
        (["rnig"], "'rnig' is no verb; did you mean 'ring'?"),
        (["zzzzzz"], "'zzzzzz' is no verb"),
        (["tower", "clmb"], "'clmb' is no verb of 'bells tower'; did you mean 'climb'?"),
        (["tower"], "'bells tower' needs one of list or climb"),
        (["--quiet"], "a verb is missing"),
        (["ring", "x", "--cuont", "3"], "'bells ring' has no option --cuont; did you mean '--count'?"),
        (["ring", "x", "-z"], "'bells ring' has no option -z"),
        (["--count", "3", "ring"], "'bells' has no option --count; write it after 'ring'"),
        (["ring", "x", "--count"], "--count needs a value (N)"),
        (
            ["ring", "x", "--tag", "--count", "3"],
            "--tag needs a value; write --tag=--count if '--count' is meant to be it"
        ),
        (["ring", "x", "--quiet=yes"], "--quiet takes no value"),
        (["ring", "x", "--count", "13"], "--count cannot be '13': expected a whole number from 1 to 12"),
        (["ring", "x", "-n", "many"], "-n cannot be 'many': expected a whole number from 1 to 12"),
        (
            ["tower", "list", "--format", "jsn"],
            "--format cannot be 'jsn': expected text or json; did you mean 'json'?"
        ),
        (["ring"], "BELL is missing"),
        (["tower", "climb", "high"], "'high' is one argument too many"),
        (["tower", "list", "a", "b"], "'b' is one argument too many"),
        (["help", "rign"], "'rign' is no verb; did you mean 'ring'?"),
    ])
    func `a mistake is named together with the way out`(_ words: [String], _ message: String) {
        #expect(Sample.complaint(words) == message)
    }

    @Test func `a usage error knows the verb it was meant for`() {
        let error = #expect(throws: UsageError.self) { try Sample.program.parse(["tower", "climb", "--up"]) }
        #expect(error?.path == ["tower", "climb"])
    }

    @Test(arguments: [
        (["--help"], []), (["-h"], []), ([], []), (["help"], []), (["ring", "--help"], ["ring"]),
        (["--help", "ring"], ["ring"]), (["help", "tower", "list"], ["tower", "list"]),
        (["tower", "-h"], ["tower"]), (["help", "--help"], ["help"]),
    ])
    func `help is there at every level`(_ words: [String], _ expected: [String]) throws {
        guard case .help(let path) = try Sample.program.parse(words) else {
            Issue.record("not a question for help")
            return
        }
        #expect(path == expected)
    }

    @Test func `version and manual are asked for by their names`() throws {
        guard case .version = try Sample.program.parse(["--version"]) else {
            Issue.record("not a question for the version")
            return
        }
        guard case .manual = try Sample.program.parse(["help", "--man"]) else {
            Issue.record("not a question for the manual")
            return
        }
    }

    @Test func `a list of names reads like a sentence`() {
        #expect(listed(["a", "b", "c"]) == "a, b or c")
        #expect(listed(["a"]) == "a")
        #expect(listed([]) == "")
    }
}
