import Glibc
import Synchronization

/// Wakes a thread that waits in `poll`, from any other thread.
final class WakeSignal: Sendable {
    /// What the thread waits for input on.
    let readEnd: Int32
    private let writeEnd: Int32
    private let isSignalled = Atomic<Bool>(false)

    /// - Returns: nil where the process may open no more files.
    init?() {
        var ends: [Int32] = [-1, -1]
        // A pair of sockets, because they can be opened non-blocking and closed in child processes in one step.
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func wake() {
        if isSignalled.exchange(true, ordering: .acquiringAndReleasing) { return }
        var byte: UInt8 = 1
        // Where the socket is full, the other side has enough to wake up from.
        unsafe write(writeEnd, &byte, 1)
    }

    /// Forgets the signals so far; to be called before looking at what they are about.
    func clear() {
        var bytes: [UInt8] = [0, 0, 0, 0]
        let capacity = bytes.count
        unsafe read(readEnd, &bytes, capacity)
        isSignalled.store(false, ordering: .sequentiallyConsistent)
    }
}
