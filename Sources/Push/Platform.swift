/// The kind of device that a registration belongs to.
///
/// The raw values are the `platform` values of metrics and exports.
public enum Platform: String, Sendable, Hashable, CaseIterable, Codable {
    case iOS = "iOS"
    case macOS = "MacOS"
    case android = "Android"
    case windows = "Windows"
    case web = "WebBrowser"

    /// Reads a platform name whatever its case; `web` is accepted for `WebBrowser`.
    public init?(named name: String) {
        switch name.lowercased() {
        case "ios": self = .iOS
        case "macos": self = .macOS
        case "android": self = .android
        case "windows": self = .windows
        case "web", "webbrowser": self = .web
        default: return nil
        }
    }
}

/// Which of the two APNs hosts a token belongs to. Other providers ignore it.
public enum PushEnvironment: String, Sendable, Hashable, CaseIterable, Codable {
    case production
    case sandbox
}

/// What a token may be used for: ordinary pushes, or one of the two live-activity kinds.
public enum TokenKind: String, Sendable, Hashable, CaseIterable, Codable {
    case device
    case liveActivityStart = "live_activity_start"
    case liveActivityUpdate = "live_activity_update"
}
