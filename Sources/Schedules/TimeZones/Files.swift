#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Tells whether a file is still the one that was read.
struct FileStamp: Sendable, Hashable {
    var inode: UInt64
    var size: Int64
    var seconds: Int64
    var nanoseconds: Int64
}

func environmentVariable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}

func fileStamp(_ path: String) -> FileStamp? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return FileStamp(status)
}

extension FileStamp {
    fileprivate init(_ status: stat) {
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = Int64(status.st_mtim.tv_sec)
        nanoseconds = Int64(status.st_mtim.tv_nsec)
    }
}

/// A regular file's bytes; nothing if it cannot be read or is larger than `limit`.
func readFile(_ path: String, limit: Int) -> (bytes: [UInt8], stamp: FileStamp)? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
        return nil
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return nil }
        filled += count
    }
    return (bytes, FileStamp(status))
}

func directoryEntries(_ path: String) -> [(name: String, isDirectory: Bool)] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var entries: [(name: String, isDirectory: Bool)] = []
    while let entry = unsafe readdir(stream) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
        }
        guard !name.hasPrefix(".") else { continue }
        var status = stat()
        guard unsafe stat("\(path)/\(name)", &status) == 0 else { continue }
        entries.append((name, status.st_mode & S_IFMT == S_IFDIR))
    }
    return entries
}
