import Crypto
import FoundationEssentials
import Glibc
import JSON
package import Push

/// Provider tokens kept for the next process, so that a program started each minute makes one in 50 minutes too.
///
/// Apple counts new tokens for the whole team and answers more than one in 20 minutes with TooManyProviderTokenUpdates
/// (“Establishing a token-based connection to APNs”). The file is readable by its owner alone, since whoever has a token
/// can send with it for up to an hour. A process that makes a token holds the file's lock meanwhile. Where the file cannot
/// be used, tokens are kept in memory only, and the log says so.
package struct APNsTokenFile: Sendable {
    private let path: String
    private let logger: Logger

    package init(path: String, logger: Logger) {
        self.path = path
        self.logger = logger
    }

    /// A token as it stands in the file.
    struct Entry: Sendable, Equatable {
        var authorization: String
        var mintedAt: Date
    }

    /// Reads an owner's entry and lets `body` replace it, with no other process in between.
    ///
    /// - Parameter owner: team, key id and fingerprint of the key, so that another key is never taken for this one.
    /// - Returns: what `body` returned; it becomes the entry unless it is the one that was there.
    func update<Failure: Error>(
        _ owner: String, _ body: (Entry?) throws(Failure) -> Entry
    ) throws(Failure) -> Entry {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            logger.warning("Provider tokens cannot be kept for the next start", ["file": path, "error": "\(errno)"])
            return try body(nil)
        }
        // Closing gives the lock up.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        var entries = Self.read(descriptor)
        let entry = try body(Self.entry(entries[owner]))
        if entry != Self.entry(entries[owner]) {
            entries[owner] = [
                "token": .string(entry.authorization), "minted_at": .int(Int64(entry.mintedAt.timeIntervalSince1970)),
            ]
            if !Self.write(JSON.object(entries).serializedBytes(), to: descriptor) {
                logger.warning("Provider tokens were not kept for the next start", ["file": path, "error": "\(errno)"])
            }
        }
        return entry
    }

    /// What the file holds. A damaged one holds nothing, and is written anew.
    private static func read(_ descriptor: Int32) -> JSONObject {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0, case .object(let entries)? = try? JSON(parsing: Array(bytes.prefix(count))) else {
            return JSONObject()
        }
        return entries
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        guard ftruncate(descriptor, 0) == 0 else { return false }
        return unsafe pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    private static func entry(_ json: JSON?) -> Entry? {
        guard case .object(let fields)? = json, case .string(let token)? = fields["token"],
            case .int(let seconds)? = fields["minted_at"]
        else { return nil }
        return Entry(authorization: token, mintedAt: Date(timeIntervalSince1970: Double(seconds)))
    }
}
