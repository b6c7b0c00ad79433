internal import Glibc

/// Why a file cannot be read, in words that follow the file's name.
struct FileReadingError: Error, Sendable {
    var reason: String
}

/// Reads whole regular files up to a size.
enum FileReading {
    /// At most one byte more than `limit` is read, so that the reader of the bytes sees that there are too many.
    static func bytes(of path: String, limit: Int) throws(FileReadingError) -> [UInt8] {
        // Without O_NONBLOCK, opening a named pipe would wait for somebody to write to it.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw systemError(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw systemError(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileReadingError(
                reason: status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is not a regular file")
        }
        var bytes = [UInt8]()
        let expected = min(limit, max(0, Int(status.st_size))) + 1
        var failure: Int32 = 0
        while bytes.count <= limit {
            let part = unsafe [UInt8](unsafeUninitializedCapacity: max(expected - bytes.count, 4_096)) {
                buffer, count in
                let result = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if result < 0 { failure = errno }
                count = max(0, result)
            }
            if failure == EINTR {
                failure = 0
                continue
            }
            guard failure == 0 else { throw systemError(failure) }
            if part.isEmpty { break }
            bytes += part
        }
        return bytes
    }

    /// The path without links; nil where nothing is there.
    static func realPath(of path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func systemError(_ code: Int32) -> FileReadingError {
        let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return FileReadingError(reason: text.prefix(1).lowercased() + text.dropFirst())
    }
}
