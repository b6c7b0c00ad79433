/// How much a message matters; the names are those of swift-log.
public enum LogLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
    case trace, debug, info, notice, warning, error, critical

    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// One line of a log: constant text, and what varies beside it.
public struct LogEvent: Sendable, Hashable {
    public var level: LogLevel
    public var message: String
    public var metadata: [String: String]

    public init(level: LogLevel, message: String, metadata: [String: String]) {
        self.level = level
        self.message = message
        self.metadata = metadata
    }
}

/// Where the engine reports to. A logger is passed in; there is no global one.
public struct Logger: Sendable {
    public var minimum: LogLevel
    private let write: @Sendable (LogEvent) -> Void

    public init(minimum: LogLevel = .info, _ write: @escaping @Sendable (LogEvent) -> Void) {
        self.minimum = minimum
        self.write = write
    }

    /// A logger that says nothing.
    public static let disabled = Logger(minimum: .critical) { _ in }

    public func log(
        _ level: LogLevel, _ message: @autoclosure () -> String, _ metadata: @autoclosure () -> [String: String] = [:]
    ) {
        guard level >= minimum else { return }
        write(LogEvent(level: level, message: message(), metadata: metadata()))
    }

    public func debug(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> [String: String] = [:]) {
        log(.debug, message(), metadata())
    }

    public func info(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> [String: String] = [:]) {
        log(.info, message(), metadata())
    }

    public func warning(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> [String: String] = [:]) {
        log(.warning, message(), metadata())
    }

    public func error(_ message: @autoclosure () -> String, _ metadata: @autoclosure () -> [String: String] = [:]) {
        log(.error, message(), metadata())
    }
}
