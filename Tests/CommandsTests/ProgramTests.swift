import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import Commands

struct ProgramTests {
    @Test func `every verb of the command line can be run`() {
        for (path, _) in Carillon.program.leaves where path != ["help"] {
            #expect(Carillon.verb(at: path) != nil, "\(path)")
        }
    }

    @Test func `the help of every verb names each of its options and arguments`() async throws {
        let harness = try CommandHarness()
        for (path, command) in Carillon.program.commandsWithPaths where !path.isEmpty {
            let result = await harness.run(path + ["--help"])
            #expect(result.exitCode == .success)
            #expect(result.errors == "")
            for option in command.options + Carillon.program.root.options {
                #expect(result.output.contains("--\(option.name)"), "\(path) --\(option.name)")
            }
            for argument in command.arguments { #expect(result.output.contains(argument.placeholder), "\(path)") }
            #expect(!command.abstract.isEmpty)
        }
    }

    @Test func `an option is never declared twice for one verb`() {
        for (path, command) in Carillon.program.commandsWithPaths {
            let options = command.options + (path.isEmpty ? [] : Carillon.program.root.options)
            #expect(Set(options.map(\.name)).count == options.count, "\(path)")
            let letters = options.compactMap(\.short)
            #expect(Set(letters).count == letters.count, "\(path)")
        }
    }

    @Test func `the example lines are command lines that parse`() throws {
        for (_, command) in Carillon.program.commandsWithPaths {
            for example in command.examples {
                for line in example.line.components(separatedBy: CharacterSet(charactersIn: "|&()")) {
                    let words = try shellWords(line)
                    guard words.first == "carillon" else { continue }
                    _ = try Carillon.program.parse(Array(words.dropFirst()))
                }
            }
        }
    }

    /// The words as a shell would split them, up to a redirection.
    private func shellWords(_ line: String) throws -> [String] {
        let command = line.split(separator: ">").first ?? ""
        let script = "for word in \(command); do printf '%s\\0' \"$word\"; done"
        let output = try ChildProcess.run("/bin/sh", ["-c", script]).standardOutput
        return output.split(separator: "\0").map(String.init)
    }

    @Test func `the documentation names every verb, exit code and device column`() throws {
        let text = try ChildProcess.run("/bin/cat", [Repository.path("docs/command-line.md")]).standardOutput
        for (path, _) in Carillon.program.commandsWithPaths where !path.isEmpty {
            #expect(text.contains("`\(path.last ?? "")") || text.contains("`\(path.joined(separator: " "))"), "\(path)")
        }
        for code in ExitCode.allCases { #expect(text.contains("| \(code.rawValue) | ")) }
        for column in RegistrationColumn.names { #expect(text.contains("`\(column)`"), "\(column)") }
    }

    @Test func `the help of the program is as reviewed`() async throws {
        let result = try await CommandHarness().run("--help")
        #expect(result.output == (try Snapshot.expected("Commands/help.txt", for: result.output)))
    }

    @Test func `a usage error says what is wrong and where to read on, with exit code 2`() async throws {
        let result = try await CommandHarness().run("completion", "bsh")
        #expect(result.exitCode == .usage)
        #expect(result.output == "")
        #expect(
            result.errors == """
                error: SHELL cannot be 'bsh': expected bash, zsh or fish; did you mean 'bash'?
                See 'carillon completion --help'.

                """)
    }

    @Test func `the version goes to the standard output`() async throws {
        let result = try await CommandHarness().run("--version")
        #expect(result.output == "carillon \(Carillon.version)\n")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completion scripts name every verb`(_ shell: String) async throws {
        let result = try await CommandHarness().run("completion", shell)
        #expect(result.exitCode == .success)
        for (path, _) in Carillon.program.leaves {
            #expect(
                result.output.contains(path.joined(separator: " "))
                    || result.output.contains(path.joined(separator: "_")), "\(path)")
        }
    }

    @Test func `the completion script is valid bash`() async throws {
        let script = try await CommandHarness().run("completion", "bash").output
        let check = try ChildProcess.run("/bin/bash", ["-n"], input: Data(script.utf8))
        #expect(check.status == 0, "\(check.standardError)")
    }

    @Test func `a reader that goes away ends the program quietly`() async throws {
        let errors = CollectedOutput()
        let environment = CommandEnvironment(
            arguments: ["--help"], input: TextInput(""), output: GoneReader(), errors: errors, workingDirectory: "/")
        #expect(await Carillon.run(environment) == .success)
        #expect(errors.text == "")
    }

    @Test func `a disk that is full is told, with exit code 3`() async throws {
        let errors = CollectedOutput()
        let environment = CommandEnvironment(
            arguments: ["--help"], input: TextInput(""), output: FullDisk(), errors: errors, workingDirectory: "/")
        #expect(await Carillon.run(environment) == .unreachable)
        #expect(errors.text == "error: the output cannot be written: no space left on device\n")
    }

    @Test(arguments: [
        (["--color", "always"], false, [:], true), ([], true, [:], true), ([], false, [:], false),
        ([], true, ["NO_COLOR": "1"], false), ([], true, ["NO_COLOR": ""], true), ([], true, ["TERM": "dumb"], false),
        (["--color", "never"], true, [:], false), (["--color", "always"], false, ["NO_COLOR": "1"], true),
    ])
    func `colours follow the option, the terminal and NO_COLOR`(
        _ words: [String], _ isTerminal: Bool, _ variables: [String: String], _ isColored: Bool
    ) async throws {
        let harness = try CommandHarness()
        harness.isTerminal = isTerminal
        harness.variables = variables
        try harness.write("campaigns/welcome.yaml", "")
        let result = await harness.run(["init"] + words)
        #expect(result.errors.contains("\u{1B}[31m") == isColored)
    }
}

private struct GoneReader: ByteOutput {
    func write(_ bytes: [UInt8]) throws(OutputFailure) { throw .readerGone }
    func flush() throws(OutputFailure) { throw .readerGone }
}

private struct FullDisk: ByteOutput {
    func write(_ bytes: [UInt8]) throws(OutputFailure) { throw .failed("no space left on device") }
    func flush() {}
}
