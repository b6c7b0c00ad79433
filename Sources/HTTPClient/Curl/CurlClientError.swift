import Glibc

/// Why a client cannot start.
package enum CurlClientError: Error, Sendable, Hashable, CustomStringConvertible {
    case caFileUnreadable(path: String, errorNumber: Int32)
    case noThread(errorNumber: Int32)
    case libraryFailed

    package var description: String {
        switch self {
        case .caFileUnreadable(let path, let errorNumber):
            "The file of certificate authorities \(path) cannot be read: \(Self.text(errorNumber))."
        case .noThread(let errorNumber):
            "The HTTP client cannot start a thread: \(Self.text(errorNumber))."
        case .libraryFailed:
            "libcurl does not start: the process is out of memory, or the library is damaged."
        }
    }

    static func requireReadable(_ path: String) throws(CurlClientError) {
        guard unsafe access(path, R_OK) == 0 else {
            throw .caFileUnreadable(path: path, errorNumber: errno)
        }
    }

    private static func text(_ errorNumber: Int32) -> String { unsafe String(cString: strerror(errorNumber)) }
}
