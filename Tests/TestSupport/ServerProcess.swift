import Foundation
import Glibc

/// A loopback server that a test started. It ends with this object.
///
/// The contract with every server under Tests/Servers: it binds to port 0 on 127.0.0.1 and prints one line
/// `listening PORT` when it is ready.
package final class ServerProcess {
    private let process: Process
    private let output: FileHandle
    package let port: Int

    /// Starts the server and waits for its line.
    package init(_ executable: String, _ arguments: [String]) throws {
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw ChildProcessError(description: "\(executable) is missing: run scripts/install first")
        }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        try process.run()
        var line = [UInt8]()
        let reader = pipe.fileHandleForReading
        while let byte = try reader.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count == 2, words[0] == "listening", let port = Int(words[1]) else {
            process.terminate()
            throw ChildProcessError(description: "\(executable) \(arguments) did not say where it listens: \(words)")
        }
        self.process = process
        self.output = reader
        self.port = port
    }

    /// Starts a Python server of the repository.
    package convenience init(python script: String, _ arguments: [String] = []) throws {
        try self.init(Repository.python, ["-u", Repository.path(script)] + arguments)
    }

    /// Ends the server and waits until it is gone.
    package func stop() {
        guard process.isRunning else { return }
        // Not SIGTERM: the child inherits the signal mask of the thread that started it, and the threads of Swift's
        // concurrency block every signal that can be blocked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit { stop() }
}
