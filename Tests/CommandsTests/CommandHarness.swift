import Commands
import Foundation
import Push
import Synchronization

/// Collects what a verb writes.
final class CollectedOutput: ByteOutput {
    private let bytes = Mutex<[UInt8]>([])
    private let flushes = Mutex(0)

    func write(_ new: [UInt8]) { bytes.withLock { $0 += new } }
    func flush() { flushes.withLock { $0 += 1 } }

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
    var flushCount: Int { flushes.withLock { $0 } }
}

/// A text to read, handed over in pieces so that every boundary is met.
final class TextInput: ByteInput {
    private let rest: Mutex<ArraySlice<UInt8>>
    private let pieceSize: Int

    init(_ text: String, pieceSize: Int = 1 << 16) {
        rest = Mutex(Array(text.utf8)[...])
        self.pieceSize = pieceSize
    }

    init(bytes: [UInt8]) {
        rest = Mutex(bytes[...])
        pieceSize = 1 << 16
    }

    func read(upTo count: Int) -> [UInt8] {
        rest.withLock { rest in
            let piece = Array(rest.prefix(min(count, pieceSize)))
            rest = rest.dropFirst(piece.count)
            return piece
        }
    }
}

/// What a command line left.
struct CommandResult {
    var exitCode: ExitCode
    var output: String
    var errors: String
}

/// A folder of its own in which a test runs command lines, each within the process of the test.
final class CommandHarness {
    let folder: String
    /// Monday, 2026-12-07, 09:30 in Berlin.
    var clock = WallClock.fixed(Date(timeIntervalSince1970: 1_796_632_200))
    var isTerminal = false
    var variables: [String: String] = [:]

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("carillon-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ path: String, _ text: String) throws {
        let path = folder + "/" + path
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder + "/" + path)), as: UTF8.self)
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + path) }

    /// Runs `carillon` with these words.
    func run(_ words: String..., input: String = "") async -> CommandResult {
        await run(words, input: TextInput(input))
    }

    func run(_ words: [String], input: any ByteInput = TextInput("")) async -> CommandResult {
        let (output, errors) = (CollectedOutput(), CollectedOutput())
        let environment = CommandEnvironment(
            arguments: words, input: input, output: output, errors: errors, isOutputTerminal: isTerminal,
            isErrorTerminal: isTerminal, columns: 100, variables: variables, clock: clock, workingDirectory: folder)
        let exitCode = await Carillon.run(environment)
        return CommandResult(
            exitCode: exitCode, output: output.text.replacingOccurrences(of: folder, with: "FOLDER"),
            errors: errors.text.replacingOccurrences(of: folder, with: "FOLDER"))
    }
}
