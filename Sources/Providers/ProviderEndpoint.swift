package import HTTPClient

/// Why a configured endpoint cannot be used.
package struct ProviderEndpointError: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String
}

/// Reads the `endpoint` and `token_endpoint` settings.
package struct ProviderEndpoint: Sendable, Hashable {
    package var origin: HTTPOrigin
    /// What follows the origin, at least `/`.
    package var path: String

    /// Reads `https://host`, `https://host:port` or the same with a path.
    ///
    /// Plain `http` is taken for loopback hosts alone, since requests carry credentials.
    package init(_ text: String) throws(ProviderEndpointError) {
        func fail(_ problem: String) -> ProviderEndpointError {
            ProviderEndpointError(description: "The endpoint “\(text)” \(problem).")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw fail("has characters that do not belong into a URL")
        }
        let scheme: String
        if text.hasPrefix("https://") {
            scheme = "https"
        } else if text.hasPrefix("http://") {
            scheme = "http"
        } else {
            throw fail("must begin with https://")
        }
        let rest = text.dropFirst(scheme.count + 3)
        let authority = rest.prefix { !"/?#".contains($0) }
        path = String(rest.dropFirst(authority.count))
        if path.isEmpty { path = "/" }
        guard path.hasPrefix("/"), !path.contains("?"), !path.contains("#") else {
            throw fail("must have neither a query nor a fragment")
        }
        guard !authority.contains("@") else { throw fail("must not hold a user name or password") }
        guard let (host, port) = Self.split(authority, defaultPort: scheme == "https" ? 443 : 80) else {
            throw fail("has no host, or a port that is none")
        }
        guard scheme == "https" || Self.isLoopback(host) else {
            throw fail("must be https: plain http is taken for loopback hosts alone, since requests carry credentials")
        }
        origin = HTTPOrigin(scheme: scheme, host: host, port: port)
    }

    /// Reads an endpoint that must not have a path of its own.
    package static func origin(_ text: String) throws(ProviderEndpointError) -> HTTPOrigin {
        let endpoint = try ProviderEndpoint(text)
        guard endpoint.path == "/" else {
            throw ProviderEndpointError(description: "The endpoint “\(text)” must not have a path.")
        }
        return endpoint.origin
    }

    private static func split(_ authority: Substring, defaultPort: Int) -> (host: String, port: Int)? {
        var host = authority
        var portText: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            let after = authority[authority.index(after: end)...]
            if !after.isEmpty {
                guard after.hasPrefix(":") else { return nil }
                portText = after.dropFirst()
            }
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            portText = authority[authority.index(after: colon)...]
        }
        guard !host.isEmpty else { return nil }
        guard let portText else { return (host.lowercased(), defaultPort) }
        guard let port = UInt16(portText), port > 0 else { return nil }
        return (host.lowercased(), Int(port))
    }

    private static func isLoopback(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let isLoopbackAddress = numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
        return host == "localhost" || host == "::1" || isLoopbackAddress
    }
}
