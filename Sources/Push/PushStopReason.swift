/// Why a batch ended before its audience did, or why a part of its audience was left out.
public enum PushStopReason: Sendable, Hashable, CustomStringConvertible {
    /// Its task was cancelled.
    case cancelled
    /// Whoever runs the batch asked it to stop between two pages.
    case stopped
    /// The provider refuses every message because of its configuration.
    case configurationError(provider: String, reason: String)
    /// The provider called so many tokens invalid that its configuration is the likelier cause.
    case implausibleInvalidTokens(provider: String, invalid: Int, judged: Int)
    /// Registrations could not be read, or what a page changed could not be recorded.
    case repositoryFailed(reason: String)

    public var description: String {
        switch self {
        case .cancelled: "The batch was cancelled."
        case .stopped: "The batch was stopped."
        case .configurationError(let provider, let reason):
            "Configuration error at \(provider): \(reason). Nothing more was sent through it and no token was removed."
        case .implausibleInvalidTokens(let provider, let invalid, let judged):
            "\(provider) called \(invalid) of \(judged) tokens invalid, which points to a wrong key, topic, project or "
                + "environment. Nothing more was sent through it and these tokens were kept."
        case .repositoryFailed(let reason): "The repository failed: \(reason)"
        }
    }
}
