/// Logs what failed for single devices of a page, and stops after a few: a fault that hits every device of a large
/// audience must not write a line for each.
struct FailureLog {
    private static let most = 5

    let logger: Logger
    let batchID: String
    private var count = 0

    init(logger: Logger, batchID: String) {
        self.logger = logger
        self.batchID = batchID
    }

    mutating func add(_ message: String, _ error: any Error, _ registration: Registration) {
        count += 1
        guard count <= Self.most else { return }
        logger.warning(
            message,
            [
                "batch": batchID, "registration": "\(registration.id.rawValue)",
                "token": MaskedToken(registration.token).description, "error": "\(error)",
            ])
    }

    /// Says how many were left out.
    func close() {
        guard count > Self.most else { return }
        logger.warning("More devices of the page failed alike", ["batch": batchID, "count": "\(count - Self.most)"])
    }
}

/// A token as logs show it: its first and last four characters, or nothing of a short one.
public struct MaskedToken: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ token: String) {
        description = token.utf8.count <= 8 || token.count <= 8 ? "***" : "\(token.prefix(4))…\(token.suffix(4))"
    }
}
