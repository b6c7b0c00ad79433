import JSON
import Push

extension DevicePreview {
    /// What a person reads: whom it is for, and the request line, the headers and the body under it.
    package var text: String {
        var lines = [heading]
        switch outcome {
        case .skipped(let reason): lines.append("  skipped: \(reason)")
        case .failed(let status, let reason): lines.append("  \(status.rawValue): \(reason)")
        case .request(nil): lines.append("  \(provider ?? "its provider") shows no request")
        case .request(let request?): lines += request.lines.map { $0.isEmpty ? "" : "  " + $0 }
        }
        return lines.joined(separator: "\n")
    }

    private var heading: String {
        var words = [registration.id == .unsaved ? "made-up device" : "device \(registration.id.rawValue)"]
        words.append(registration.platform.rawValue)
        words += [registration.appID, registration.userID, registration.locale].compactMap(\.self)
        if let provider { words.append("via \(provider)") }
        return words.joined(separator: " · ")
    }
}

extension ProviderRequest {
    fileprivate var lines: [String] {
        var lines = ["\(method) \(origin)\(path)"]
        lines += headers.map { "\($0.name): \($0.value)" }
        if let body = bodyJSON {
            lines += body.serialized(pretty: true).split(separator: "\n").map(String.init)
        } else if !body.isEmpty {
            lines.append("(\(body.count) bytes)")
        }
        return lines
    }
}
