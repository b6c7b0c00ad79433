internal import CSQLite
internal import Glibc

/// Says which process works on which run: each run has one byte of a file beside the store, and who works on the run
/// holds a lock on its byte.
///
/// The kernel drops the locks of a process that dies, so a run is never held by the dead, and no clock is needed to
/// find out. They are "open file description" locks (fcntl(2)): two stores in one process exclude each other too.
struct RunLocks: ~Copyable {
    private let path: String?
    private var file: Int32 = -1

    /// - Parameter storePath: `nil` for a store that nobody else can open, where there is nobody to exclude.
    init(storePath: String?) { path = storePath.map { $0 + "-runs" } }

    deinit { if file >= 0 { Glibc.close(file) } }

    /// Takes the run's lock; false when another store holds it. Taking it again is fine.
    mutating func hold(_ run: RunID) throws(StorageError) -> Bool {
        guard let path else { return true }
        if file < 0 {
            file = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard file >= 0 else { throw Self.failure(.cannotOpen, path) }
        }
        if carillon_lock_byte(file, run.rawValue, 1) == 0 { return true }
        guard errno == EAGAIN || errno == EACCES else { throw Self.failure(.inputOutput, path) }
        return false
    }

    func letGo(_ run: RunID) {
        if file >= 0 { _ = carillon_lock_byte(file, run.rawValue, 0) }
    }

    private static func failure(_ problem: StorageError.Problem, _ path: String) -> StorageError {
        StorageError(problem, action: "claim a run", location: path, detail: unsafe String(cString: strerror(errno)))
    }
}
