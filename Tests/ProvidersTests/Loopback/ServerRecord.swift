import Foundation
import HTTPClient
import JSON
import TestSupport

/// What a stand-in server wrote about the requests it got.
struct ServerRecord {
    let path: String

    init() throws { path = try LoopbackServers.temporaryFolder() + "/log" }

    /// One object for each request.
    func requests() throws -> [JSON] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        return try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
    }

    /// What the server's checks found wrong.
    func complaints() throws -> [String] {
        try requests().compactMap { $0["violation"]?.stringValue ?? $0["note"]?.stringValue }
    }

    func count(verdict: String) throws -> Int {
        try requests().filter { $0["verdict"]?.stringValue == verdict }.count
    }
}

enum Loopback {
    static func client(ca: String = "ca.pem", timeout: Duration = .seconds(20)) throws -> CurlClient {
        try CurlClient(
            configuration: HTTPClientConfiguration(
                timeout: timeout, caFile: try LoopbackServers.certificates() + "/" + ca, requiresHTTP2: true))
    }

    static func file(_ name: String) throws -> String {
        let path = try LoopbackServers.certificates() + "/" + name
        return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }
}

extension ServerProcess {
    var origin: HTTPOrigin { HTTPOrigin(scheme: "https", host: "localhost", port: port) }
}
