import CommandLineKit
import TestSupport
import Testing

struct HelpTests {
    @Test(arguments: [[], ["ring"], ["tower"], ["tower", "list"], ["help"]])
    func `the help text is as reviewed`(_ path: [String]) throws {
        let help = Sample.program.help(path: path, width: 80)
        let name = (["help"] + path).joined(separator: "-")
        #expect(help == (try Snapshot.expected("CommandLineKit/\(name).txt", for: help)))
    }

    @Test(arguments: [40, 60, 80, 100])
    func `no line of a help text is wider than asked`(_ width: Int) {
        for (path, _) in Sample.program.commandsWithPaths {
            let longest = Sample.program.help(path: path, width: width).split(separator: "\n").map(\.count).max() ?? 0
            #expect(longest <= width, "\(path)")
        }
    }

    @Test(arguments: ["bash", "zsh", "fish", "man"])
    func `the completions and the manual are as reviewed`(_ kind: String) throws {
        let program = Sample.program
        let text =
            switch kind {
            case "bash": program.bashCompletion
            case "zsh": program.zshCompletion
            case "fish": program.fishCompletion
            default: program.manualPage
            }
        #expect(text == (try Snapshot.expected("CommandLineKit/bells.\(kind)", for: text)))
    }

    @Test(arguments: [
        (["bells", ""], "ring tower help --config --format --quiet --verbose --help --version"),
        (["bells", "t"], "tower"),
        (["bells", "tower", ""], "list climb --config --format --quiet --verbose --help --version"),
        (["bells", "-q", "ring", "--c"], "--count --config"),
        (["bells", "tower", "climb", "--format", "j"], "json"),
        (["bells", "--format", ""], "text json"),
        (["bells", "ring", "--count", ""], ""),
    ])
    func `bash offers what fits`(_ words: [String], _ offered: String) throws {
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let script = """
            \(Sample.program.bashCompletion)
            COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1); _bells; echo "${COMPREPLY[*]}"
            """
        let output = try ChildProcess.run("/bin/bash", ["--norc", "-c", script])
        // Outside an interactive shell `complete` itself has nothing to attach to.
        #expect(output.standardOutput == offered + "\n", "\(output.standardError)")
    }
}
