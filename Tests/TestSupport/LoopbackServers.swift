import Foundation

/// What the servers under Tests/Servers need: certificates and keys, and the C server compiled. Made once a test run.
package enum LoopbackServers {
    /// The folder that certificates.py filled: `ca.pem`, `server.pem`, `AuthKey.p8`, `service-account.json` and others.
    package static func certificates() throws -> String { try madeCertificates.get() }

    private static let madeCertificates = Result<String, any Error> {
        let folder = try temporaryFolder()
        _ = try ChildProcess.python("Tests/Servers/certificates.py", [folder])
        return folder
    }

    /// Starts the nghttp2 server of push_server.c, whose options stand at the top of that file.
    package static func push(_ arguments: [String] = [], certificate: String = "server") throws -> ServerProcess {
        let folder = try certificates()
        return try ServerProcess(
            try builtPushServer.get(),
            ["--cert", "\(folder)/\(certificate).pem", "--key", "\(folder)/\(certificate).key"] + arguments)
    }

    private static let builtPushServer = Result<String, any Error> {
        let result = try ChildProcess.run("/usr/bin/make", ["--silent", "-C", Repository.path("Tests/Servers")])
        guard result.status == 0 else {
            throw ChildProcessError(
                description: "push_server.c does not compile (libnghttp2-dev and libssl-dev are needed): "
                    + result.standardError)
        }
        return Repository.path(".build/servers/push_server")
    }

    /// Starts a Python server of Tests/Servers that takes `--certificates`.
    package static func python(_ script: String, _ arguments: [String] = []) throws -> ServerProcess {
        try ServerProcess(
            python: "Tests/Servers/" + script, ["--certificates", try certificates()] + arguments)
    }

    /// A new folder for a server's log or a test's files.
    package static func temporaryFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("carillon-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}
