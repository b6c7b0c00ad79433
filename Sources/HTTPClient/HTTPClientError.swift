import Glibc

/// Why a client cannot start.
package enum HTTPClientError: Error, Sendable, Hashable, CustomStringConvertible {
    case caFileUnreadable(path: String, errorNumber: Int32)
    case caFileUnusable(path: String, reason: String)
    case noThread(errorNumber: Int32)
    case tooManyOpenFiles
    /// A library that the client is built on, by its name, has no memory or is damaged.
    case libraryFailed(String)

    package var description: String {
        switch self {
        case .caFileUnreadable(let path, let errorNumber):
            "The file of certificate authorities \(path) cannot be read: \(Self.text(errorNumber))."
        case .noThread(let errorNumber):
            "The HTTP client cannot start a thread: \(Self.text(errorNumber))."
        case .tooManyOpenFiles:
            "The HTTP client cannot start: the process has too many files open. Raise its limit (ulimit -n)."
        case .libraryFailed(let name):
            "\(name) does not start: the process is out of memory, or the library is damaged."
        case .caFileUnusable(let path, let reason):
            "The file \(path) holds no certificate authority that can be used: \(reason)."
        }
    }

    static func requireReadable(_ path: String) throws(HTTPClientError) {
        guard unsafe access(path, R_OK) == 0 else {
            throw .caFileUnreadable(path: path, errorNumber: errno)
        }
    }

    private static func text(_ errorNumber: Int32) -> String { unsafe String(cString: strerror(errorNumber)) }
}
