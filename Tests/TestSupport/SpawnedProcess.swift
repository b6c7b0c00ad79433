import Glibc

/// A child process with its files for standard input, output and errors, waited for by `waitpid`.
///
/// Foundation's `Process` is not used: its children inherit the signal mask of the thread that started them, and the
/// threads of Swift's concurrency block SIGTERM; and its `waitUntilExit` needs a run loop of the calling thread.
final class SpawnedProcess {
    private let identifier: pid_t
    private var exitStatus: Int32?

    /// What a child's standard streams are connected to, as open file descriptors; they stay the caller's.
    struct Streams {
        var input: Int32
        var output: Int32
        var errors: Int32 = 2
    }

    init(
        _ executable: String, _ arguments: [String], streams: Streams, environment: [String: String] = [:]
    ) throws {
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (target, source) in [(0, streams.input), (1, streams.output), (2, streams.errors)] as [(Int32, Int32)] {
            unsafe posix_spawn_file_actions_adddup2(&actions, source, target)
        }
        var variables = Self.ownEnvironment()
        for (name, value) in environment { variables[name] = value }
        var child: pid_t = 0
        let status = unsafe Self.withCStrings([executable] + arguments) { argv in
            unsafe Self.withCStrings(variables.map { "\($0.key)=\($0.value)" }) { envp in
                unsafe posix_spawn(&child, executable, &actions, &attributes, argv, envp)
            }
        }
        guard status == 0 else {
            throw ChildProcessError(
                description: "\(executable) could not be started: \(unsafe String(cString: strerror(status)))")
        }
        identifier = child
    }

    /// Waits for the end and returns the exit code, or 128 and the signal's number as a shell does.
    func waitForExit() -> Int32 {
        if let exitStatus { return exitStatus }
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) == -1, errno == EINTR {}
        let signal = status & 0x7f
        let code = signal == 0 ? (status >> 8) & 0xff : 128 + signal
        exitStatus = code
        return code
    }

    /// Sends a signal, unless the child's end was already seen.
    func send(_ signal: Int32) {
        if exitStatus == nil { kill(identifier, signal) }
    }

    private static func ownEnvironment() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let parts = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            unsafe entry += 1
        }
        return variables
    }

    /// Calls `body` with a null-terminated array of C strings.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = unsafe texts.map { unsafe strdup($0) }
        unsafe pointers.append(nil)
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe pointers.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("the array holds its terminator") }
            return unsafe body(base)
        }
    }
}
