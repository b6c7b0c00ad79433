import FoundationEssentials
import Glibc

/// Why a file could not be written to.
struct AppendError: Error, CustomStringConvertible {
    let path: String
    let code: Int32

    var description: String { "\(path) cannot be written: \(unsafe String(cString: strerror(code)))" }
}

/// A file that only grows. It is opened for each append, so that it may be moved away (rotated) at any time.
struct AppendOnlyFile: Sendable {
    let path: String

    /// Appends the bytes as one piece: with `O_APPEND` the system puts the writes of all threads and processes one after
    /// the other. Folders that are missing are made.
    func append(_ bytes: [UInt8]) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw AppendError(path: path, code: errno) }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw AppendError(path: path, code: errno) }
            rest = rest.dropFirst(written)
        }
    }
}
