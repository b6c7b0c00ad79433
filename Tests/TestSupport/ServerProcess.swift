import Foundation
import Glibc

/// A loopback server that a test started. It ends with this object.
///
/// The contract with every server under Tests/Servers: it binds to port 0 on 127.0.0.1 and prints one line
/// `listening PORT` when it is ready.
package final class ServerProcess {
    private let process: SpawnedProcess
    private let output: FileHandle
    package let port: Int

    /// Starts the server and waits for its line.
    package init(_ executable: String, _ arguments: [String]) throws {
        try ChildProcess.checkIsThere(executable)
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw ChildProcessError(description: "no pipe for \(executable): error \(errno)")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let nothing = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer {
            close(ends[1])
            close(nothing)
        }
        let process = try SpawnedProcess(executable, arguments, streams: .init(input: nothing, output: ends[1]))
        close(ends[1])
        ends[1] = -1
        var line = [UInt8]()
        while let byte = try reader.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count == 2, words[0] == "listening", let port = Int(words[1]) else {
            process.send(SIGKILL)
            _ = process.waitForExit()
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

    /// Asks the server to end, so that it writes what it still has to write, and waits until it has; one that does not
    /// end within ten seconds is killed.
    package func stop() {
        process.send(SIGTERM)
        if !outputEnds(withinMilliseconds: 10_000) { process.send(SIGKILL) }
        _ = process.waitForExit()
    }

    /// Waits for the end of the server's output, which comes with the server's own.
    private func outputEnds(withinMilliseconds limit: Int32) -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(Int64(limit))
        var watched = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
        while ContinuousClock.now < deadline {
            guard unsafe poll(&watched, 1, limit) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(watched.fd, $0.baseAddress, $0.count) }
            if count <= 0 { return true }
        }
        return false
    }

    deinit { stop() }
}
